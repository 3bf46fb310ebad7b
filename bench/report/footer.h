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

/**
 * footer_times - say what the times of a run are worth
 * @run: the object run of result.json
 *
 * Return: a paragraph.
 */
const char *footer_times(const json_t *run);

/**
 * footer_provenance - print where a run came from
 * @out: where to
 * @run: the object run of result.json
 * @host: its object host
 */
void footer_provenance(FILE *out, const json_t *run, const json_t *host);

#endif
