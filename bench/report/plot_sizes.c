// SPDX-License-Identifier: GPL-2.0
/* The surface: what each row makes of each size of write. */
#include <math.h>
#include <stdlib.h>

#include "plots.h"
#include "show.h"

/*
 * The numbers stand in the cells; the shade, on a logarithmic scale as ratios
 * are, only helps the eye, and is pale so that they can be read.
 */
static void write_cells(FILE *f, const struct family *family,
			const struct family *predicted,
			const struct outcome_row **rows, size_t nr)
{
	double value, shade, whole, low = INFINITY, high = -INFINITY;
	char text[32];
	size_t i, j;

	fputs("$cells << EOD\n", f);
	for (i = 0; i < nr; i++)
		for (j = 0; j < family->nr; j++) {
			const double bytes = family->members[j].bytes;

			if (!family_value(family, bytes, rows[i], &value))
				continue;
			shade = log2(fmax(fabs(value), 1e-3));
			low = fmin(low, shade);
			high = fmax(high, shade);
			fprintf(f, "%zu %zu %.6f %s", j, nr - 1 - i, shade,
				show_number(text, sizeof(text), value));
			if (family_value(predicted, bytes, rows[i], &whole))
				fprintf(f, " (%s)",
					show_number(text, sizeof(text), whole));
			fputc('\n', f);
		}
	/* The full range of shades is for a factor of two or more. */
	fprintf(f, "EOD\nset cbrange [%.6f:%.6f]\n", low,
		fmax(high, low + 1));
}

static void write_axes(FILE *f, const struct family *family, bool predicted,
		       const struct outcome_row **rows, size_t nr)
{
	size_t i;

	fputs("set title ", f);
	plot_string(f, family->name);
	fputs(" .', '.", f);
	plot_string(f, family->members[0].metric->unit);
	if (predicted)
		fputs(".\"\\n(in brackets: each folio that is touched, whole)\"", f);
	fprintf(f, "\nset xlabel 'size of a write'\nunset key\nunset grid\nunset colorbox\n"
		"set palette defined (0 '#ffffff', 1 '#f4b183')\n"
		"set xrange [-0.5:%zu.5]\nset yrange [-0.5:%zu.5]\nset xtics (",
		family->nr - 1, nr - 1);
	for (i = 0; i < family->nr; i++)
		fprintf(f, "%s'%s' %zu", i ? ", " : "",
			member_size(&family->members[i]), i);
	fputs(") scale 0\nset ytics (", f);
	for (i = 0; i < nr; i++) {
		fputs(i ? ", " : "", f);
		plot_string(f, rows[i]->title);
		fprintf(f, " %zu", nr - 1 - i);
	}
	fputs(") scale 0\n", f);
}

int plot_sizes(struct plots *plots, const struct outcome *o,
	       const struct family *family, const struct family *predicted,
	       struct why *why)
{
	const struct outcome_metric *m = family->members[0].metric;
	const struct outcome_row **rows = calloc(o->nr_rows, sizeof(*rows));
	struct plot *p;
	char *name;
	size_t nr;

	if (!rows || asprintf(&name, "size-%s", family->name) < 0)
		abort();
	nr = family_rows(o, family, rows);
	p = plot_begin(plots, 240 + 100 * family->nr, 150 + 44 * nr, name,
		       "%s of each row by size of a write, in %s; %s%s",
		       family->name, m->unit, show_better(m->better),
		       predicted ? "; below it in brackets what it is if each folio that is touched is charged whole" : "");
	free(name);
	write_cells(p->f, family, predicted, rows, nr);
	write_axes(p->f, family, predicted, rows, nr);
	fputs("plot $cells using 1:2:3 with image pixels, $cells using 1:2:4 with labels tc rgb '#000000'",
	      p->f);
	if (predicted)
		fputs(" offset 0,0.5, $cells using 1:2:5 with labels offset 0,-0.5 tc rgb '#333333'",
		      p->f);
	fputc('\n', p->f);
	free(rows);
	return plot_end(plots, p, why);
}
