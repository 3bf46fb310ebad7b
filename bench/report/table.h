/* SPDX-License-Identifier: GPL-2.0 */
/* The table, made to be pasted into a mail. */
#ifndef FWP_TABLE_H
#define FWP_TABLE_H

#include <stdio.h>

#include "run.h"

/**
 * table_print - print the table of a run, at most 78 columns wide
 * @out: where to
 * @run: the run
 */
void table_print(FILE *out, const struct run *run);

#endif
