// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "footer.h"
#include "html.h"
#include "judge.h"
#include "notes.h"
#include "page.h"
#include "repeats.h"
#include "show.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n";

/* Colours only repeat what brackets, stars and weight already say. */
static const char style[] =
	"<style>\n"
	":root{--bg:#fff;--fg:#1b1b1b;--dim:#5a5a5a;--line:#d0d0d0;--head:#f3f3f3;--best:#e3f1e3;--loss:#fbe3dc}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#181a1b;--fg:#e8e6e3;--dim:#a8a29a;--line:#3e4446;--head:#232627;--best:#1f3a24;--loss:#4a2620}}\n"
	"body{margin:0 auto;padding:1rem;max-width:90rem;background:var(--bg);color:var(--fg);font:16px/1.45 system-ui,sans-serif}\n"
	"h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid var(--line)}\n"
	"p,li{max-width:50rem}.dim,small{color:var(--dim)}\n"
	".wide{overflow-x:auto;border:1px solid var(--line)}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\n"
	"th,td{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;white-space:nowrap}\n"
	"th:first-child{text-align:left;position:sticky;left:0;background:var(--head)}\n"
	"thead th{background:var(--head)}th small,td small{display:block;font-weight:normal}\n"
	".best{background:var(--best);font-weight:bold}.loss{background:var(--loss)}\n"
	".text td,.text th{text-align:left;white-space:normal;overflow-wrap:anywhere}.text th{white-space:nowrap}\n"
	"figure{margin:1rem 0;padding:0}figcaption{color:var(--dim);font-size:.9rem;max-width:50rem}\n"
	".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27rem),1fr));gap:0 1rem}\n"
	".picture{background:#fff;border:1px solid var(--line);overflow-x:auto}\n"
	".picture svg{display:block;width:100%;height:auto;min-width:25rem;max-width:60rem;margin:0 auto}\n"
	"pre{overflow-x:auto;border:1px solid var(--line);padding:.6rem;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}\n"
	"@media (max-width:40rem){th:first-child{white-space:normal;min-width:7.5rem;max-width:8.5rem}}\n"
	"</style>\n";

static double largest_of(const struct outcome *o, const struct judged *judged)
{
	double largest = 0;
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (judged[i].known)
			largest = fmax(largest, fabs(judged[i].stats.mean));
	return largest;
}

static void print_cell(FILE *out, const struct judged *j, double scale)
{
	struct show_judged show;

	show_judged(&show, j, scale);
	fprintf(out, "<td%s>%s", j->loss ? " class=\"loss\"" :
		j->best ? " class=\"best\"" : "", show.number);
	if (j->compared || j->best)
		fprintf(out, "<small>%c%s%c</small>", show.marks[0],
			j->compared ? show.gain : "best", show.marks[1]);
	fputs("</td>", out);
}

/* The columns of the figures: valid rows, the baseline first. */
static size_t columns(const struct outcome *o, size_t *column)
{
	size_t i, nr = 0;

	if (o->baseline && o->baseline->valid)
		column[nr++] = o->baseline - o->rows;
	for (i = 0; i < o->nr_rows; i++)
		if (o->rows[i].valid && &o->rows[i] != o->baseline)
			column[nr++] = i;
	return nr;
}

