// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmp.h"
#include "file.h"
#include "number.h"
#include "result.h"

/* Runs that differ in one of these did not do the same work. */
static const char * const must_match[] = {
	"workload", "scale", "seed", "mode", "kernel", "stack_hash",
	"config_hash",
};

struct side {
	const char *path;
	json_t *result;
	json_t *figures;
};

static int side_load(struct side *s, const char *path, struct why *why)
{
	int dir = dir_open(AT_FDCWD, path, why);
	json_int_t schema;

	s->path = path;
	if (dir < 0)
		return -1;
	s->result = json_file_read(dir, "result.json", why);
	if (s->result)
		s->figures = json_file_read(dir, "figures.json", why);
	close(dir);
	if (!s->figures)
		return -1;
	if (!json_count(s->result, "schema", &schema) ||
	    schema != RESULT_SCHEMA)
		return fail(why, "result.json is not of schema %d: make its table again",
			    RESULT_SCHEMA);
	return 0;
}

/* As it stands in the files, so that what differs is seen to differ. */
static char *show(const json_t *v)
{
	return v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT |
			      JSON_SORT_KEYS |
			      JSON_REAL_PRECISION(REAL_DIGITS))
		 : strdup("(none)");
}

static bool same_work(const struct side *a, const struct side *b)
{
	const json_t *run_a = json_object_get(a->result, "run");
	const json_t *run_b = json_object_get(b->result, "run");
	bool ok = true;
	size_t i;

	for (i = 0; i < sizeof(must_match) / sizeof(*must_match); i++) {
		const json_t *va = json_object_get(run_a, must_match[i]);
		const json_t *vb = json_object_get(run_b, must_match[i]);
		char *ta, *tb;

		if (va && json_equal(va, vb))
			continue;
		ta = show(va);
		tb = show(vb);
		warnx("not comparable: %s is %s and %s", must_match[i],
		      ta, tb);
		free(ta);
		free(tb);
		ok = false;
	}
	return ok;
}

/* Walks what is in @a, in its order, then what is only in @b. */
static int compare(const char *name, json_t *a, json_t *b)
{
	json_t *both;
	const char *key;
	char *ta, *tb;
	int differ = 0;
	json_t *v;

	if (json_equal(a, b))
		return 0;
	if (!json_is_object(a) || !json_is_object(b)) {
		ta = show(a);
		tb = show(b);
		printf("%s: %s and %s\n", name, ta, tb);
		free(ta);
		free(tb);
		return 1;
	}
	both = json_copy(a);
	json_object_update_missing(both, b);
	json_object_foreach(both, key, v) {
		char *inner;

		if (asprintf(&inner, "%s%s%s", name, *name ? "." : "", key) < 0)
			err(2, "no memory");
		differ |= compare(inner, json_object_get(a, key),
				  json_object_get(b, key));
		free(inner);
	}
	json_decref(both);
	return differ;
}

int cmp_runs(const char *path_a, const char *path_b)
{
	struct side a = { }, b = { };
	struct why why;
	int ret = 2;

	if (side_load(&a, path_a, &why))
		warnx("%s: %s", path_a, why.text);
	else if (side_load(&b, path_b, &why))
		warnx("%s: %s", path_b, why.text);
	else if (same_work(&a, &b))
		ret = compare("", a.figures, b.figures);
	json_decref(a.result);
	json_decref(a.figures);
	json_decref(b.result);
	json_decref(b.figures);
	return ret;
}
