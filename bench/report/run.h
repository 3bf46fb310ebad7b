/* SPDX-License-Identifier: GPL-2.0 */
/* A whole run: where it came from and its rows. */
#ifndef FWP_RUN_H
#define FWP_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "conf.h"
#include "workload.h"

/**
 * struct run_row - one row of a run
 * @name: name of its directory
 * @conf: its row.conf
 * @json: its row.json; of a row that was not finished, an invalid stand-in
 * @repeats: an array of the same for each time it was run again, or NULL
 */
struct run_row {
	char *name;
	struct conf conf;
	json_t *json;
	json_t *repeats;
};

/**
 * struct run - a run
 * @workload: what was measured
 * @provenance: run.json without its host object
 * @host: the host object of run.json, with one of each row under "rows"
 * @rows: the rows, in the order of their ranks, then names
 * @nr_rows: how many
 */
struct run {
	struct workload workload;
	json_t *provenance;
	json_t *host;
	struct run_row *rows;
	size_t nr_rows;
};

/**
 * run_load - read RUNDIR/run.json, RUNDIR/metrics.json, RUNDIR/rows/NAME/{row.conf,row.json} and RUNDIR/repeats/N/NAME/row.json
 * @run: to be freed by run_free(), also after a failure
 * @dir: RUNDIR, open
 * @why: the reason, on failure
 *
 * Also sets iops_of_control of the valid rows.
 *
 * Return: 0, or -1.
 */
int run_load(struct run *run, int dir, struct why *why);

/**
 * run_free - free a run
 * @run: the run
 */
void run_free(struct run *run);

/**
 * run_find - look a row up
 * @run: the run
 * @name: name of the row
 *
 * Return: the row, or NULL.
 */
const struct run_row *run_find(const struct run *run, const char *name);

/**
 * run_row_valid - may the figures of a row be shown?
 * @row: the row
 *
 * Return: true if they may.
 */
bool run_row_valid(const struct run_row *row);

#endif
