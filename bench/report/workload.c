// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "file.h"
#include "workload.h"
#include "wrap.h"

#define WIDTH_MAX 20
#define DECIMALS_MAX 9

static const char * const reader_names[READERS] = {
	[READ_SETTINGS] = "settings",
	[READ_FIO] = "fio",
	[READ_SAMPLER] = "sampler",
	[READ_CHARGE] = "charge",
	[READ_FOLIOS] = "folios",
	[READ_WRITECOST] = "writecost",
	[READ_COUNTERS] = "counters",
	[READ_PAUSES] = "pauses",
	[READ_DECISIONS] = "decisions",
};

const struct metric *workload_metric(const struct workload *w,
				     const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < w->nr_metrics; i++)
		if (strlen(w->metrics[i].name) == len &&
		    !memcmp(w->metrics[i].name, name, len))
			return &w->metrics[i];
	return NULL;
}

static int add_reader(struct workload *w, const json_t *name, struct why *why)
{
	size_t i;

	for (i = 0; i < READERS; i++)
		if (json_is_string(name) && reader_names[i] &&
		    !strcmp(json_string_value(name), reader_names[i])) {
			w->reads[i] = true;
			return 0;
		}
	return fail(why, "metrics.json: no such reader: %s",
		    json_is_string(name) ? json_string_value(name)
					 : "not a name");
}

static int load_readers(struct workload *w, const json_t *names,
			struct why *why)
{
	const json_t *name;
	size_t i;

	w->reads[READ_SETTINGS] = true;
	w->reads[READ_OWN] = true;
	json_array_foreach((json_t *)names, i, name)
		if (add_reader(w, name, why))
			return -1;
	if (w->reads[READ_CHARGE] && !w->reads[READ_FIO])
		return fail(why, "metrics.json: the reader charge needs fio");
	if (w->reads[READ_DECISIONS] && !w->reads[READ_COUNTERS])
		return fail(why, "metrics.json: the reader decisions needs counters");
	return 0;
}

static void append(struct workload *w, const struct metric *m)
{
	/* One more, all zeroes, ends the list. */
	w->metrics = realloc(w->metrics,
			     (w->nr_metrics + 2) * sizeof(*w->metrics));
	w->metrics[w->nr_metrics++] = *m;
	w->metrics[w->nr_metrics] = (struct metric){ };
}

