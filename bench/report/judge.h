/* SPDX-License-Identifier: GPL-2.0 */
/* One metric over all rows: against the baseline, the best, the losses. */
#ifndef FWP_JUDGE_H
#define FWP_JUDGE_H

#include <stdbool.h>

#include "outcome.h"
#include "stats.h"

/*
 * With one figure a row, or always the same one, there is nothing to test. A
 * throttled row is moved by about this much by a change of anything in its guest.
 */
#define CHAOS 0.01

/**
 * struct judged - one metric of one row
 * @known: the row has it; if not, nothing below means anything
 * @stats: over all repeats; the mean is what is shown and compared
 * @compared: there is a baseline to compare with, and this is not it
 * @gain: how much better than the baseline, as a share of it (of a metric
 *	  without a direction: how much more); infinite if the baseline is 0
 * @p: Welch's t test against the baseline; NaN without repeats
 * @g: Hedges' g against the baseline; NaN without repeats or spread
 * @best: no row is better, and some are worse
 * @loss: significantly worse than the baseline
 */
struct judged {
	bool known;
	struct stats stats;
	bool compared;
	double gain;
	double p;
	double g;
	bool best;
	bool loss;
};

/**
 * judge - compare the rows in one metric
 * @o: the run
 * @m: the metric
 * @out: as many as there are rows
 *
 * The rows control and unpatched are no cures: they do not win.
 *
 * Return: true if at least one row has the metric as a number.
 */
bool judge(const struct outcome *o, const struct outcome_metric *m,
	   struct judged *out);

/**
 * judged_zero - is a metric 0 in every row that has it?
 * @o: the run
 * @judged: of the metric
 *
 * Return: true if it is, so that it is worth one word and no line.
 */
bool judged_zero(const struct outcome *o, const struct judged *judged);

/**
 * judged_zeroes - name the metrics that are 0 in every row
 * @o: the run
 *
 * Return: the names with commas between them, to free(); "" if there are none.
 */
char *judged_zeroes(const struct outcome *o);

#endif
