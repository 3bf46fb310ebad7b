/* SPDX-License-Identifier: GPL-2.0 */
/* What stands under the table: write cost, units, where it came from. */
#ifndef FWP_FOOTER_H
#define FWP_FOOTER_H

#include <stdio.h>

#include "run.h"

/**
 * footer_print - print what stands under the table
 * @out: where to
 * @run: the run
 */
void footer_print(FILE *out, const struct run *run);

#endif
