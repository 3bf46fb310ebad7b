/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics of repeated figures, all by GSL. */
#ifndef FWP_STATS_H
#define FWP_STATS_H

#include <stddef.h>

/* A difference as large as seen comes by chance in 1 of 20 at the most. */
#define SIGNIFICANT 0.05

/**
 * struct stats - what is known of a figure that was taken more than once
 * @n: how often
 * @mean: arithmetic mean
 * @median: median
 * @sd: standard deviation of the sample (n - 1)
 * @cv: @sd over the mean, without its sign
 * @min: the smallest
 * @max: the largest
 * @low: lower end of the 95% interval of the mean, by Student's t
 * @high: its upper end
 *
 * What needs more than there is (two figures; a mean that is not 0) is NaN.
 */
struct stats {
	size_t n;
	double mean;
	double median;
	double sd;
	double cv;
	double min;
	double max;
	double low;
	double high;
};

/**
 * stats_of - the statistics of some figures
 * @x: the figures
 * @n: how many, at least 1
 *
 * Return: the statistics.
 */
struct stats stats_of(const double *x, size_t n);

/**
 * stats_welch - Welch's t test: do two samples have the same mean?
 * @a: statistics of a sample
 * @b: of the other
 *
 * Return: the two-sided p; NaN if one has less than two figures. Samples
 * without any spread have 1 where they are equal and 0 where they are not.
 */
double stats_welch(const struct stats *a, const struct stats *b);

/**
 * stats_hedges - Hedges' g: a difference in standard deviations
 * @a: statistics of a sample
 * @b: of the sample that it is compared with
 *
 * The mean of @a less that of @b over their pooled standard deviation, with
 * the exact correction for small samples.
 *
 * Return: g; NaN if one has less than two figures, or if there is no spread.
 */
double stats_hedges(const struct stats *a, const struct stats *b);

#endif
