// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "stats.h"

/* The size that a name ends with, and how long the name is before it. */
static bool parse_size(const char *name, size_t *len, double *bytes)
{
	const char *last = strrchr(name, '_');
	char *end;

	if (!last || last == name || last[1] < '1' || last[1] > '9')
		return false;
	*bytes = strtoul(last + 1, &end, 10);
	if (!strcmp(end, "k"))
		*bytes *= 1 << 10;
	else if (!strcmp(end, "m"))
		*bytes *= 1 << 20;
	else
		return false;
	*len = last - name;
	return true;
}

static bool member_value(const struct member *m, const struct outcome_row *row,
			 double *value)
{
	size_t n;
	double *x = outcome_samples(row, m->metric->name, &n);

	if (!x)
		return false;
	*value = stats_of(x, n).mean;
	free(x);
	return true;
}

static bool any_value(const struct outcome *o, const struct member *m)
{
	double value;
	size_t i;

	for (i = 0; i < o->nr_rows; i++)
		if (member_value(m, &o->rows[i], &value))
			return true;
	return false;
}

static struct family *family_for(struct family **all, size_t *nr,
				 const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < *nr; i++)
		if (strlen((*all)[i].name) == len &&
		    !memcmp((*all)[i].name, name, len))
			return &(*all)[i];
	*all = reallocarray(*all, *nr + 1, sizeof(**all));
	if (!*all)
		abort();
	(*all)[*nr] = (struct family){ .name = strndup(name, len) };
	return &(*all)[(*nr)++];
}

static int by_bytes(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void free_one(struct family *f)
{
	free(f->name);
	free(f->members);
}

struct family *families_find(const struct outcome *o, size_t *nr)
{
	struct family *all = NULL;
	size_t i, kept = 0;

	*nr = 0;
	for (i = 0; i < o->nr_metrics; i++) {
		struct member m = { .metric = &o->metrics[i] };
		struct family *f;
		size_t len;

		if (!parse_size(m.metric->name, &len, &m.bytes) ||
		    !any_value(o, &m))
			continue;
		f = family_for(&all, nr, m.metric->name, len);
		f->members = reallocarray(f->members, f->nr + 1, sizeof(m));
		if (!f->members)
			abort();
		f->members[f->nr++] = m;
	}
	for (i = 0; i < *nr; i++) {
		if (all[i].nr < 2) {
			free_one(&all[i]);
			continue;
		}
		qsort(all[i].members, all[i].nr, sizeof(*all[i].members),
		      by_bytes);
		all[kept++] = all[i];
	}
	*nr = kept;
	return all;
}

void families_free(struct family *families, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free_one(&families[i]);
	free(families);
}

bool family_is_predicted(const struct family *f)
{
	return !strcmp(f->name, PREDICTED);
}

const struct family *family_prediction(const struct family *families,
				       size_t nr, const struct family *f)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (family_is_predicted(&families[i]) &&
		    !strcmp(families[i].members[0].metric->unit,
			    f->members[0].metric->unit))
			return &families[i];
	return NULL;
}

bool family_value(const struct family *f, double bytes,
		  const struct outcome_row *row, double *value)
{
	size_t i;

	for (i = 0; f && i < f->nr; i++)
		if (f->members[i].bytes == bytes)
			return member_value(&f->members[i], row, value);
	return false;
}

size_t family_rows(const struct outcome *o, const struct family *f,
		   const struct outcome_row **rows)
{
	size_t i, j, nr = 0;
	double value;

	for (i = 0; i < o->nr_rows; i++)
		for (j = 0; j < f->nr; j++)
			if (member_value(&f->members[j], &o->rows[i], &value)) {
				rows[nr++] = &o->rows[i];
				break;
			}
	return nr;
}

const char *member_size(const struct member *m)
{
	return strrchr(m->metric->name, '_') + 1;
}
