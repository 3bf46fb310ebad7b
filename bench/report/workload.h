/* SPDX-License-Identifier: GPL-2.0 */
/* What a workload declares in its metrics.json. */
#ifndef FWP_WORKLOAD_H
#define FWP_WORKLOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "metrics.h"
#include "why.h"

/* Of the results directory: what the guest's script measured itself. */
#define OWN_FILE "metrics"
/* Key of its last line, which counts the others. */
#define OWN_END "end"

/**
 * struct block - columns that stand side by side in the table
 * @columns: the metrics, from left to right
 * @nr: how many
 */
struct block {
	const struct metric **columns;
	size_t nr;
};

/**
 * struct workload - metrics.json
 * @json: the file, which owns the strings
 * @reads: for each enum reader, whether it has files to read
 * @metrics: those that its readers set, then its own; ends with a NULL name
 * @nr_metrics: how many
 * @blocks: the table
 * @nr_blocks: how many
 * @legend: what stands below the table
 */
struct workload {
	json_t *json;
	bool reads[READERS];
	struct metric *metrics;
	size_t nr_metrics;
	struct block *blocks;
	size_t nr_blocks;
	const char *legend;
};

/**
 * workload_load - read a metrics.json
 * @w: to be freed by workload_free(), also after a failure
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int workload_load(struct workload *w, int dir, const char *name,
		  struct why *why);

/**
 * workload_free - free a workload
 * @w: the workload, may be all zeroes
 */
void workload_free(struct workload *w);

/**
 * workload_metric - look a metric up
 * @w: the workload
 * @name: its name
 * @len: length of @name
 *
 * Return: the metric, or NULL.
 */
const struct metric *workload_metric(const struct workload *w,
				     const char *name, size_t len);

#endif
