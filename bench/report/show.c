// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

static const struct {
	const char *unit;
	double from;
	struct show_unit as;
} units[] = {
	{ "ns", 1e11, { "s", 1e9 } },
	{ "ns", 1e6, { "ms", 1e6 } },
	{ "ns", 1e4, { "us", 1e3 } },
	{ "ms", 1e4, { "s", 1e3 } },
	{ "bytes", 0x1p30 * 10, { "GiB", 0x1p30 } },
	{ "bytes", 0x1p20 * 10, { "MiB", 0x1p20 } },
	{ "bytes", 0x1p10, { "KiB", 0x1p10 } },
};

struct show_unit show_unit(const char *unit, double largest)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].unit) && largest >= units[i].from)
			return units[i].as;
	return (struct show_unit){ unit, 1 };
}

const char *show_number(char *buf, size_t size, double d)
{
	int decimals = 4;
	double rest;

	if (isnan(d))
		snprintf(buf, size, "-");
	else if (fabs(d) >= 1e8 || (d != 0 && fabs(d) < 1e-4))
		snprintf(buf, size, "%.2e", d);
	else if (d == rint(d))
		snprintf(buf, size, "%.0f", d);
	else {
		for (rest = fabs(d); rest >= 10 && decimals > 0; rest /= 10)
			decimals--;
		snprintf(buf, size, "%.*f", decimals, d);
	}
	return buf;
}

const char *show_gain(char *buf, size_t size, double gain)
{
	int decimals = 2;
	int len;

	if (isinf(gain))
		snprintf(buf, size, "from 0");
	else if (fabs(gain) >= 1e4)
		snprintf(buf, size, "%+.0e%%", gain * 100);
	else
		do {
			len = snprintf(buf, size, "%+.*f%%", decimals,
				       gain * 100);
		} while (len > SHOW_GAIN && decimals-- > 0);
	return buf;
}

void show_judged(struct show_judged *show, const struct judged *j,
		 double scale)
{
	*show = (struct show_judged){
		.number = "-",
		.marks = j->loss ? "**" : j->best ? "[]" : "()",
	};
	if (j->known)
		show_number(show->number, sizeof(show->number),
			    j->stats.mean / scale);
	if (j->compared)
		show_gain(show->gain, sizeof(show->gain), j->gain);
}

const char *show_better(enum better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return "higher is better";
	case BETTER_LOWER:
		return "lower is better";
	default:
		return "neither is better";
	}
}
