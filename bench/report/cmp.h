/* SPDX-License-Identifier: GPL-2.0 */
/* Comparison of the figures of two runs, to the last digit. */
#ifndef FWP_CMP_H
#define FWP_CMP_H

#include <stdbool.h>

/**
 * cmp_runs - compare the figures of two runs
 * @a: path of a RUNDIR that has a table
 * @b: path of another
 * @verbose: also say what is the same
 *
 * Prints what else differs (kernel, stack, tools), then one row.metric a line
 * that is not the same, with both figures and which way it went; nothing if all
 * is the same.
 *
 * Return: the exit status: 0 the figures are the same, 1 they are not, 2 not
 * comparable or not readable.
 */
int cmp_runs(const char *a, const char *b, bool verbose);

#endif
