// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "number.h"
#include "run.h"

/* What run.json must hold for others to repeat the run. */
static const char * const provenance_keys[] = {
	"kernel", "stack_hash", "config_hash", "compiler", "qemu", "fio",
	"xfsprogs", "mode", "scale", "seed", "workload", "command",
};

static const char * const host_keys[] = { "cpu", "date" };

static int need(const json_t *obj, const char *key, struct why *why)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_integer(v) ||
	    (json_is_string(v) && json_string_length(v)))
		return 0;
	return fail(why, "run.json lacks %s, a string or whole number", key);
}

static int load_provenance(struct run *run, int dir, struct why *why)
{
	size_t i;

	run->provenance = json_file_read(dir, "run.json", why);
	if (!run->provenance)
		return -1;
	for (i = 0; i < sizeof(provenance_keys) / sizeof(char *); i++)
		if (need(run->provenance, provenance_keys[i], why))
			return -1;
	run->host = json_incref(json_object_get(run->provenance, "host"));
	if (!json_is_object(run->host))
		return fail(why, "run.json lacks the object host");
	for (i = 0; i < sizeof(host_keys) / sizeof(char *); i++)
		if (need(run->host, host_keys[i], why))
			return -1;
	json_object_del(run->provenance, "host");
	return 0;
}

static json_t *unfinished(const char *name, const char *reason)
{
	return json_pack("{s:s, s:b, s:[s]}", "row", name, "valid", 0,
			 "invalid_because", reason);
}

static int check_row(const struct run *run, const struct run_row *row,
		     struct why *why)
{
	const json_t *mode = json_object_get(row->json, "mode");
	const char *name = json_string_value(json_object_get(row->json, "row"));
	const struct metric *m;

	if (!name || strcmp(name, row->name))
		return fail(why, "rows/%s: row.json is of row '%s'", row->name,
			    name ? name : "");
	if (!json_is_boolean(json_object_get(row->json, "valid")) ||
	    !json_is_array(json_object_get(row->json, "invalid_because")))
		return fail(why, "rows/%s: row.json does not say whether it is valid",
			    row->name);
	/* A row that never booted has none. */
	if (mode && !json_equal(mode, json_object_get(run->provenance, "mode")))
		return fail(why, "rows/%s was not run in the mode of run.json",
			    row->name);
	for (m = run->workload.metrics; m->name; m++) {
		const json_t *v = json_object_get(row->json, m->name);

		if (v && m->cell != CELL_NONE && !json_is_number(v))
			return fail(why, "rows/%s: row.json: %s is not a number",
				    row->name, m->name);
	}
	return 0;
}

static int load_row(struct run *run, struct run_row *row, int dir,
		    struct why *why)
{
	if (conf_read(dir, "row.conf", &row->conf, why)) {
		struct why inner = *why;

		return fail(why, "rows/%s: %.400s", row->name, inner.text);
	}
	row->json = json_file_read(dir, "row.json", why);
	if (!row->json) {
		row->json = unfinished(row->name, why->text);
		if (!row->json)
			return fail(why, "rows/%s: the name is not text",
				    row->name);
	}
	if (check_row(run, row, why))
		return -1;
	json_object_set(json_object_get(run->host, "rows"), row->name,
			json_object_get(row->json, "host"));
	json_object_del(row->json, "host");
	return 0;
}

static int add_row(struct run *run, int rows_dir, const char *name,
		   struct why *why)
{
	struct run_row *row;
	int dir, ret;

	run->rows = realloc(run->rows, (run->nr_rows + 1) * sizeof(*row));
	row = &run->rows[run->nr_rows++];
	*row = (struct run_row){ .name = strdup(name) };
	dir = dir_open(rows_dir, name, why);
	if (dir < 0)
		return -1;
	ret = load_row(run, row, dir, why);
	close(dir);
	return ret;
}

