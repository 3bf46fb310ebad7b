// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmp.h"
#include "file.h"
#include "outcome.h"
#include "show.h"
#include "stats.h"

/* Runs that differ in one of these did not do the same work. */
static const char * const must_match[] = {
	"workload", "mode", "scale", "seed",
};

/* Traced figures have the tracer's cost in them. A run that was not has no key. */
#define TRACED_BY "traced_by"

/* These may be what is being compared. */
static const char * const may_differ[] = {
	"kernel", "source", "stack_hash", "config_hash", "compiler", "qemu",
	"fio", "xfsprogs", "busybox",
};

/**
 * struct comparison - two runs side by side
 * @a: the one
 * @b: the other
 * @exact: figures repeat, so that they are compared digit by digit; if not,
 *	   means of all repeats are
 * @ratios: figures of different hosts: only what they are to the baseline of
 *	    their own run can be compared
 * @verbose: also say what is the same
 * @differ: something was not the same
 */
struct comparison {
	struct outcome a;
	struct outcome b;
	bool exact;
	bool ratios;
	bool verbose;
	bool differ;
};

/* As it stands in the files, so that what differs is seen to differ. */
static char *as_text(const json_t *v)
{
	return v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT |
			      JSON_SORT_KEYS |
			      JSON_REAL_PRECISION(REAL_DIGITS))
		 : strdup("(none)");
}

static bool is_matched(const struct comparison *c, const char *key)
{
	const json_t *a = json_object_get(c->a.run, key);
	const json_t *b = json_object_get(c->b.run, key);
	char *ta, *tb;

	if (a ? json_equal(a, b) : !b && !strcmp(key, TRACED_BY))
		return true;
	ta = as_text(a);
	tb = as_text(b);
	warnx("not comparable: %s is %s and %s", key, ta, tb);
	free(ta);
	free(tb);
	return false;
}

static bool same_work(const struct comparison *c)
{
	bool ok = is_matched(c, TRACED_BY);
	size_t i;

	for (i = 0; i < sizeof(must_match) / sizeof(*must_match); i++)
		ok &= is_matched(c, must_match[i]);
	if (c->ratios && (!c->a.baseline || !c->a.baseline->valid ||
			  !c->b.baseline || !c->b.baseline->valid)) {
		warnx("not comparable: of real time on different hosts only ratios to the row " BASELINE " are, and it is missing or INVALID");
		ok = false;
	}
	return ok;
}

static void print_head(const struct comparison *c)
{
	size_t i;

	for (i = 0; i < sizeof(may_differ) / sizeof(*may_differ); i++) {
		json_t *a = json_object_get(c->a.run, may_differ[i]);
		json_t *b = json_object_get(c->b.run, may_differ[i]);
		char *ta, *tb;

		if (a == b || json_equal(a, b))
			continue;
		ta = as_text(a);
		tb = as_text(b);
		printf("%s differs: %s and %s\n", may_differ[i], ta, tb);
		free(ta);
		free(tb);
	}
	if (c->ratios)
		printf("real time on different hosts: every figure but ratios is divided by that of " BASELINE " in its own run\n");
}

static const char *direction(enum better better, double change)
{
	if (better == BETTER_NEITHER)
		return change > 0 ? "more" : "less";
	return (change > 0) == (better == BETTER_HIGHER) ? "better" : "worse";
}

static void print_change(const struct outcome_metric *m, double a, double b)
{
	char text[32];

	if (a == 0)
		snprintf(text, sizeof(text), "from 0");
	else
		show_gain(text, sizeof(text), (b - a) / fabs(a));
	printf(", %s, %s", text, direction(m->better, b - a));
}

/* 1 and 1.0 are, whoever wrote the file; two integers are compared as such. */
static bool is_same(json_t *a, json_t *b)
{
	if (json_is_number(a) && json_is_number(b) &&
	    json_is_real(a) != json_is_real(b))
		return json_number_value(a) == json_number_value(b);
	return json_equal(a, b);
}

/* Returns whether they are the same, to the last digit. */
static bool compare_exact(const char *row, const struct outcome_metric *m,
			  json_t *a, json_t *b)
{
	char *ta, *tb;

	if (is_same(a, b))
		return true;
	ta = as_text(a);
	tb = as_text(b);
	printf("%s.%s: %s and %s", row, m->name, ta, tb);
	free(ta);
	free(tb);
	if (json_is_number(a) && json_is_number(b))
		print_change(m, json_number_value(a), json_number_value(b));
	putchar('\n');
	return false;
}

static bool mean_of(const struct comparison *c, const struct outcome *o,
		    const struct outcome_row *row,
		    const struct outcome_metric *m, struct stats *s)
{
	const bool divide = c->ratios && strcmp(m->unit, "ratio");
	double *base, *x;
	size_t i, n;

	x = outcome_samples(row, m->name, &n);
	if (!x)
		return false;
	*s = stats_of(x, n);
	if (divide) {
		base = outcome_samples(o->baseline, m->name, &i);
		if (base) {
			const double mean = stats_of(base, i).mean;

			for (i = 0; i < n; i++)
				x[i] /= mean;
			*s = stats_of(x, n);
		}
		/* Of what the baseline has not, or none of, there is no ratio. */
		if (!base || !isfinite(s->mean)) {
			free(base);
			free(x);
			return false;
		}
		free(base);
	}
	free(x);
	return true;
}

enum result { SAME, DIFFERENT, NOTHING };

