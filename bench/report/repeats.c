// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "repeats.h"
#include "show.h"
#include "wrap.h"

#define NAME_WIDTH 14

bool repeats_any(const struct outcome *o)
{
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (json_array_size(o->rows[i].repeats))
			return true;
	return false;
}

bool repeats_spread(const struct outcome *o, const struct judged *judged)
{
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (judged[i].known && judged[i].stats.sd > 0)
			return true;
	return false;
}

static void print_row(FILE *out, const struct outcome_row *row,
		      const struct judged *j, double scale)
{
	const struct stats *s = &j->stats;
	char mean[32], cv[32], min[32], max[32], half[32], g[32];

	fprintf(out, "  %-*.*s %2zu%10s%9s%10s%10s%10s%10s", NAME_WIDTH - 2,
		NAME_WIDTH - 2, row->name, s->n,
		show_number(mean, sizeof(mean), s->mean / scale),
		show_number(cv, sizeof(cv), s->cv * 100),
		show_number(min, sizeof(min), s->min / scale),
		show_number(max, sizeof(max), s->max / scale),
		show_number(half, sizeof(half), (s->high - s->mean) / scale),
		show_number(g, sizeof(g), j->g));
	if (!isnan(j->p))
		fprintf(out, "%s", j->p < SIGNIFICANT ? " s" : "");
	fputc('\n', out);
}

static void print_metric(FILE *out, const struct outcome *o,
			 const struct outcome_metric *m,
			 const struct judged *judged)
{
	struct show_unit unit = { m->unit, 1 };
	double largest = 0;
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (judged[i].known)
			largest = fmax(largest, fabs(judged[i].stats.max));
	unit = show_unit(m->unit, largest);
	fprintf(out, "%s, %s; %s\n", m->name, unit.name,
		show_better(m->better));
	for (i = 0; i < o->nr_rows; i++)
		if (judged[i].known)
			print_row(out, &o->rows[i], &judged[i], unit.scale);
}

void repeats_print(FILE *out, const struct outcome *o)
{
	struct judged *judged;
	char *same = NULL;
	bool head = false;
	size_t i, len;
	FILE *f;

	if (!repeats_any(o))
		return;
	judged = calloc(o->nr_rows, sizeof(*judged));
	f = open_memstream(&same, &len);
	if (!judged || !f)
		abort();
	for (i = 0; i < o->nr_metrics; i++) {
		const struct outcome_metric *m = &o->metrics[i];

		if (!judge(o, m, judged))
			continue;
		if (!repeats_spread(o, judged)) {
			fprintf(f, "%s%s", ftell(f) > 0 ? ", " : "", m->name);
			continue;
		}
		if (!head)
			fprintf(out, "%-*s  n%10s%9s%10s%10s%10s%10s\n",
				NAME_WIDTH, "", "mean", "CV %", "min", "max",
				"+- 95%", "g");
		head = true;
		print_metric(out, o, m, judged);
	}
	fclose(f);
	if (*same)
		wrap(out, "The same in all repeats:", 25, same);
	fputc('\n', out);
	free(same);
	free(judged);
}