static bool name_ok(const char *name)
{
	return *name && strcmp(name, OWN_END) &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

static bool head_ok(const char *head, int width)
{
	const char *c;

	for (c = head; *c; c++)
		if (*c < ' ' || *c > '~')
			return false;
	return c - head < width;
}

/* A file, then keys and indices: printed as "fio.json: jobs.0.read.iops". */
static char *path_text(const json_t *from)
{
	char *text = NULL;
	const json_t *step;
	size_t i, len;
	FILE *f = open_memstream(&text, &len);

	json_array_foreach((json_t *)from, i, step) {
		fputs(i == 0 ? "" : i == 1 ? ": " : ".", f);
		if (json_is_integer(step))
			fprintf(f, "%lld", (long long)json_integer_value(step));
		else
			fputs(json_string_value(step), f);
	}
	fclose(f);
	return text;
}

static bool from_ok(const json_t *from)
{
	const json_t *step;
	size_t i;

	json_array_foreach((json_t *)from, i, step)
		if (!json_is_string(step) &&
		    !(i && json_is_integer(step) &&
		      json_integer_value(step) >= 0))
			return false;
	return json_array_size(from) >= 2;
}

/* What it is and where it comes from. */
static int parse_figure(struct metric *m, json_t *json, const char *better,
			struct why *why)
{
	char *text;

	if (!better_parse(better, &m->better))
		return fail(why, "metrics.json: %s: better is higher, lower or neither",
			    m->name);
	if (!*m->unit)
		return fail(why, "metrics.json: %s needs a unit", m->name);
	if (!m->source == !m->from)
		return fail(why, "metrics.json: %s needs one of source and from",
			    m->name);
	if (!m->from)
		return 0;
	if (!from_ok(m->from))
		return fail(why, "metrics.json: %s: from is a file, then keys and indices",
			    m->name);
	text = path_text(m->from);
	json_object_set_new(json, "source", json_string(text));
	free(text);
	m->source = json_string_value(json_object_get(json, "source"));
	return 0;
}

/* How the table shows it, if it has a head. */
static int parse_column(struct metric *m, const json_t *head, int size,
			struct why *why)
{
	if (!head)
		return 0;
	m->cell = size ? CELL_SIZE : CELL_NUMBER;
	if (m->width < 2 || m->width > WIDTH_MAX)
		return fail(why, "metrics.json: %s needs a width of 2 to %d",
			    m->name, WIDTH_MAX);
	m->head[0] = json_string_value(json_array_get(head, 0));
	m->head[1] = json_string_value(json_array_get(head, 1));
	if (json_array_size(head) != 2 || !m->head[0] || !m->head[1] ||
	    !head_ok(m->head[0], m->width) || !head_ok(m->head[1], m->width))
		return fail(why, "metrics.json: %s: head is two lines of ASCII, shorter than the width",
			    m->name);
	if (!(m->scale > 0) || !isfinite(m->scale))
		return fail(why, "metrics.json: %s: scale is a number above 0",
			    m->name);
	if (m->decimals < 0 || m->decimals > DECIMALS_MAX)
		return fail(why, "metrics.json: %s: decimals are 0 to %d",
			    m->name, DECIMALS_MAX);
	return 0;
}

static int add_own(struct workload *w, json_t *json, struct why *why)
{
	struct metric m = { .reader = READ_OWN, .scale = 1 };
	const char *better;
	const json_t *head = NULL;
	int virtual_only = 0, size = 0;
	json_error_t err;

	if (json_unpack_ex(json, &err, 0,
			   "{s:s, s:s, s:s, s?s, s?o, s?b, s?o, s?b, s?i, s?F, s?i !}",
			   "name", &m.name, "unit", &m.unit, "better", &better,
			   "source", &m.source, "from", &m.from,
			   "virtual_only", &virtual_only, "head", &head,
			   "size", &size, "width", &m.width,
			   "scale", &m.scale, "decimals", &m.decimals))
		return fail(why, "metrics.json: a metric is wrong: %s",
			    err.text);
	m.virtual_only = virtual_only;
	if (!name_ok(m.name))
		return fail(why, "metrics.json: a metric's name is of a-z, 0-9 and _, and not %s: %s",
			    OWN_END, m.name);
	if (workload_metric(w, m.name, strlen(m.name)))
		return fail(why, "metrics.json: there is another %s", m.name);
	if (parse_figure(&m, json, better, why) ||
	    parse_column(&m, head, size, why))
		return -1;
	append(w, &m);
	return 0;
}

static int load_metrics(struct workload *w, const json_t *own, struct why *why)
{
	const struct metric *m;
	json_t *json;
	size_t i;

	for (m = builtin_metrics; m->name; m++)
		if (w->reads[m->reader])
			append(w, m);
	json_array_foreach((json_t *)own, i, json)
		if (add_own(w, json, why))
			return -1;
	return 0;
}

static int load_block(struct workload *w, const json_t *names, struct why *why)
{
	struct block *b = &w->blocks[w->nr_blocks++];
	int width = TITLE_MAX + 1;
	const json_t *json;
	size_t i;

	b->columns = calloc(json_array_size(names), sizeof(*b->columns));
	json_array_foreach((json_t *)names, i, json) {
		const char *name = json_string_value(json);
		const struct metric *m;

		m = name ? workload_metric(w, name, strlen(name)) : NULL;
		if (!m || m->cell == CELL_NONE)
			return fail(why, "metrics.json: the table names %s, which is no metric with a head",
				    name ? name : "no name");
		b->columns[b->nr++] = m;
		width += m->width;
	}
	if (!b->nr || width > TABLE_WIDTH)
		return fail(why, "metrics.json: block %zu of the table is %d columns wide, not %d to %d",
			    w->nr_blocks, width, TITLE_MAX + 2, TABLE_WIDTH);
	return 0;
}

static int load_table(struct workload *w, const json_t *blocks,
		      struct why *why)
{
	const json_t *names;
	size_t i;

	if (!json_array_size(blocks))
		return fail(why, "metrics.json: table is a list of blocks, each a list of names");
	w->blocks = calloc(json_array_size(blocks), sizeof(*w->blocks));
	json_array_foreach((json_t *)blocks, i, names)
		if (load_block(w, names, why))
			return -1;
	return 0;
}

int workload_load(struct workload *w, int dir, const char *name,
		  struct why *why)
{
	const json_t *readers, *own, *table;
	json_error_t err;

	*w = (struct workload){ };
	w->json = json_file_read(dir, name, why);
	if (!w->json)
		return -1;
	if (json_unpack_ex(w->json, &err, 0, "{s:o, s:o, s:o, s:s !}",
			   "readers", &readers, "metrics", &own,
			   "table", &table, "legend", &w->legend))
		return fail(why, "metrics.json: %s", err.text);
	if (!json_is_array(readers) || !json_is_array(own))
		return fail(why, "metrics.json: readers and metrics are lists");
	if (load_readers(w, readers, why) || load_metrics(w, own, why))
		return -1;
	return load_table(w, table, why);
}

void workload_free(struct workload *w)
{
	size_t i;

	for (i = 0; i < w->nr_blocks; i++)
		free(w->blocks[i].columns);
	free(w->blocks);
	free(w->metrics);
	json_decref(w->json);
}
