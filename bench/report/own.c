// SPDX-License-Identifier: GPL-2.0
/* The metrics that the workload declares itself. */
#include <string.h>

#include "file.h"
#include "number.h"
#include "pairs.h"
#include "row.h"

static void set(struct row *row, const struct metric *m, json_t *v)
{
	if (!json_is_number(v) || !(json_number_value(v) >= 0))
		row_reject(row, "%s lacks a sound %s", m->source, m->name);
	else if (!m->virtual_only || row->in_virtual_time)
		json_object_set(row->metrics, m->name, v);
}

/* The last line counts the others: a script that died has not written it. */
static json_t *read_lines(struct row *row)
{
	struct why why;
	json_t *lines = pairs_read_numbers(row->results, OWN_FILE, &why);
	json_int_t n;

	if (!lines) {
		row_reject(row, "%s", why.text);
		return NULL;
	}
	if (!json_count(lines, OWN_END, &n)) {
		row_reject(row, "%s is torn: it has no line `%s COUNT`",
			   OWN_FILE, OWN_END);
		json_decref(lines);
		return NULL;
	}
	json_object_del(lines, OWN_END);
	if (n != (json_int_t)json_object_size(lines)) {
		row_reject(row, "%s has %zu figures, its end says %lld",
			   OWN_FILE, json_object_size(lines), (long long)n);
		json_decref(lines);
		return NULL;
	}
	return lines;
}

/* A figure that nobody declared has no unit and no direction. */
static void check_declared(struct row *row, json_t *lines)
{
	const char *key;
	json_t *v;

	json_object_foreach(lines, key, v) {
		const struct metric *m;

		m = workload_metric(row->workload, key, strlen(key));
		if (!m || m->reader != READ_OWN || m->from)
			row_reject(row, "%s has %s, which metrics.json does not declare",
				   OWN_FILE, key);
	}
}

static void add_lines(struct row *row)
{
	const struct metric *m;
	json_t *lines = read_lines(row);

	if (!lines)
		return;
	check_declared(row, lines);
	for (m = row->workload->metrics; m->name; m++) {
		json_t *v = json_object_get(lines, m->name);

		if (m->reader != READ_OWN || m->from)
			continue;
		if (v)
			set(row, m, v);
		else
			row_reject(row, "%s lacks %s", OWN_FILE, m->name);
	}
	json_decref(lines);
}

static json_t *walk(json_t *json, const json_t *from)
{
	size_t i;

	for (i = 1; i < json_array_size(from); i++) {
		const json_t *step = json_array_get(from, i);

		if (json_is_string(step))
			json = json_object_get(json, json_string_value(step));
		else
			json = json_array_get(json, json_integer_value(step));
	}
	return json;
}

/* Each file is read once for each of its figures: there are few. */
static void add_from_json(struct row *row, const struct metric *m)
{
	struct why why;
	json_t *json;

	json = json_file_read(row->results,
			      json_string_value(json_array_get(m->from, 0)),
			      &why);
	if (json)
		set(row, m, walk(json, m->from));
	else
		row_reject(row, "%s", why.text);
	json_decref(json);
}

void own_add(struct row *row)
{
	const struct metric *m;
	bool has_lines = false;

	for (m = row->workload->metrics; m->name; m++) {
		if (m->reader != READ_OWN)
			continue;
		if (m->from)
			add_from_json(row, m);
		else
			has_lines = true;
	}
	if (has_lines)
		add_lines(row);
}
