/* SPDX-License-Identifier: GPL-2.0 */
/* Figures as text, for the mail, the page and the plots alike. */
#ifndef FWP_SHOW_H
#define FWP_SHOW_H

#include <stddef.h>

#include "judge.h"
#include "outcome.h"

#define SHOW_NUMBER 9		/* the longest that show_number() writes */
#define SHOW_GAIN 8		/* and show_gain() */

/**
 * struct show_unit - what figures are shown in
 * @name: the unit
 * @scale: what the figure is divided by
 */
struct show_unit {
	const char *name;
	double scale;
};

/**
 * show_unit - a unit in which figures have few digits
 * @unit: the figures' own unit
 * @largest: the largest of them
 *
 * Return: the unit.
 */
struct show_unit show_unit(const char *unit, double largest);

/**
 * show_number - write five digits, four decimals at the most
 * @buf: where to
 * @size: its size
 * @d: the number; NaN is a dash
 *
 * Return: @buf.
 */
const char *show_number(char *buf, size_t size, double d);

/**
 * show_gain - write a share as percents with a sign
 * @buf: where to
 * @size: its size
 * @gain: the share
 *
 * Return: @buf.
 */
const char *show_gain(char *buf, size_t size, double gain);

/**
 * struct show_judged - a judged figure as text
 * @number: the figure
 * @gain: against the baseline; "" if it was not compared
 * @marks: the two characters around @gain: ** a loss, [] the best, () neither
 */
struct show_judged {
	char number[32];
	char gain[32];
	const char *marks;
};

/**
 * show_judged - write a judged figure
 * @show: where to
 * @j: the figure; one that is not known is a dash
 * @scale: what it is divided by
 */
void show_judged(struct show_judged *show, const struct judged *j,
		 double scale);

/**
 * show_better - the direction as words
 * @better: the direction
 *
 * Return: "higher is better", "lower is better" or "neither is better".
 */
const char *show_better(enum better better);

#endif
