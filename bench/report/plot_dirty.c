// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "plots.h"
#include "sampler.h"

#define PAGES_PER_MIB (1048576 / PAGE_BYTES)

bool plots_reads(const struct outcome *o, const char *reader)
{
	json_t *name;
	size_t i;

	json_array_foreach(json_object_get(o->result, "readers"), i, name)
		if (json_is_string(name) &&
		    !strcmp(json_string_value(name), reader))
			return true;
	return false;
}

int plots_row_dir(int run_dir, const struct outcome_row *row, struct why *why)
{
	char *path;
	int dir;

	if (asprintf(&path, "rows/%s/results", row->name) < 0)
		abort();
	dir = dir_open(run_dir, path, why);
	free(path);
	return dir;
}

/* The pictures of all rows have one scale, so that they can be compared. */
struct extent {
	json_int_t pages;
	json_int_t ns;
	json_int_t first_ns;
};

static json_int_t larger(json_int_t a, json_int_t b)
{
	return a > b ? a : b;
}

static void extend(const struct sample *s, void *arg)
{
	struct extent *e = arg;

	if (!e->first_ns)
		e->first_ns = s->t_ns;
	e->ns = larger(e->ns, s->t_ns - e->first_ns);
	e->pages = larger(e->pages, s->hard_limit);
	if (s->nr_dirty < INT64_MAX - s->nr_writeback)
		e->pages = larger(e->pages, s->nr_dirty + s->nr_writeback);
}

struct writer {
	FILE *f;
	json_int_t first_ns;
};

static void write_sample(const struct sample *s, void *arg)
{
	struct writer *w = arg;

	if (!w->first_ns)
		w->first_ns = s->t_ns;
	fprintf(w->f, "%.3f %.3f %.3f %.3f %.3f\n",
		(s->t_ns - w->first_ns) / 1e9,
		(double)s->nr_dirty / PAGES_PER_MIB,
		((double)s->nr_dirty + s->nr_writeback) / PAGES_PER_MIB,
		(double)s->background_limit / PAGES_PER_MIB,
		(double)s->hard_limit / PAGES_PER_MIB);
}

static int plot_row(struct plots *plots, const struct outcome_row *row,
		    int dir, const struct extent *extent, struct why *why)
{
	struct writer w = { };
	struct plot *p;
	char *name;
	int ret;

	if (asprintf(&name, "dirty-%s", row->name) < 0)
		abort();
	p = plot_begin(plots, 640, 340, name,
		       "%s (%s): memory that the kernel counts as dirty, against its limits; from sample.csv",
		       row->title, row->name);
	free(name);
	w.f = p->f;
	fputs("$data << EOD\n", p->f);
	ret = sampler_each(dir, write_sample, &w, why);
	fputs("EOD\nset title ", p->f);
	plot_string(p->f, row->title);
	fprintf(p->f, "\nset xlabel 'time since the writes began, s'\nset ylabel 'MiB'\n"
		"set xrange [0:%.0f]\nset yrange [0:%.0f]\n",
		extent->ns / 1e9, 1.08 * extent->pages / PAGES_PER_MIB + 1);
	fputs("plot $data using 1:5 with lines lc rgb '#000000' lw 2 dt 2 title 'hard limit', \\\n"
	      "  $data using 1:4 with lines lc rgb '#666666' lw 2 dt 4 title 'background limit', \\\n"
	      "  $data using 1:3 with lines lc rgb '#e69f00' lw 1 title 'dirty or under writeback', \\\n"
	      "  $data using 1:2 with lines lc rgb '#0072b2' lw 2.5 title 'dirty'\n",
	      p->f);
	return ret ? ret : plot_end(plots, p, why);
}

int plot_dirty(struct plots *plots, const struct outcome *o, int run_dir,
	       struct why *why)
{
	struct extent extent = { };
	int ret = 0;
	size_t i;
	/* Whether a row has samples, found out first. */
	int *dirs = calloc(o->nr_rows, sizeof(*dirs));

	if (!dirs)
		abort();
	for (i = 0; i < o->nr_rows; i++) {
		const struct outcome_row *row = &o->rows[i];

		dirs[i] = -1;
		if (!row->valid || !plots_reads(o, "sampler"))
			continue;
		dirs[i] = plots_row_dir(run_dir, row, why);
		extent.first_ns = 0;
		if (dirs[i] < 0 || sampler_each(dirs[i], extend, &extent, why)) {
			warnx("no plot of dirty memory for %s: %s", row->name,
			      why->text);
			if (dirs[i] >= 0)
				close(dirs[i]);
			dirs[i] = -1;
		}
	}
	for (i = 0; i < o->nr_rows; i++) {
		if (dirs[i] < 0)
			continue;
		if (!ret)
			ret = plot_row(plots, &o->rows[i], dirs[i], &extent,
				       why);
		close(dirs[i]);
	}
	free(dirs);
	return ret;
}
