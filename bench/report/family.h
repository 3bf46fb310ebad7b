/* SPDX-License-Identifier: GPL-2.0 */
/* Metrics of one thing at several sizes: overcharge_4k, overcharge_16k. */
#ifndef FWP_FAMILY_H
#define FWP_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "outcome.h"

/*
 * What the others would be if each folio that is touched were charged whole, as
 * computed from the folios that were there.
 */
#define PREDICTED "whole"

/**
 * struct member - one metric of a family
 * @metric: the metric
 * @bytes: the size that its name ends with
 */
struct member {
	const struct outcome_metric *metric;
	double bytes;
};

/**
 * struct family - metrics that differ in the size at the end of their names
 * @name: what is before the size, without the underscore
 * @members: the metrics, by size; at least two
 * @nr: how many
 */
struct family {
	char *name;
	struct member *members;
	size_t nr;
};

/**
 * families_find - find the families of a run
 * @o: the run
 * @nr: how many there are
 *
 * Only metrics that a valid row has count.
 *
 * Return: the families, for families_free().
 */
struct family *families_find(const struct outcome *o, size_t *nr);

/**
 * families_free - free families
 * @families: them
 * @nr: how many
 */
void families_free(struct family *families, size_t nr);

/**
 * family_is_predicted - is it what is predicted, and not measured?
 * @f: the family
 *
 * Return: true if it is.
 */
bool family_is_predicted(const struct family *f);

/**
 * family_prediction - find what is predicted for a family
 * @families: all of the run
 * @nr: how many
 * @f: the family
 *
 * Return: PREDICTED, if there is one of the same unit; else NULL.
 */
const struct family *family_prediction(const struct family *families,
				       size_t nr, const struct family *f);

/**
 * family_value - the figure of a row at one size
 * @f: the family, or NULL
 * @bytes: the size
 * @row: the row
 * @value: the mean over its repeats
 *
 * Return: true if the row has it.
 */
bool family_value(const struct family *f, double bytes,
		  const struct outcome_row *row, double *value);

/**
 * family_rows - find the rows that have a figure of a family
 * @o: the run
 * @f: the family
 * @rows: room for all rows
 *
 * Return: how many there are.
 */
size_t family_rows(const struct outcome *o, const struct family *f,
		   const struct outcome_row **rows);

/**
 * member_size - the size as the metric's name has it
 * @m: the metric
 *
 * Return: such as "16k".
 */
const char *member_size(const struct member *m);

#endif
