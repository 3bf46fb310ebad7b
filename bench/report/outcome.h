/* SPDX-License-Identifier: GPL-2.0 */
/* A run that has its table: what result.json says, checked and in order. */
#ifndef FWP_OUTCOME_H
#define FWP_OUTCOME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "metrics.h"
#include "why.h"

/* The row that the others are compared with. */
#define BASELINE "none"

/**
 * struct outcome_metric - one figure that rows may have
 * @name: key in the row; `refused_by.busy` is a key inside an object
 * @place: its place among the metrics, lowest first
 * @unit: its unit
 * @source: where it comes from
 * @better: the direction that is an improvement
 */
struct outcome_metric {
	char *name;
	size_t place;
	const char *unit;
	const char *source;
	enum better better;
};

/**
 * struct outcome_row - one row
 * @name: name of its folder
 * @title: its title
 * @rank: its place
 * @json: what result.json says of it
 * @repeats: the same of each time it was repeated, an array, or NULL
 * @valid: its figures may be shown: it is valid, and so is every repeat
 */
struct outcome_row {
	const char *name;
	const char *title;
	json_int_t rank;
	json_t *json;
	json_t *repeats;
	bool valid;
};

/**
 * struct outcome - a run
 * @name: name of its folder, where links end
 * @result: result.json
 * @run: its object run, without what depends on the host
 * @host: its object host
 * @rows: the rows, by rank
 * @nr_rows: how many
 * @metrics: the figures that at least one row may have
 * @nr_metrics: how many
 * @baseline: the row BASELINE, or NULL
 */
struct outcome {
	char *name;
	json_t *result;
	json_t *run;
	json_t *host;
	struct outcome_row *rows;
	size_t nr_rows;
	struct outcome_metric *metrics;
	size_t nr_metrics;
	const struct outcome_row *baseline;
};

/**
 * outcome_load - read RUNDIR/result.json
 * @o: to be freed by outcome_free(), also after a failure
 * @path: RUNDIR
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int outcome_load(struct outcome *o, const char *path, struct why *why);

/**
 * outcome_free - free a run
 * @o: the run
 */
void outcome_free(struct outcome *o);

/**
 * outcome_row - look a row up
 * @o: the run
 * @name: name of the row
 *
 * Return: the row, or NULL.
 */
const struct outcome_row *outcome_row(const struct outcome *o,
				      const char *name);

/**
 * outcome_metric - look a metric up
 * @o: the run
 * @name: name of the metric
 *
 * Return: the metric, or NULL.
 */
const struct outcome_metric *outcome_metric(const struct outcome *o,
					    const char *name);

/**
 * outcome_figure - a figure of a row
 * @row: the row
 * @name: name of the metric
 *
 * Return: the figure; NULL if the row has none or is INVALID.
 */
json_t *outcome_figure(const struct outcome_row *row, const char *name);

/**
 * outcome_samples - a figure of a row that is a number, from all its repeats
 * @row: the row
 * @name: name of the metric
 * @n: how many there are
 *
 * Return: the figures to free(), the row's own first; NULL if there are none.
 */
double *outcome_samples(const struct outcome_row *row, const char *name,
			size_t *n);

/**
 * outcome_invalid - why the figures of a row may not be shown
 * @row: the row
 *
 * Return: the text to free(), plain ASCII.
 */
char *outcome_invalid(const struct outcome_row *row);

/**
 * outcome_string - a string of an object
 * @obj: the object, or NULL
 * @key: its key
 *
 * Return: the string, or "" if there is none.
 */
const char *outcome_string(const json_t *obj, const char *key);

#endif
