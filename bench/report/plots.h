/* SPDX-License-Identifier: GPL-2.0 */
/* The pictures of a report. */
#ifndef FWP_PLOTS_H
#define FWP_PLOTS_H

#include "family.h"
#include "outcome.h"
#include "plot.h"

/**
 * plots_reads - does the workload have the files of a reader?
 * @o: the run
 * @reader: the reader's name in the workload's metrics.json
 *
 * Return: true if it has.
 */
bool plots_reads(const struct outcome *o, const char *reader);

/*
 * Each makes what pictures the run has data for, which may be none. What a row
 * lacks is said on stderr, and that row is left out. Return: 0, or -1.
 */

/* dirty-ROW: dirty pages against the limits over time, from sample.csv. */
int plot_dirty(struct plots *plots, const struct outcome *o, int run_dir,
	       struct why *why);

/* latency: percentiles of each row, from fio's raw latency logs. */
int plot_latency(struct plots *plots, const struct outcome *o, int run_dir,
		 struct why *why);

/* One of the next two for each family of metrics, by the workload. */
int plot_families(struct plots *plots, const struct outcome *o,
		  struct why *why);

/* size-FAMILY: rows by size of a write. */
int plot_sizes(struct plots *plots, const struct outcome *o,
	       const struct family *family, const struct family *predicted,
	       struct why *why);

/* stride-FAMILY: measured and predicted, by stride. */
int plot_strides(struct plots *plots, const struct outcome *o,
		 const struct family *family, const struct family *predicted,
		 struct why *why);

/**
 * plots_row_dir - open what the guest of a row left
 * @run_dir: the run, an open directory
 * @row: the row
 * @why: the reason, on failure
 *
 * Return: a file descriptor to close(), or -1.
 */
int plots_row_dir(int run_dir, const struct outcome_row *row, struct why *why);

#endif
