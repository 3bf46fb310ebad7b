// SPDX-License-Identifier: GPL-2.0
/* The kernel's counters of the row's policy. */
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "pairs.h"
#include "row.h"

#define REFUSED "refused_"

/* The counter's own name if @key is POLICY/NAME of the row's policy. */
static const char *own_counter(const struct row *row, const char *key)
{
	size_t len = strlen(row->policy);

	if (strncmp(key, row->policy, len) || key[len] != '/')
		return NULL;
	return key + len + 1;
}

static bool own_count(const struct row *row, const json_t *counters,
		      const char *name, json_int_t *out)
{
	char key[128];

	snprintf(key, sizeof(key), "%s/%s", row->policy, name);
	return json_count(counters, key, out);
}

/* Each decision has one outcome, so the outcomes add up to the decisions. */
static bool add_up(struct row *row, const json_t *counters, const char *file)
{
	json_int_t considered, sum;
	const char *key, *name;
	json_t *v;

	if (!own_count(row, counters, "considered", &considered) ||
	    !own_count(row, counters, "acted", &sum)) {
		row_reject(row, "%s lacks %s/considered or %s/acted", file,
			   row->policy, row->policy);
		return false;
	}
	json_object_foreach((json_t *)counters, key, v) {
		name = own_counter(row, key);
		if (name && !strncmp(name, REFUSED, strlen(REFUSED)) &&
		    !count_add(&sum, json_integer_value(v)))
			sum = -1;
	}
	if (sum != considered) {
		row_reject(row, "%s: %s considered %lld, but acted and refused add up to %lld",
			   file, row->policy, (long long)considered,
			   (long long)sum);
		return false;
	}
	return true;
}

static void add_differences(struct row *row, const json_t *before,
			    const json_t *after)
{
	json_t *by = json_object();
	json_int_t refused = 0;
	const char *key, *name;
	json_t *v;

	json_object_foreach((json_t *)after, key, v) {
		json_int_t was = 0, diff;

		name = own_counter(row, key);
		if (!name)
			continue;
		if (!json_count(before, key, &was) ||
		    json_integer_value(v) < was) {
			row_reject(row, "counters: %s went backwards or was not there before",
				   key);
			continue;
		}
		diff = json_integer_value(v) - was;
		if (!strcmp(name, "acted"))
			row_set_count(row, "acted", diff);
		if (strncmp(name, REFUSED, strlen(REFUSED)))
			continue;
		refused += diff;	/* no more than considered */
		json_object_set_new(by, name + strlen(REFUSED),
				    json_integer(diff));
	}
	row_set_count(row, "refused", refused);
	json_object_set_new(row->metrics, "refused_by", by);
}

static bool has_own(const struct row *row, const json_t *counters)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)counters, key, v)
		if (own_counter(row, key))
			return true;
	return false;
}

void counters_add(struct row *row)
{
	json_t *before, *after = NULL;
	struct why why;

	if (!row->patched)
		return;
	before = pairs_read_counts(row->results, "counters-before", &why);
	if (before)
		after = pairs_read_counts(row->results, "counters-after", &why);
	if (!after) {
		row_reject(row, "%s", why.text);
		goto out;
	}
	/* none decides nothing, so it may have nothing to count. */
	if (!strcmp(row->policy, "none") && !has_own(row, before) &&
	    !has_own(row, after))
		goto out;
	if (add_up(row, before, "counters-before") &&
	    add_up(row, after, "counters-after"))
		add_differences(row, before, after);
out:
	json_decref(before);
	json_decref(after);
}
