// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <string.h>

#include "expect.h"
#include "file.h"
#include "lines.h"
#include "number.h"

enum order { LESS = 1, EQUAL = 2, GREATER = 4 };

static const struct op {
	const char *text;
	int holds;		/* for which orders of seen and expected */
} ops[] = {
	{ "==", EQUAL },
	{ "!=", LESS | GREATER },
	{ "<", LESS },
	{ "<=", LESS | EQUAL },
	{ ">", GREATER },
	{ ">=", GREATER | EQUAL },
};

struct expectation {
	const char *metric;
	const struct op *op;
	const char *value;
	const char *why;	/* "" if none was given */
};

static const struct op *op_find(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (text && !strcmp(ops[i].text, text))
			return &ops[i];
	return NULL;
}

static bool expectation_parse(char *line, struct expectation *e)
{
	char *comment = strchr(line, '#');
	char *rest = NULL;

	e->why = "";
	if (comment) {
		*comment = '\0';
		e->why = trim(comment + 1);
	}
	e->metric = strtok_r(line, " \t", &rest);
	e->op = op_find(strtok_r(NULL, " \t", &rest));
	e->value = strtok_r(NULL, " \t", &rest);
	return e->metric && e->op && e->value && !strtok_r(NULL, " \t", &rest);
}

/* "refused_by.busy" is found in the object refused_by. */
static const json_t *lookup(const struct row *row, const char *metric,
			    const char *dot)
{
	char first[64];
	size_t len = dot - metric;

	if (!*dot)
		return json_object_get(row->metrics, metric);
	if (len >= sizeof(first))
		return NULL;
	memcpy(first, metric, len);
	first[len] = '\0';
	return json_object_get(json_object_get(row->metrics, first), dot + 1);
}

static void reject(struct row *row, const struct expectation *e,
		   const char *seen)
{
	row_reject(row, "%s=%s, expected %s %s%s%s", e->metric, seen,
		   e->op->text, e->value, *e->why ? ": " : "", e->why);
}

static void check_number(struct row *row, const struct expectation *e,
			 double seen, double value)
{
	int order = seen < value ? LESS : seen > value ? GREATER : EQUAL;
	char text[32];

	if (e->op->holds & order)
		return;
	snprintf(text, sizeof(text), "%.*g", REAL_DIGITS, seen);
	reject(row, e, text);
}

static int check_one(struct row *row, struct lines *l,
		     const struct expectation *e, struct why *why)
{
	const char *dot = strchrnul(e->metric, '.');
	const struct metric *m = workload_metric(row->workload, e->metric,
						 dot - e->metric);
	const json_t *seen;
	double value;

	if (!m)
		return lines_fail(l, why, "about a metric that exists");
	if (m->virtual_only && !row->in_virtual_time)
		return 0;
	seen = lookup(row, e->metric, dot);
	if (json_is_number(seen)) {
		if (!real_parse(e->value, &value))
			return lines_fail(l, why,
					  "a comparison with a number");
		check_number(row, e, json_number_value(seen), value);
	} else if (json_is_string(seen)) {
		int same = !strcmp(json_string_value(seen), e->value);

		if (e->op->holds != EQUAL && e->op->holds != (LESS | GREATER))
			return lines_fail(l, why, "== or != of a name");
		if (same == (e->op->holds != EQUAL))
			reject(row, e, json_string_value(seen));
	} else if (!json_array_size(row->reasons)) {
		/* Else its reader has said what is wrong with its file. */
		reject(row, e, "missing");
	}
	return 0;
}

int expect_check(struct row *row, const char *path, struct why *why)
{
	struct expectation e;
	struct lines l;
	char *line;
	int ret;

	ret = lines_open(&l, AT_FDCWD, path, why);
	while (!ret && (line = lines_next(&l))) {
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		if (!expectation_parse(line, &e))
			ret = lines_fail(&l, why, "`METRIC OP VALUE  # why`");
		else
			ret = check_one(row, &l, &e, why);
	}
	lines_close(&l);
	return ret;
}