static int load_rows(struct run *run, int dir, struct why *why)
{
	int rows_dir = dir_open(dir, "rows", why);
	struct dirent *e;
	int ret = 0;
	DIR *d;

	if (rows_dir < 0)
		return -1;
	d = fdopendir(rows_dir);
	if (!d) {
		close(rows_dir);
		return fail(why, "cannot list rows: %s", strerror(errno));
	}
	while (!ret && (e = readdir(d)))
		if (*e->d_name != '.')
			ret = add_row(run, rows_dir, e->d_name, why);
	closedir(d);
	if (!ret && !run->nr_rows)
		ret = fail(why, "there are no rows: run `make compare` first");
	return ret;
}

static int by_rank(const void *a, const void *b)
{
	const struct run_row *ra = a, *rb = b;

	if (ra->conf.rank != rb->conf.rank)
		return ra->conf.rank < rb->conf.rank ? -1 : 1;
	return strcmp(ra->name, rb->name);
}

static void add_ratio(json_t *row, const json_t *control)
{
	double base, iops;

	if (json_is_true(json_object_get(row, "valid")) &&
	    json_is_true(json_object_get(control, "valid")) &&
	    json_amount(control, "iops", &base) && base > 0 &&
	    json_amount(row, "iops", &iops))
		json_object_set_new(row, "iops_of_control",
				    json_real(iops / base));
}

/* Of the control that was run with it: of the same seed. */
static void add_ratios(struct run *run)
{
	const struct run_row *control = run_find(run, "control");
	json_t *repeat;
	size_t i, j;

	for (i = 0; control && i < run->nr_rows; i++) {
		add_ratio(run->rows[i].json, control->json);
		json_array_foreach(run->rows[i].repeats, j, repeat)
			add_ratio(repeat, json_array_get(control->repeats, j));
	}
}

static int load_repeat(struct run *run, struct run_row *row, int dir,
		       json_int_t n, struct why *why)
{
	struct run_row repeat = { .name = row->name };
	char *path;
	int ret;

	if (asprintf(&path, "repeats/%lld/%s/row.json", (long long)n,
		     row->name) < 0)
		abort();
	repeat.json = json_file_read(dir, path, why);
	if (!repeat.json)
		repeat.json = unfinished(row->name, why->text);
	free(path);
	ret = check_row(run, &repeat, why);
	json_object_del(repeat.json, "host");
	json_array_append_new(row->repeats, repeat.json);
	return ret;
}

static int load_repeats(struct run *run, int dir, struct why *why)
{
	json_int_t times = 1, n;
	size_t i;

	/* A run without repeats need not say so. */
	if (json_object_get(run->provenance, "times") &&
	    (!json_count(run->provenance, "times", &times) || !times))
		return fail(why, "run.json: times is not how often each row was run");
	for (i = 0; times > 1 && i < run->nr_rows; i++) {
		run->rows[i].repeats = json_array();
		for (n = 2; n <= times; n++)
			if (load_repeat(run, &run->rows[i], dir, n, why))
				return -1;
	}
	return 0;
}

int run_load(struct run *run, int dir, struct why *why)
{
	*run = (struct run){ };
	if (workload_load(&run->workload, dir, "metrics.json", why) ||
	    load_provenance(run, dir, why))
		return -1;
	json_object_set_new(run->host, "rows", json_object());
	if (load_rows(run, dir, why))
		return -1;
	qsort(run->rows, run->nr_rows, sizeof(*run->rows), by_rank);
	if (load_repeats(run, dir, why))
		return -1;
	add_ratios(run);
	return 0;
}

void run_free(struct run *run)
{
	size_t i;

	for (i = 0; i < run->nr_rows; i++) {
		free(run->rows[i].name);
		json_decref(run->rows[i].json);
		json_decref(run->rows[i].repeats);
	}
	free(run->rows);
	json_decref(run->provenance);
	json_decref(run->host);
	workload_free(&run->workload);
}

const struct run_row *run_find(const struct run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->nr_rows; i++)
		if (!strcmp(run->rows[i].name, name))
			return &run->rows[i];
	return NULL;
}

bool run_row_valid(const struct run_row *row)
{
	return json_is_true(json_object_get(row->json, "valid"));
}
