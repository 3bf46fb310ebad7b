// SPDX-License-Identifier: GPL-2.0
/* The guest's sampler of /proc/vmstat. */
#include <string.h>

#include "lines.h"
#include "number.h"
#include "row.h"
#include "sampler.h"

static const char header[] = "t_ns,nr_dirty,nr_writeback,nr_dirtied,nr_written,dirty_threshold,dirty_background_threshold";

#define COLUMNS (sizeof(struct sample) / sizeof(json_int_t))
#define SAMPLES_MIN 20
/* A hole this many times the mean interval: the sampler was not running. */
#define HOLE_FACTOR 10

struct samples {
	json_int_t n;
	json_int_t first_ns;
	json_int_t last_ns;
	json_int_t hole_ns;
	json_int_t dirty_max;	/* pages */
};

static int parse(char *line, struct sample *s)
{
	json_int_t *col = (json_int_t *)s;
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		char *text = strsep(&line, ",");

		if (!text || !count_parse(text, &col[i]))
			return -1;
	}
	return line ? -1 : 0;
}

int sampler_each(int dir, void (*take)(const struct sample *s, void *arg),
		 void *arg, struct why *why)
{
	struct sample s = { .t_ns = -1 };
	struct lines l;
	char *line;
	int ret;

	ret = lines_open(&l, dir, "sample.csv", why);
	if (!ret) {
		line = lines_next(&l);
		if (!line || strcmp(line, header))
			ret = fail(why, "sample.csv does not begin with the sampler's header");
	}
	while (!ret && (line = lines_next(&l))) {
		const json_int_t last_ns = s.t_ns;

		if (parse(line, &s) || s.t_ns <= last_ns)
			ret = lines_fail(&l, why, "a later sample of 7 counts");
		else
			take(&s, arg);
	}
	lines_close(&l);
	return ret;
}

static void add_sample(const struct sample *sample, void *arg)
{
	struct samples *s = arg;

	if (!s->n)
		s->first_ns = sample->t_ns;
	else if (sample->t_ns - s->last_ns > s->hole_ns)
		s->hole_ns = sample->t_ns - s->last_ns;
	s->last_ns = sample->t_ns;
	if (sample->nr_dirty > s->dirty_max)
		s->dirty_max = sample->nr_dirty;
	s->n++;
}

static void check_span(struct row *row, const struct samples *s)
{
	const json_int_t span = s->last_ns - s->first_ns;
	json_int_t mean, asked_s;

	if (!row_env_count(row, "FWP_RUNTIME", &asked_s))
		return;
	if (s->n < SAMPLES_MIN) {
		row_reject(row, "sample.csv has %lld samples, at least %d are needed",
			   (long long)s->n, SAMPLES_MIN);
		return;
	}
	mean = span / (s->n - 1);
	/* It starts before fio and ends after it, to within one interval. */
	if ((span + 2 * mean) / 1000000000 < asked_s)
		row_reject(row, "sampler covers %.3f s of a write phase of %lld s",
			   span / 1e9, (long long)asked_s);
	if (s->hole_ns / HOLE_FACTOR > mean)
		row_reject(row, "sampler has a hole of %.3f s, its mean interval is %.3f s",
			   s->hole_ns / 1e9, mean / 1e9);
}

void sampler_add(struct row *row)
{
	json_int_t bytes, limit;
	struct samples s = { };
	struct why why;

	if (sampler_each(row->results, add_sample, &s, &why)) {
		row_reject(row, "%s", why.text);
		return;
	}
	check_span(row, &s);
	if (__builtin_mul_overflow(s.dirty_max, (json_int_t)PAGE_BYTES,
				   &bytes)) {
		row_reject(row, "sample.csv: nr_dirty is absurd");
		return;
	}
	row_set_count(row, "dirty_max_bytes", bytes);
	/* Equal to what was read back: settings_add() rejects all else. */
	if (!row_env_count(row, "FWP_DIRTY_BYTES", &limit))
		return;
	if (limit)
		row_set_real(row, "dirty_max_share", (double)bytes / limit);
	else
		row_reject(row, "env: FWP_DIRTY_BYTES is 0");
}
