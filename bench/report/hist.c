// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <string.h>

#include "hist.h"
#include "lines.h"
#include "number.h"

struct totals {
	json_int_t hits;
	json_int_t entries;
	json_int_t dropped;
};

/* "name: text, name: text" */
static int add_keys(json_t *entry, char *keys)
{
	char *key;

	while ((key = strsep(&keys, ","))) {
		char *text = strchr(key, ':');

		if (!text)
			return -1;
		*text++ = '\0';
		if (json_object_set_new(entry, trim(key),
					json_string(trim(text))))
			return -1;
	}
	return 0;
}

/* "name:  count  name:  count" */
static int add_values(json_t *entry, char *values)
{
	while (*(values = trim(values))) {
		char *text = strchr(values, ':');
		json_int_t n;
		char *end;

		if (!text)
			return -1;
		*text++ = '\0';
		text += strspn(text, " ");
		end = text + strcspn(text, " ");
		if (*end)
			*end++ = '\0';
		if (!count_parse(text, &n) ||
		    json_object_set_new(entry, values, json_integer(n)))
			return -1;
		values = end;
	}
	return 0;
}

/* "{ keys } values" */
static int add_entry(json_t *entries, char *line)
{
	json_t *entry = json_object();
	char *end = strrchr(line, '}');

	json_array_append_new(entries, entry);
	if (!end)
		return -1;
	*end = '\0';
	if (add_keys(entry, line + 1) || add_values(entry, end + 1))
		return -1;
	return json_object_get(entry, "hitcount") ? 0 : -1;
}

static bool take_total(char *line, const char *name, json_int_t *out)
{
	size_t len = strlen(name);

	line = trim(line);
	return !strncmp(line, name, len) && count_parse(line + len, out);
}

static int read_totals(struct lines *l, struct totals *t, struct why *why)
{
	char *line = lines_next(l);

	if (!line || !take_total(line, "Hits: ", &t->hits))
		return fail(why, "%s is torn: no Hits", l->name);
	line = lines_next(l);
	if (!line || !take_total(line, "Entries: ", &t->entries))
		return fail(why, "%s is torn: no Entries", l->name);
	line = lines_next(l);
	if (!line || !take_total(line, "Dropped: ", &t->dropped))
		return fail(why, "%s is torn: no Dropped", l->name);
	while ((line = lines_next(l)))
		if (*line)
			return lines_fail(l, why,
					  "the end of the one histogram");
	return 0;
}

static int read_entries(struct lines *l, json_t *entries, struct why *why)
{
	char *line;

	while ((line = lines_next(l))) {
		if (!strcmp(line, "Totals:"))
			return 0;
		if (!*line || *line == '#')
			continue;
		if (*line != '{' || add_entry(entries, line))
			return lines_fail(l, why, "an entry of a histogram");
	}
	return fail(why, "%s is torn: no Totals", l->name);
}

static int check_totals(const char *name, const json_t *entries,
			const struct totals *t, struct why *why)
{
	json_int_t hits = 0, n;
	json_t *entry;
	size_t i;

	if (t->dropped)
		return fail(why, "%s dropped %lld events", name,
			    (long long)t->dropped);
	json_array_foreach((json_t *)entries, i, entry)
		if (!json_count(entry, "hitcount", &n) || !count_add(&hits, n))
			return fail(why, "%s: hitcount is absurd", name);
	if (hits != t->hits || (json_int_t)json_array_size(entries) != t->entries)
		return fail(why, "%s: its entries are not those of its totals",
			    name);
	return 0;
}

json_t *hist_read(int dir, const char *name, struct why *why)
{
	json_t *entries = json_array();
	struct totals totals = { };
	struct lines l;
	int ret;

	ret = lines_open(&l, dir, name, why);
	if (!ret)
		ret = read_entries(&l, entries, why);
	if (!ret)
		ret = read_totals(&l, &totals, why);
	if (!ret)
		ret = check_totals(name, entries, &totals, why);
	lines_close(&l);
	if (ret) {
		json_decref(entries);
		return NULL;
	}
	return entries;
}
