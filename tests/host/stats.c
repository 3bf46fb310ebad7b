// SPDX-License-Identifier: GPL-2.0
/*
 * bench/report/stats.c against values that others published or that can be
 * worked out by hand. Prints `ok NAME` or `not ok NAME: why` a test.
 */
#include <math.h>
#include <stdio.h>

#include "stats.h"

#define N(x) (sizeof(x) / sizeof(*(x)))

static int failed;

static void is(const char *name, double got, double want, double within)
{
	if (fabs(got - want) <= within) {
		printf("ok %s\n", name);
		return;
	}
	printf("not ok %s: %.15g, not %.15g\n", name, got, want);
	failed = 1;
}

static void is_nan(const char *name, double got)
{
	if (isnan(got)) {
		printf("ok %s\n", name);
		return;
	}
	printf("not ok %s: %.15g, not NaN\n", name, got);
	failed = 1;
}

/* NIST StRD, univariate: certified means and standard deviations. */
static void nist(void)
{
	static const double acc1[] = { 10000001, 10000003, 10000002 };
	double acc4[1001];
	struct stats s = stats_of(acc1, N(acc1));
	size_t i;

	is("NIST NumAcc1 mean", s.mean, 10000002, 0);
	is("NIST NumAcc1 deviation", s.sd, 1, 0);
	/* 10000000.2, then 10000000.1 and 10000000.3 five hundred times. */
	acc4[0] = 10000000.2;
	for (i = 1; i < N(acc4); i++)
		acc4[i] = i % 2 ? 10000000.1 : 10000000.3;
	s = stats_of(acc4, N(acc4));
	is("NIST NumAcc4 mean", s.mean, 10000000.2, 1e-8);
	is("NIST NumAcc4 deviation", s.sd, 0.1, 1e-8);
}

/*
 * Student's own data of 1908, sleep gained by two drugs. R's help of t.test()
 * has it: t.test(extra ~ group, data = sleep) gives p = 0.07939, means 0.75
 * and 2.33.
 */
static void student(void)
{
	static const double one[] = {
		0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0,
	};
	static const double two[] = {
		1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4,
	};
	struct stats a = stats_of(one, N(one)), b = stats_of(two, N(two));

	is("sleep mean 1", a.mean, 0.75, 1e-12);
	is("sleep mean 2", b.mean, 2.33, 1e-12);
	is("sleep Welch's p", stats_welch(&a, &b), 0.07939, 5e-6);
	is("sleep p, the other way round", stats_welch(&b, &a), 0.07939, 5e-6);
}

/* Three samples of unequal variance and size: Welch's t test in Wikipedia. */
static void welch(void)
{
	static const double a1[] = {
		17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8,
	};
	static const double a2[] = {
		21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
		20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8,
	};
	struct stats a = stats_of(a1, N(a1)), b = stats_of(a2, N(a2));

	is("Welch's p, unequal variances", stats_welch(&a, &b), 0.149, 5e-4);
}

/*
 * By hand. 1 2 3: mean 2, deviation 1; t(0.975; 2) = 4.302652730, and half the
 * interval is that / sqrt(3). 3 4 5 against it: 2 deviations, times the
 * correction gamma(2) / (sqrt(2) gamma(1.5)) = 0.7978845608.
 */
static void by_hand(void)
{
	static const double x[] = { 3, 1, 2 }, y[] = { 3, 4, 5 };
	static const double even[] = { 4, 1, 3, 2 }, below[] = { -2, -4 };
	static const double same[] = { 0.1, 0.1, 0.1 }, other[] = { 7, 7 };
	static const double zero[] = { -1, 1 }, huge[] = { 1e300, -1e300 };
	struct stats a = stats_of(x, 3), b = stats_of(y, 3);
	struct stats c = stats_of(same, 3), d = stats_of(other, 2);
	struct stats one = stats_of(x, 1), h = stats_of(huge, 2);

	is("mean", a.mean, 2, 0);
	is("deviation", a.sd, 1, 0);
	is("CV", a.cv, 0.5, 0);
	is("min", a.min, 1, 0);
	is("max", a.max, 3, 0);
	is("median of three", a.median, 2, 0);
	is("median of four", stats_of(even, 4).median, 2.5, 0);
	is("interval, low", a.low, 2 - 2.484137711, 1e-9);
	is("interval, high", a.high, 2 + 2.484137711, 1e-9);
	is("Hedges' g", stats_hedges(&b, &a), 1.5957691216, 1e-9);
	is("Hedges' g, the other way round", stats_hedges(&a, &b),
	   -1.5957691216, 1e-9);
	is("CV of a negative mean", stats_of(below, 2).cv, sqrt(2) / 3, 1e-15);
	is_nan("CV of a mean of 0", stats_of(zero, 2).cv);
	is("deviation of equal figures", c.sd, 0, 0);
	is("mean of equal figures", c.mean, 0.1, 0);
	is("p, equal without spread", stats_welch(&c, &c), 1, 0);
	is("p, unequal without spread", stats_welch(&c, &d), 0, 0);
	is_nan("g without spread", stats_hedges(&c, &d));
	is("one figure: mean", one.mean, 3, 0);
	is_nan("one figure: deviation", one.sd);
	is_nan("one figure: interval", one.high);
	is_nan("one figure: p", stats_welch(&one, &a));
	is_nan("one figure: g", stats_hedges(&a, &one));
	is_nan("figures beyond what can be squared: p", stats_welch(&h, &a));
	is_nan("figures beyond what can be squared: g", stats_hedges(&h, &a));
}

int main(void)
{
	nist();
	student();
	welch();
	by_hand();
	return failed;
}
