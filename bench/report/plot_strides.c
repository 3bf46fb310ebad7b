// SPDX-License-Identifier: GPL-2.0
/*
 * The same number of pages dirtied at growing strides: a folio that is charged
 * whole is charged for all the pages between two writes, up to its own size.
 */
#include <stdlib.h>

#include "plots.h"
#include "show.h"

static void write_row(FILE *out, size_t nr, const struct family *family,
		      const struct family *predicted,
		      const struct outcome_row *row)
{
	double value;
	size_t i;

	fprintf(out, "$row%zu << EOD\n", nr);
	for (i = 0; i < family->nr; i++) {
		const double bytes = family->members[i].bytes;

		fprintf(out, "%.0f", bytes / 1024);
		if (family_value(family, bytes, row, &value))
			fprintf(out, " %.9g", value);
		else
			fputs(" NaN", out);
		if (family_value(predicted, bytes, row, &value))
			fprintf(out, " %.9g", value);
		else
			fputs(" NaN", out);
		fputc('\n', out);
	}
	fputs("EOD\n", out);
}

static void write_axes(FILE *f, const struct family *family, bool predicted)
{
	size_t i;

	fputs("set title ", f);
	plot_string(f, family->name);
	if (predicted)
		fputs(".\"\\npoints: measured; lines: each folio that is touched, whole\"", f);
	fputs("\nset xlabel 'stride'\nset ylabel ", f);
	plot_string(f, family->members[0].metric->unit);
	fputs("\nset logscale xy 2\nset xtics (", f);
	for (i = 0; i < family->nr; i++)
		fprintf(f, "%s'%s' %.0f", i ? ", " : "",
			member_size(&family->members[i]),
			family->members[i].bytes / 1024);
	fputs(")\nset offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05\n",
	      f);
}

int plot_strides(struct plots *plots, const struct outcome *o,
		 const struct family *family, const struct family *predicted,
		 struct why *why)
{
	const struct outcome_metric *m = family->members[0].metric;
	const struct outcome_row **rows = calloc(o->nr_rows, sizeof(*rows));
	struct plot *p;
	size_t i, nr;
	char *name;

	if (!rows || asprintf(&name, "stride-%s", family->name) < 0)
		abort();
	nr = family_rows(o, family, rows);
	p = plot_begin(plots, 800, 520, name, "%s by stride; %s%s",
		       family->name, show_better(m->better), predicted ?
		       ": points are measured, lines are what it is if each folio that is touched is charged whole" : "");
	free(name);
	for (i = 0; i < nr; i++)
		write_row(p->f, i, family, predicted, rows[i]);
	write_axes(p->f, family, predicted);
	for (i = 0; i < nr; i++) {
		const size_t ls = i % PLOT_STYLES + 1;

		fputs(i ? ", \\\n " : "plot", p->f);
		if (predicted)
			fprintf(p->f, " $row%zu using 1:3 with lines ls %zu notitle,",
				i, ls);
		fprintf(p->f, " $row%zu using 1:2 with %s ls %zu title ", i,
			predicted ? "points" : "linespoints", ls);
		plot_string(p->f, rows[i]->title);
	}
	fputc('\n', p->f);
	free(rows);
	return plot_end(plots, p, why);
}
