// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "csv.h"
#include "file.h"
#include "mail.h"
#include "outcome.h"
#include "page.h"
#include "plots.h"
#include "report.h"

/* A file in the making: nothing is written before all of it is there. */
struct text {
	FILE *f;
	char *buf;
	size_t len;
};

static FILE *text_begin(struct text *t)
{
	t->f = open_memstream(&t->buf, &t->len);
	if (!t->f)
		abort();
	return t->f;
}

/* Writes it unless @ret says that it could not be made. */
static int text_end(struct text *t, int ret, int dir, const char *name,
		    struct why *why)
{
	fclose(t->f);
	if (!ret)
		ret = file_write(dir, name, t->buf, t->len, why);
	free(t->buf);
	return ret;
}

static int write_text(int dir, const char *name, const struct outcome *o,
		      void (*print)(FILE *out, const struct outcome *o),
		      struct why *why)
{
	struct text t;

	print(text_begin(&t), o);
	return text_end(&t, 0, dir, name, why);
}

static int write_page(int dir, const struct outcome *o,
		      const struct plots *plots, struct why *why)
{
	struct text t;
	int ret = page_print(text_begin(&t), o, plots, why);

	return text_end(&t, ret, dir, "index.html", why);
}

static int write_all(int out, const struct outcome *o, int run,
		     struct why *why)
{
	struct plots plots = { .dir = out };
	int ret;

	ret = write_text(out, "mail.txt", o, mail_print, why) ||
	      write_text(out, "figures.csv", o, csv_print, why) ||
	      plot_families(&plots, o, why) ||
	      plot_latency(&plots, o, run, why) ||
	      plot_dirty(&plots, o, run, why) ||
	      write_page(out, o, &plots, why);
	plots_free(&plots);
	return ret;
}

int report_make(const char *run_path, const char *out_path)
{
	struct outcome o;
	struct why why;
	int run = -1, out = -1;
	int ret = 2;
	size_t i;

	if (outcome_load(&o, run_path, &why) ||
	    (run = dir_open(AT_FDCWD, run_path, &why)) < 0 ||
	    (out = dir_open(AT_FDCWD, out_path, &why)) < 0 ||
	    write_all(out, &o, run, &why)) {
		warnx("%s: %s", run_path, why.text);
	} else {
		ret = 0;
		for (i = 0; i < o.nr_rows; i++)
			ret |= !o.rows[i].valid;
	}
	if (run >= 0)
		close(run);
	if (out >= 0)
		close(out);
	outcome_free(&o);
	return ret;
}
