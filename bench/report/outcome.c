// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "number.h"
#include "outcome.h"
#include "result.h"

const char *outcome_string(const json_t *obj, const char *key)
{
	const char *s = json_string_value(json_object_get(obj, key));

	return s ? s : "";
}

/*
 * The folder may be from anywhere, and names become part of file names, of
 * gnuplot's scripts and of what is printed to a terminal.
 */
static bool is_name(const char *s)
{
	return *s && *s != '.' && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")];
}

static bool is_plain(const char *s)
{
	while (*s >= ' ' && *s <= '~')
		s++;
	return !*s;
}

static int check_row(const struct outcome_row *row, struct why *why)
{
	if (!json_is_boolean(json_object_get(row->json, "valid")) ||
	    !json_is_array(json_object_get(row->json, "invalid_because")))
		return fail(why, "result.json: row %s does not say whether it is valid",
			    row->name);
	if (!is_name(row->name) || !is_plain(row->title))
		return fail(why, "result.json: a row has a name or title that no row of ours has");
	return 0;
}

static bool is_valid(const json_t *row)
{
	return json_is_true(json_object_get(row, "valid"));
}

static int by_rank(const void *a, const void *b)
{
	const struct outcome_row *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int load_rows(struct outcome *o, struct why *why)
{
	json_t *rows = json_object_get(o->result, "rows");
	json_t *repeats = json_object_get(o->result, "repeats");
	json_t *json, *repeat;
	const char *name;
	size_t i;

	if (!json_object_size(rows))
		return fail(why, "result.json has no rows");
	o->rows = calloc(json_object_size(rows), sizeof(*o->rows));
	json_object_foreach(rows, name, json) {
		struct outcome_row *row = &o->rows[o->nr_rows++];

		*row = (struct outcome_row){
			.name = name,
			.title = outcome_string(json, "title"),
			.json = json,
			.repeats = json_object_get(repeats, name),
			.valid = is_valid(json),
		};
		json_array_foreach(row->repeats, i, repeat)
			row->valid &= is_valid(repeat);
		/* A row that was not finished has none, and stands last. */
		if (!json_count(json, "rank", &row->rank))
			row->rank = LLONG_MAX;
		if (!*row->title)
			row->title = name;
		if (check_row(row, why))
			return -1;
	}
	qsort(o->rows, o->nr_rows, sizeof(*o->rows), by_rank);
	o->baseline = outcome_row(o, BASELINE);
	return 0;
}

/* As in the table, and after it by name what is not in it. */
static size_t place_of(const struct outcome *o, const char *name)
{
	const size_t len = strcspn(name, ".");
	json_t *block, *column;
	size_t i, j, place = 0;

	json_array_foreach(json_object_get(o->result, "table"), i, block)
		json_array_foreach(block, j, column) {
			const char *text = json_string_value(column);

			if (text && strlen(text) == len &&
			    !memcmp(text, name, len))
				return place;
			place++;
		}
	return SIZE_MAX;
}

static int add_metric(struct outcome *o, char *name, const json_t *json,
		      struct why *why)
{
	struct outcome_metric *m;

	o->metrics = reallocarray(o->metrics, o->nr_metrics + 1,
				  sizeof(*o->metrics));
	m = &o->metrics[o->nr_metrics++];
	*m = (struct outcome_metric){
		.name = name,
		.place = place_of(o, name),
		.unit = outcome_string(json, "unit"),
		.source = outcome_string(json, "source"),
	};
	if (!is_name(m->name) || !is_plain(m->unit))
		return fail(why, "result.json: a metric has a name or unit that no metric of ours has");
	if (!better_parse(outcome_string(json, "better"), &m->better))
		return fail(why, "result.json: %s does not say which direction is better",
			    m->name);
	return 0;
}

/* A figure that is an object is as many figures as the rows' objects have. */
static int add_parts(struct outcome *o, const char *name, const json_t *json,
		     struct why *why)
{
	json_t *parts = json_object();
	const char *part;
	int ret = 0;
	json_t *v;
	size_t i;

	for (i = 0; i < o->nr_rows; i++) {
		v = json_object_get(o->rows[i].json, name);
		if (json_is_object(v))
			json_object_update(parts, v);
	}
	if (!json_object_size(parts))
		ret = add_metric(o, strdup(name), json, why);
	json_object_foreach(parts, part, v) {
		char *full;

		if (asprintf(&full, "%s.%s", name, part) < 0)
			abort();
		ret |= add_metric(o, full, json, why);
	}
	json_decref(parts);
	return ret;
}

static int by_place(const void *a, const void *b)
{
	const struct outcome_metric *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	/* "64k" is after "8k". */
	return strverscmp(x->name, y->name);
}

static int load_metrics(struct outcome *o, struct why *why)
{
	json_t *all = json_object_get(o->result, "metrics");
	const char *name;
	json_t *json;

	if (!json_object_size(all))
		return fail(why, "result.json has no metrics");
	json_object_foreach(all, name, json)
		if (add_parts(o, name, json, why))
			return -1;
	qsort(o->metrics, o->nr_metrics, sizeof(*o->metrics), by_place);
	return 0;
}

static int load_result(struct outcome *o, const char *path, struct why *why)
{
	int dir = dir_open(AT_FDCWD, path, why);
	json_int_t schema;

	if (dir < 0)
		return -1;
	o->result = json_file_read(dir, "result.json", why);
	close(dir);
	if (!o->result)
		return -1;
	if (!json_count(o->result, "schema", &schema) ||
	    schema != RESULT_SCHEMA)
		return fail(why, "result.json is not of schema %d: make its table again",
			    RESULT_SCHEMA);
	o->run = json_object_get(o->result, "run");
	o->host = json_object_get(o->result, "host");
	if (!json_is_object(o->run) || !json_is_object(o->host))
		return fail(why, "result.json does not say where it comes from");
	return 0;
}

static char *base_name(const char *path)
{
	char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char *name = strdup(slash ? slash + 1 : path);

	free(real);
	return name;
}

int outcome_load(struct outcome *o, const char *path, struct why *why)
{
	*o = (struct outcome){ .name = base_name(path) };
	if (load_result(o, path, why) || load_rows(o, why) ||
	    load_metrics(o, why))
		return -1;
	return 0;
}

void outcome_free(struct outcome *o)
{
	size_t i;

	for (i = 0; i < o->nr_metrics; i++)
		free(o->metrics[i].name);
	free(o->metrics);
	free(o->rows);
	json_decref(o->result);
	free(o->name);
}

const struct outcome_row *outcome_row(const struct outcome *o,
				      const char *name)
{
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (!strcmp(o->rows[i].name, name))
			return &o->rows[i];
	return NULL;
}

const struct outcome_metric *outcome_metric(const struct outcome *o,
					    const char *name)
{
	size_t i;

	for (i = 0; i < o->nr_metrics; i++)
		if (!strcmp(o->metrics[i].name, name))
			return &o->metrics[i];
	return NULL;
}

static json_t *figure_in(json_t *row, const char *name)
{
	const char *dot = strchr(name, '.');
	char *outer;
	json_t *v;

	if (!dot)
		return json_object_get(row, name);
	outer = strndup(name, dot - name);
	v = json_object_get(json_object_get(row, outer), dot + 1);
	free(outer);
	return v;
}

json_t *outcome_figure(const struct outcome_row *row, const char *name)
{
	return row->valid ? figure_in(row->json, name) : NULL;
}

double *outcome_samples(const struct outcome_row *row, const char *name,
			size_t *n)
{
	const size_t room = 1 + json_array_size(row->repeats);
	double *all = malloc(room * sizeof(*all));
	size_t i;

	if (!all)
		abort();
	*n = 0;
	for (i = 0; row->valid && i < room; i++) {
		const json_t *v = figure_in(i ? json_array_get(row->repeats,
							       i - 1)
					      : row->json, name);

		if (json_is_number(v))
			all[(*n)++] = json_number_value(v);
	}
	if (*n)
		return all;
	free(all);
	return NULL;
}

static void print_reasons(FILE *f, const json_t *row, size_t repeat)
{
	json_t *reasons = json_object_get(row, "invalid_because");
	json_t *reason;
	const char *c;
	size_t i;

	json_array_foreach(reasons, i, reason) {
		fputs(ftell(f) > 0 ? "; " : "", f);
		if (repeat)
			fprintf(f, "repeat %zu: ", repeat);
		c = json_string_value(reason);
		for (; c && *c; c++)
			fputc(*c < ' ' || *c > '~' ? '?' : *c, f);
	}
}

char *outcome_invalid(const struct outcome_row *row)
{
	char *text = NULL;
	size_t i, len;
	json_t *repeat;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	print_reasons(f, row->json, 0);
	json_array_foreach(row->repeats, i, repeat)
		print_reasons(f, repeat, i + 2);
	fclose(f);
	return text;
}
