/* SPDX-License-Identifier: GPL-2.0 */
/* How far figures move when a row is run again. */
#ifndef FWP_REPEATS_H
#define FWP_REPEATS_H

#include <stdbool.h>
#include <stdio.h>

#include "judge.h"
#include "outcome.h"

/**
 * repeats_any - was a row run more than once?
 * @o: the run
 *
 * Return: true if one was.
 */
bool repeats_any(const struct outcome *o);

/**
 * repeats_spread - does a metric differ between the repeats of a row?
 * @o: the run
 * @judged: of the metric
 *
 * Return: true if it does in at least one row.
 */
bool repeats_spread(const struct outcome *o, const struct judged *judged);

/**
 * repeats_print - print the statistics of repeated rows
 * @out: where to
 * @o: the run
 *
 * At most 78 columns wide; nothing if no row was run more than once.
 */
void repeats_print(FILE *out, const struct outcome *o);

#endif
