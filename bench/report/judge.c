// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static double gain_of(double x, double base, enum better better)
{
	const double more = better == BETTER_LOWER ? base - x : x - base;

	if (more == 0)
		return 0;
	return more / fabs(base);
}

static void against(struct judged *j, const struct judged *base,
		    enum better better)
{
	j->compared = true;
	j->gain = gain_of(j->stats.mean, base->stats.mean, better);
	j->p = stats_welch(&j->stats, &base->stats);
	j->g = stats_hedges(&j->stats, &base->stats);
	if (better == BETTER_NEITHER || j->gain >= 0)
		return;
	/* Where nothing has a spread there is nothing to test, either. */
	if (isnan(j->p) || (j->stats.sd == 0 && base->stats.sd == 0))
		j->loss = j->gain < -CHAOS;
	else
		j->loss = j->p < SIGNIFICANT;
}

static bool may_win(const struct outcome_row *row)
{
	return strcmp(row->name, "control") &&
	       strcmp(outcome_string(row->json, "policy"), "unpatched");
}

static void mark_best(const struct outcome *o, enum better better,
		      struct judged *out)
{
	double best = better == BETTER_HIGHER ? -INFINITY : INFINITY;
	double worst = -best;
	size_t i;

	if (better == BETTER_NEITHER)
		return;
	for (i = 0; i < o->nr_rows; i++) {
		if (!out[i].known || !may_win(&o->rows[i]))
			continue;
		if (better == BETTER_HIGHER) {
			best = fmax(best, out[i].stats.mean);
			worst = fmin(worst, out[i].stats.mean);
		} else {
			best = fmin(best, out[i].stats.mean);
			worst = fmax(worst, out[i].stats.mean);
		}
	}
	for (i = 0; i < o->nr_rows; i++)
		out[i].best = out[i].known && may_win(&o->rows[i]) &&
			      best != worst && out[i].stats.mean == best;
}

bool judge(const struct outcome *o, const struct outcome_metric *m,
	   struct judged *out)
{
	const struct judged *base = NULL;
	bool any = false;
	size_t i, n;

	for (i = 0; i < o->nr_rows; i++) {
		double *x = outcome_samples(&o->rows[i], m->name, &n);

		out[i] = (struct judged){ .known = x, .p = NAN, .g = NAN };
		if (!x)
			continue;
		any = true;
		out[i].stats = stats_of(x, n);
		free(x);
		if (&o->rows[i] == o->baseline)
			base = &out[i];
	}
	for (i = 0; base && i < o->nr_rows; i++)
		if (out[i].known && &out[i] != base)
			against(&out[i], base, m->better);
	mark_best(o, m->better, out);
	return any;
}

bool judged_zero(const struct outcome *o, const struct judged *judged)
{
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (judged[i].known &&
		    (judged[i].stats.min != 0 || judged[i].stats.max != 0))
			return false;
	return true;
}

char *judged_zeroes(const struct outcome *o)
{
	struct judged *judged = calloc(o->nr_rows, sizeof(*judged));
	char *names = NULL;
	size_t i, len;
	FILE *f = open_memstream(&names, &len);

	if (!judged || !f)
		abort();
	for (i = 0; i < o->nr_metrics; i++)
		if (judge(o, &o->metrics[i], judged) && judged_zero(o, judged))
			fprintf(f, "%s%s", ftell(f) > 0 ? ", " : "",
				o->metrics[i].name);
	fclose(f);
	free(judged);
	return names;
}