/* What only one has is different; NOTHING: there is no ratio in either. */
static enum result compare_means(const struct comparison *c,
			  const struct outcome_row *ra,
			  const struct outcome_row *rb,
			  const struct outcome_metric *m)
{
	const bool divided = c->ratios && strcmp(m->unit, "ratio");
	struct stats a, b;
	const bool have_a = mean_of(c, &c->a, ra, m, &a);
	const bool have_b = mean_of(c, &c->b, rb, m, &b);
	double p;

	if (!have_a && !have_b)
		return NOTHING;
	if (!have_a || !have_b) {
		printf("%s.%s: only in %s\n", ra->name, m->name,
		       have_a ? "A" : "B");
		return DIFFERENT;
	}
	if (a.mean == b.mean)
		return SAME;
	printf("%s.%s: %.6g and %.6g%s", ra->name, m->name, a.mean, b.mean,
	       divided ? " of " BASELINE : "");
	print_change(m, a.mean, b.mean);
	p = stats_welch(&a, &b);
	if (isnan(p))
		puts(", not tested: there is one figure");
	else
		printf(", Welch's p %.3g%s\n", p,
		       p < SIGNIFICANT ? " *" : "");
	return DIFFERENT;
}

static void say_invalid(const struct outcome_row *row, const char *side)
{
	char *why = outcome_invalid(row);

	printf("%s: INVALID in %s: %s\n", row->name, side, why);
	free(why);
}

/* The metrics of @a, then those that only @b has. */
static const struct outcome_metric *metric_at(const struct comparison *c,
					      size_t i)
{
	const struct outcome_metric *m;

	if (i < c->a.nr_metrics)
		return &c->a.metrics[i];
	m = &c->b.metrics[i - c->a.nr_metrics];
	return outcome_metric(&c->a, m->name) ? NULL : m;
}

static void compare_one_exact(struct comparison *c, const char *name,
			      json_t *json_a, json_t *json_b)
{
	const struct outcome_row a = { .json = json_a, .valid = true };
	const struct outcome_row b = { .json = json_b, .valid = true };
	size_t i, same = 0, all = 0;

	for (i = 0; i < c->a.nr_metrics + c->b.nr_metrics; i++) {
		const struct outcome_metric *m = metric_at(c, i);
		json_t *va = m ? outcome_figure(&a, m->name) : NULL;
		json_t *vb = m ? outcome_figure(&b, m->name) : NULL;

		if (va || vb) {
			all++;
			same += compare_exact(name, m, va, vb);
		}
	}
	c->differ |= same < all;
	if (c->verbose)
		printf("%s: %zu of %zu figures are the same to the last digit\n",
		       name, same, all);
}

static void compare_exactly(struct comparison *c, const struct outcome_row *a,
			    const struct outcome_row *b)
{
	const size_t nr_a = json_array_size(a->repeats);
	const size_t nr_b = json_array_size(b->repeats);
	char *name;
	size_t i;

	compare_one_exact(c, a->name, a->json, b->json);
	for (i = 0; i < nr_a && i < nr_b; i++) {
		if (asprintf(&name, "%s (repeat %zu)", a->name, i + 2) < 0)
			abort();
		compare_one_exact(c, name, json_array_get(a->repeats, i),
				  json_array_get(b->repeats, i));
		free(name);
	}
	if (nr_a != nr_b) {
		c->differ = true;
		printf("%s: run %zu times in A and %zu times in B\n", a->name,
		       nr_a + 1, nr_b + 1);
	}
}

static void compare_in_real_time(struct comparison *c,
				 const struct outcome_row *a,
				 const struct outcome_row *b)
{
	size_t nr[] = { [SAME] = 0, [DIFFERENT] = 0, [NOTHING] = 0 };
	size_t i;

	for (i = 0; i < c->a.nr_metrics + c->b.nr_metrics; i++) {
		const struct outcome_metric *m = metric_at(c, i);

		if (m)
			nr[compare_means(c, a, b, m)]++;
	}
	c->differ |= nr[DIFFERENT] > 0;
	if (c->verbose)
		printf("%s: %zu of %zu figures are the same\n", a->name,
		       nr[SAME], nr[SAME] + nr[DIFFERENT]);
}

static void compare_row(struct comparison *c, const struct outcome_row *a,
			const struct outcome_row *b)
{
	if (!a || !b) {
		printf("%s: only in %s\n", a ? a->name : b->name,
		       a ? "A" : "B");
		c->differ = true;
	} else if (!a->valid || !b->valid) {
		if (!a->valid)
			say_invalid(a, "A");
		if (!b->valid)
			say_invalid(b, "B");
		c->differ = true;
	} else if (c->exact) {
		compare_exactly(c, a, b);
	} else {
		compare_in_real_time(c, a, b);
	}
}

static void compare(struct comparison *c)
{
	size_t i;

	print_head(c);
	for (i = 0; i < c->a.nr_rows; i++)
		compare_row(c, &c->a.rows[i],
			    outcome_row(&c->b, c->a.rows[i].name));
	for (i = 0; i < c->b.nr_rows; i++)
		if (!outcome_row(&c->a, c->b.rows[i].name))
			compare_row(c, NULL, &c->b.rows[i]);
}

int cmp_runs(const char *path_a, const char *path_b, bool verbose)
{
	struct comparison c = { .verbose = verbose };
	struct why why;
	int ret = 2;

	if (outcome_load(&c.a, path_a, &why)) {
		warnx("%s: %s", path_a, why.text);
	} else if (outcome_load(&c.b, path_b, &why)) {
		warnx("%s: %s", path_b, why.text);
	} else {
		c.exact = !strcmp(outcome_string(c.a.run, "mode"), "virtual");
		c.ratios = !c.exact && strcmp(outcome_string(c.a.host, "cpu"),
					      outcome_string(c.b.host, "cpu"));
		if (same_work(&c)) {
			compare(&c);
			ret = c.differ;
		}
	}
	outcome_free(&c.a);
	outcome_free(&c.b);
	return ret;
}