static void print_figures(FILE *out, const struct outcome *o,
			  struct judged *judged, const size_t *column,
			  size_t nr)
{
	char *zeroes;
	size_t i, j;

	fputs("<h2>Figures</h2>\n<p>", out);
	html_text(out, notes_marks(o));
	fputs("</p>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">metric<small>unit; direction</small></th>",
	      out);
	for (i = 0; i < nr; i++) {
		fputs("<th scope=\"col\">", out);
		html_text(out, o->rows[column[i]].name);
		fputs("<small>", out);
		html_text(out, o->rows[column[i]].title);
		fputs("</small></th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (i = 0; i < o->nr_metrics; i++) {
		const struct outcome_metric *m = &o->metrics[i];
		struct show_unit unit;

		if (!judge(o, m, judged) || judged_zero(o, judged))
			continue;
		unit = show_unit(m->unit, largest_of(o, judged));
		fputs("<tr><th scope=\"row\" title=\"", out);
		html_text(out, m->source);
		fputs("\">", out);
		html_name(out, m->name);
		fputs("<small>", out);
		html_text(out, unit.name);
		fprintf(out, "; %s</small></th>", show_better(m->better));
		for (j = 0; j < nr; j++)
			print_cell(out, &judged[column[j]], unit.scale);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
	zeroes = judged_zeroes(o);
	if (*zeroes) {
		fputs("<p class=\"dim\">0 in every row: ", out);
		html_text(out, zeroes);
		fputs("</p>\n", out);
	}
	free(zeroes);
}

static void print_invalid(FILE *out, const struct outcome *o)
{
	bool any = false;
	size_t i;

	for (i = 0; i < o->nr_rows; i++) {
		char *why;

		if (o->rows[i].valid)
			continue;
		if (!any)
			fputs("<h2>INVALID</h2>\n<p>These rows did not show that they measured what they say, so none of their figures is shown.</p>\n<div class=\"wide\"><table class=\"text\">\n",
			      out);
		any = true;
		why = outcome_invalid(&o->rows[i]);
		html_row(out, o->rows[i].name, why);
		free(why);
	}
	if (any)
		fputs("</table></div>\n", out);
}

static void print_repeat_row(FILE *out, const struct outcome_row *row,
			     const struct judged *j, double scale)
{
	const struct stats *s = &j->stats;
	const double numbers[] = {
		s->mean / scale, s->median / scale, s->cv * 100,
		s->min / scale, s->max / scale, s->low / scale,
		s->high / scale, j->g, j->p,
	};
	char text[32];
	size_t i;

	fputs("<tr><th scope=\"row\">", out);
	html_text(out, row->name);
	fprintf(out, "</th><td>%zu</td>", s->n);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		fprintf(out, "<td>%s</td>",
			show_number(text, sizeof(text), numbers[i]));
	fputs("</tr>\n", out);
}

static void print_repeats(FILE *out, const struct outcome *o,
			  struct judged *judged)
{
	size_t i, j;

	if (!repeats_any(o))
		return;
	fputs("<h2>Repeats</h2>\n<p>", out);
	html_text(out, notes_repeats());
	fputs(" Figures that are the same in all repeats are left out.</p>\n<div class=\"wide\"><table>\n<thead><tr><th>row</th><th>n</th><th>mean</th><th>median</th><th>CV %</th><th>min</th><th>max</th><th>95% from</th><th>95% to</th><th>Hedges' g</th><th>Welch's p</th></tr></thead>\n<tbody>\n",
	      out);
	for (i = 0; i < o->nr_metrics; i++) {
		const struct outcome_metric *m = &o->metrics[i];
		struct show_unit unit;

		if (!judge(o, m, judged) || !repeats_spread(o, judged))
			continue;
		unit = show_unit(m->unit, largest_of(o, judged));
		fputs("<tr><th scope=\"rowgroup\" colspan=\"11\">", out);
		html_name(out, m->name);
		fputs("<small>", out);
		html_text(out, unit.name);
		fprintf(out, "; %s</small></th></tr>\n",
			show_better(m->better));
		for (j = 0; j < o->nr_rows; j++)
			if (judged[j].known)
				print_repeat_row(out, &o->rows[j], &judged[j],
						 unit.scale);
	}
	fputs("</tbody></table></div>\n", out);
}

static int print_plot(FILE *out, const struct plots *plots,
		      const struct plot *p, struct why *why)
{
	int ret;

	fputs("<figure><div class=\"picture\" role=\"img\" aria-label=\"", out);
	html_text(out, p->caption);
	fputs("\">\n", out);
	ret = html_svg(out, plots->dir, p->name, why);
	fputs("</div><figcaption>", out);
	html_text(out, p->caption);
	fputs("</figcaption></figure>\n", out);
	return ret;
}

static bool is_small(const struct plot *p)
{
	return !strncmp(p->name, "dirty-", 6);
}

static int print_plots(FILE *out, const struct plots *plots, struct why *why)
{
	int ret = 0;
	size_t i;
	bool small;

	if (!plots->nr)
		return 0;
	fputs("<h2>Pictures</h2>\n", out);
	for (i = 0; !ret && i < plots->nr; i++)
		if (!is_small(&plots->all[i]))
			ret = print_plot(out, plots, &plots->all[i], why);
	small = false;
	for (i = 0; !ret && i < plots->nr; i++) {
		if (!is_small(&plots->all[i]))
			continue;
		fputs(small ? "" : "<div class=\"grid\">\n", out);
		small = true;
		ret = print_plot(out, plots, &plots->all[i], why);
	}
	fputs(small ? "</div>\n" : "", out);
	return ret;
}

static void print_values(FILE *out, json_t *obj)
{
	const char *key;
	char number[32];
	json_t *v;

	json_object_foreach(obj, key, v) {
		if (json_is_string(v)) {
			html_row(out, key, json_string_value(v));
		} else if (json_is_integer(v)) {
			snprintf(number, sizeof(number), "%lld",
				 (long long)json_integer_value(v));
			html_row(out, key, number);
		}
	}
}

static void print_provenance(FILE *out, const struct outcome *o)
{
	json_t *rows = json_object_get(o->host, "rows");
	size_t i;

	fputs("<h2>Where it comes from</h2>\n<p>", out);
	html_text(out, footer_times(o->run));
	fputs("</p>\n<div class=\"wide\"><table class=\"text\">\n", out);
	html_row(out, "results folder", o->name);
	print_values(out, o->run);
	print_values(out, o->host);
	fputs("</table></div>\n<h2>To repeat it</h2>\n<pre>", out);
	html_text(out, outcome_string(o->run, "command"));
	fputs("\nmake report RUN=results/", out);
	html_text(out, o->name);
	fputs("\nmake compare-runs A=results/", out);
	html_text(out, o->name);
	fputs(" B=results/latest</pre>\n", out);
	for (i = 0; i < o->nr_rows; i++) {
		const char *qemu = outcome_string(
			json_object_get(rows, o->rows[i].name), "qemu_cmdline");

		if (!*qemu)
			continue;
		fputs("<details><summary>QEMU, as started for ", out);
		html_text(out, o->rows[i].name);
		fputs("</summary><pre>", out);
		html_text(out, qemu);
		fputs("</pre></details>\n", out);
	}
}

static void print_head(FILE *out, const struct outcome *o)
{
	fputs(head, out);
	fputs("<title>Folio write policies: ", out);
	html_text(out, o->name);
	fprintf(out, "</title>\n%s</head>\n<body>\n<h1>Folio write policies: workload ",
		style);
	html_text(out, outcome_string(o->run, "workload"));
	fputs("</h1>\n<p class=\"dim\">Kernel ", out);
	html_text(out, outcome_string(o->run, "kernel"));
	fputs(", mode ", out);
	html_text(out, outcome_string(o->run, "mode"));
	fprintf(out, ", scale 1/%lld, seed %lld, ",
		(long long)json_integer_value(json_object_get(o->run, "scale")),
		(long long)json_integer_value(json_object_get(o->run, "seed")));
	html_text(out, outcome_string(o->host, "date"));
	fputs("</p>\n", out);
}

int page_print(FILE *out, const struct outcome *o, const struct plots *plots,
	       struct why *why)
{
	struct judged *judged = calloc(o->nr_rows, sizeof(*judged));
	size_t *column = calloc(o->nr_rows, sizeof(*column));
	size_t nr;
	int ret;

	if (!judged || !column)
		abort();
	print_head(out, o);
	print_invalid(out, o);
	nr = columns(o, column);
	if (nr)
		print_figures(out, o, judged, column, nr);
	print_repeats(out, o, judged);
	ret = print_plots(out, plots, why);
	print_provenance(out, o);
	fputs("</body>\n</html>\n", out);
	free(column);
	free(judged);
	return ret;
}
