/* SPDX-License-Identifier: GPL-2.0 */
/* Comparison of the figures of two runs, to the last digit. */
#ifndef FWP_CMP_H
#define FWP_CMP_H

/**
 * cmp_runs - compare the figures of two runs
 * @a: path of a RUNDIR that has a table
 * @b: path of another
 *
 * Prints nothing if they are the same, else one row.metric a line with both
 * figures.
 *
 * Return: the exit status: 0 the same, 1 not the same, 2 not comparable or
 * not readable.
 */
int cmp_runs(const char *a, const char *b);

#endif
