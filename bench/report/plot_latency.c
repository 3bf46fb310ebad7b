// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "latlog.h"
#include "plots.h"

/* One step is a tenth of a power of ten of the share that is slower. */
#define STEPS_PER_DECADE 10

/* The axis is -log10 of the share of writes that are slower. */
static void write_curve(FILE *f, size_t nr, const struct latencies *all)
{
	const double end = log10(all->nr);
	int step;

	fprintf(f, "$row%zu << EOD\n", nr);
	for (step = 0; step < end * STEPS_PER_DECADE; step++) {
		const double x = (double)step / STEPS_PER_DECADE;
		const double share = 1 - pow(10, -x);

		fprintf(f, "%.2f %.9f\n", x, latlog_rank(all, share) / 1e6);
	}
	fprintf(f, "%.4f %.9f\nEOD\n", end, all->ns[all->nr - 1] / 1e6);
}

/* gnuplot makes room for labels beyond the range, so there are none. */
static void write_axis(FILE *f, size_t longest)
{
	int decade;

	fprintf(f, "set xrange [0:%.4f]\n", log10(longest));
	fputs("set xtics ('0' 0, '50' 0.30103, '90' 1", f);
	for (decade = 2; decade <= log10(longest); decade++)
		fprintf(f, ", '%.*f' %d", decade - 2,
			100 - pow(10, 2 - decade), decade);
	fputs(")\n", f);
}

static int read_row(int run_dir, const struct outcome_row *row,
		    struct latencies *all, struct why *why)
{
	int dir = plots_row_dir(run_dir, row, why);
	int ret;

	*all = (struct latencies){ };
	if (dir < 0)
		return -1;
	ret = latlog_all(dir, all, why);
	close(dir);
	if (!ret && !all->nr)
		ret = fail(why, "fio's latency log is empty");
	return ret;
}

int plot_latency(struct plots *plots, const struct outcome *o, int run_dir,
		 struct why *why)
{
	struct plot *p = NULL;
	size_t i, nr = 0, longest = 10;
	const struct outcome_row **have = calloc(o->nr_rows, sizeof(*have));

	if (!have)
		abort();
	for (i = 0; i < o->nr_rows; i++) {
		struct latencies all;

		if (!o->rows[i].valid || !plots_reads(o, "fio"))
			continue;
		if (read_row(run_dir, &o->rows[i], &all, why)) {
			warnx("no latencies of %s: %s", o->rows[i].name,
			      why->text);
		} else {
			if (!p)
				p = plot_begin(plots, 800, 520, "latency",
					       "Latency of every write of each row, by percentile: how long the slowest of so many writes took; from fio's raw log");
			write_curve(p->f, nr, &all);
			if (all.nr > longest)
				longest = all.nr;
			have[nr++] = &o->rows[i];
		}
		free(all.ns);
	}
	if (p) {
		fputs("set title 'Write latency by percentile'\n"
		      "set xlabel 'percentile of the writes'\nset ylabel 'latency, ms'\n"
		      "set logscale y\n", p->f);
		write_axis(p->f, longest);
		for (i = 0; i < nr; i++) {
			fprintf(p->f, "%s $row%zu with linespoints ls %zu pi 5 title ",
				i ? ", \\\n " : "plot", i,
				i % PLOT_STYLES + 1);
			plot_string(p->f, have[i]->title);
		}
		fputc('\n', p->f);
	}
	free(have);
	return p ? plot_end(plots, p, why) : 0;
}
