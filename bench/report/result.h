/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON of a run: result.json and figures.json. */
#ifndef FWP_RESULT_H
#define FWP_RESULT_H

#include "run.h"

/* To be raised when a reader of the old form would misread the new one. */
#define RESULT_SCHEMA 1

/**
 * result_write - write RUNDIR/result.json and RUNDIR/figures.json
 * @run: the run
 * @dir: RUNDIR, open
 * @why: the reason, on failure
 *
 * result.json is the objects run (provenance), host (what depends on the host
 * and the hour: without it two runs compare equal), metrics (unit, source and
 * better direction of each figure), readers (which files the guests left), table
 * (names of the columns, a list for each block), rows, and repeats (for each row
 * that was run again, what rows has of it, in a list). figures.json is the
 * figures only.
 *
 * Return: 0, or -1.
 */
int result_write(const struct run *run, int dir, struct why *why);

#endif
