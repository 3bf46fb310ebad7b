// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "footer.h"
#include "notes.h"
#include "repeats.h"
#include "wrap.h"

/* Where the reasons begin, after the names of rows. */
#define INDENT 24

static const char no_baseline[] =
	"There is no valid row " BASELINE ", so that nothing is compared. [..] is the best; control and unpatched are no cures and do not win.";

static const char once[] =
	"Percents are against " BASELINE ": + is better, - is worse; where neither is better, + is more. [..] is the best; control and unpatched are no cures and do not win. *..* is worse by more than 1%: each row was run once, so that nothing can be tested, and a change of anything in a guest moves a throttled row by about 1%.";

static const char repeated[] =
	"Figures are means over the repeats. Percents are against " BASELINE ": + is better, - is worse; where neither is better, + is more. [..] is the best; control and unpatched are no cures and do not win. *..* is worse by Welch's t test, two-sided p < 0.05, one test a figure; where nothing has a spread, by more than 1%.";

static const char legend[] =
	"CV: standard deviation / mean. +- 95%: half the width of the mean's 95% interval, by Student's t. g: Hedges' g against " BASELINE ", the difference of the means in pooled standard deviations, corrected for small samples. s: significant, Welch's t test against " BASELINE ", two-sided p < 0.05, one test a figure.";

const char *notes_marks(const struct outcome *o)
{
	if (!o->baseline || !o->baseline->valid)
		return no_baseline;
	return repeats_any(o) ? repeated : once;
}

const char *notes_repeats(void)
{
	return legend;
}

void notes_invalid(FILE *out, const struct outcome *o)
{
	bool any = false;
	size_t i;

	for (i = 0; i < o->nr_rows; i++) {
		char *why, *text;

		if (o->rows[i].valid)
			continue;
		any = true;
		why = outcome_invalid(&o->rows[i]);
		if (asprintf(&text, "INVALID: %s", why) < 0)
			abort();
		wrap(out, o->rows[i].name, INDENT, text);
		free(text);
		free(why);
	}
	if (any)
		fputc('\n', out);
}

void notes_print(FILE *out, const struct outcome *o)
{
	wrap(out, "", 0, notes_marks(o));
	if (repeats_any(o))
		wrap(out, "", 0, legend);
	wrap(out, "", 0, footer_times(o->run));
}
