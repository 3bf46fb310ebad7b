/* SPDX-License-Identifier: GPL-2.0 */
/* One row while it is made from what its guest left. */
#ifndef FWP_ROW_H
#define FWP_ROW_H

#include <jansson.h>
#include <stdbool.h>

#include "why.h"
#include "workload.h"

/**
 * struct row - a row in the making
 * @workload: what is measured
 * @results: the guest's raw files, an open directory
 * @env: what the guest was asked, an object of strings
 * @policy: the kernel's name of the policy, or "unpatched"
 * @patched: the kernel has the policies
 * @in_virtual_time: the guest's clock counts instructions
 * @metrics: the figures so far
 * @reasons: array of strings, why the row is not valid; empty if it is
 */
struct row {
	const struct workload *workload;
	int results;
	json_t *env;
	const char *policy;
	bool patched;
	bool in_virtual_time;
	json_t *metrics;
	json_t *reasons;
};

/**
 * row_reject - make a row invalid
 * @row: the row
 * @fmt: printf format of the reason; what is not ASCII becomes '?'
 */
void row_reject(struct row *row, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * row_set_count - add a figure that is a count
 * @row: the row
 * @name: name of a metric
 * @n: the figure
 */
void row_set_count(struct row *row, const char *name, json_int_t n);

/**
 * row_set_real - add a figure that is not a count
 * @row: the row
 * @name: name of a metric
 * @d: the figure
 */
void row_set_real(struct row *row, const char *name, double d);

/**
 * row_env_count - a count that the guest was given
 * @row: the row, rejected if there is none
 * @key: name of the variable
 * @out: the count
 *
 * Return: true if there was one.
 */
bool row_env_count(struct row *row, const char *key, json_int_t *out);

/*
 * Each reads its own files in @row->results, sets its metrics and rejects the
 * row for what is missing, torn or fails a precondition.
 */
void settings_add(struct row *row);	/* policy, sysctls */
void fio_add(struct row *row);		/* fio.json, latency logs */
void sampler_add(struct row *row);	/* sample.csv */
void charge_add(struct row *row);	/* vmstat-*; after fio_add() */
void folios_add(struct row *row);	/* folios-*.json */
void writecost_add(struct row *row);	/* writecost.json */
void counters_add(struct row *row);	/* counters-* */
void pauses_add(struct row *row);	/* hist-bdp */
void decisions_add(struct row *row);	/* hist-fwp; after counters_add() */
void own_add(struct row *row);		/* metrics, and any JSON */

/**
 * struct row_files - the project's own files that a row is made with
 * @metrics: path of the workload's metrics.json
 * @conf: path of the row's row.conf
 * @expects: paths of the expect files that apply to the row
 * @nr_expects: how many
 */
struct row_files {
	const char *metrics;
	const char *conf;
	char **expects;
	int nr_expects;
};

/**
 * row_make - make row.json from what a guest left
 * @files: what the row is made with
 * @out: path of the directory that boot.sh wrote; row.json goes there
 *
 * Return: the exit status: 0 valid, 1 INVALID, 2 row.json was not written.
 */
int row_make(const struct row_files *files, const char *out);

#endif
