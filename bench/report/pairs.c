// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lines.h"
#include "number.h"
#include "pairs.h"

static bool key_ok(const char *key)
{
	const char *c;

	for (c = key; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_./-", *c))
			return false;
	return *key;
}

static bool unquote(char **value)
{
	char *v = *value;
	size_t len = strlen(v);

	if (*v != '\'')
		return !strpbrk(v, " \t'\"");
	if (len < 2 || strchr(v + 1, '\'') != v + len - 1)
		return false;
	v[len - 1] = '\0';
	*value = v + 1;
	return true;
}

static json_t *conf_value(char *text)
{
	return unquote(&text) ? json_string(text) : NULL;
}

static json_t *sysctl_value(char *text)
{
	return json_string(text);
}

static json_t *count_value(char *text)
{
	json_int_t n;

	return count_parse(text, &n) ? json_integer(n) : NULL;
}

static json_t *number_value(char *text)
{
	json_int_t n;
	double d;

	if (count_parse(text, &n))
		return json_integer(n);
	return real_parse(text, &d) ? json_real(d) : NULL;
}

static int add_pair(json_t *pairs, char *line, const char *separator,
		    json_t *(*value)(char *text))
{
	char *sep = strstr(line, separator);

	if (!sep)
		return -1;
	*sep = '\0';
	if (!key_ok(line) || json_object_get(pairs, line))
		return -1;
	/* Also fails on NULL, and on strings that are not UTF-8. */
	return json_object_set_new(pairs, line,
				   value(sep + strlen(separator)));
}

static json_t *read_pairs(int dir, const char *name, const char *separator,
			  json_t *(*value)(char *text), const char *what,
			  struct why *why)
{
	json_t *pairs = json_object();
	struct lines l;
	char *line;
	int ret;

	ret = lines_open(&l, dir, name, why);
	while (!ret && (line = lines_next(&l))) {
		if (!*line || *line == '#')
			continue;
		if (add_pair(pairs, line, separator, value))
			ret = lines_fail(&l, why, what);
	}
	lines_close(&l);
	if (ret) {
		json_decref(pairs);
		return NULL;
	}
	return pairs;
}

json_t *pairs_read_conf(int dir, const char *name, struct why *why)
{
	return read_pairs(dir, name, "=", conf_value, "a new key=value", why);
}

json_t *pairs_read_sysctl(int dir, const char *name, struct why *why)
{
	return read_pairs(dir, name, " = ", sysctl_value,
			  "a new `key = value`", why);
}

json_t *pairs_read_counts(int dir, const char *name, struct why *why)
{
	return read_pairs(dir, name, " ", count_value, "a new `key count`",
			  why);
}

json_t *pairs_read_numbers(int dir, const char *name, struct why *why)
{
	return read_pairs(dir, name, " ", number_value, "a new `key number`",
			  why);
}
