// SPDX-License-Identifier: GPL-2.0
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

static double median_of(const double *x, size_t n)
{
	double *sorted = malloc(n * sizeof(*sorted));
	double median;

	if (!sorted)
		abort();
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	free(sorted);
	return median;
}

struct stats stats_of(const double *x, size_t n)
{
	struct stats s = {
		.n = n,
		.mean = gsl_stats_mean(x, 1, n),
		.median = median_of(x, n),
		.sd = NAN, .cv = NAN, .low = NAN, .high = NAN,
	};
	double half;

	gsl_stats_minmax(&s.min, &s.max, x, 1, n);
	if (n < 2)
		return s;
	s.sd = gsl_stats_sd_m(x, 1, n, s.mean);
	/* The mean of equal figures can be off by a bit, and so have a spread. */
	if (s.min == s.max) {
		s.mean = s.min;
		s.sd = 0;
	}
	if (s.mean != 0)
		s.cv = s.sd / fabs(s.mean);
	half = gsl_cdf_tdist_Pinv(0.975, n - 1) * s.sd / sqrt(n);
	s.low = s.mean - half;
	s.high = s.mean + half;
	return s;
}

double stats_welch(const struct stats *a, const struct stats *b)
{
	double va, vb, t, df;

	if (a->n < 2 || b->n < 2)
		return NAN;
	va = a->sd * a->sd / a->n;
	vb = b->sd * b->sd / b->n;
	if (va + vb == 0)
		return a->mean == b->mean ? 1 : 0;
	t = (a->mean - b->mean) / sqrt(va + vb);
	df = (va + vb) * (va + vb) /
	     (va * va / (a->n - 1) + vb * vb / (b->n - 1));
	/* Figures so large that their squares are no numbers. */
	if (!isfinite(t) || !isfinite(df))
		return NAN;
	return 2 * gsl_cdf_tdist_Q(fabs(t), df);
}

double stats_hedges(const struct stats *a, const struct stats *b)
{
	double df, pooled, correction;

	if (a->n < 2 || b->n < 2)
		return NAN;
	df = a->n + b->n - 2;
	pooled = sqrt(((a->n - 1) * a->sd * a->sd +
		       (b->n - 1) * b->sd * b->sd) / df);
	if (pooled == 0 || !isfinite(pooled))
		return NAN;
	correction = exp(gsl_sf_lngamma(df / 2) -
			 gsl_sf_lngamma((df - 1) / 2)) / sqrt(df / 2);
	return correction * (a->mean - b->mean) / pooled;
}
