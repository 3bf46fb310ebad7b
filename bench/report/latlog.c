// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "latlog.h"
#include "lines.h"
#include "number.h"

/* Every latency, since fio's own percentiles are of buckets 1.6% wide. */
static int keep(struct latencies *all, json_int_t ns)
{
	if (all->nr == all->room) {
		size_t room = all->room ? 2 * all->room : 4096;
		json_int_t *grown = reallocarray(all->ns, room, sizeof(*grown));

		if (!grown)
			return -1;
		all->ns = grown;
		all->room = room;
	}
	all->ns[all->nr++] = ns;
	return 0;
}

static int by_ns(const void *a, const void *b)
{
	json_int_t x = *(const json_int_t *)a, y = *(const json_int_t *)b;

	return (x > y) - (x < y);
}

/*
 * "ms, latency in ns, direction (1 is write), block size, ..."; what follows
 * differs between fio versions and is not needed.
 */
static int add_line(struct latencies *all, char *line)
{
	json_int_t field[4];
	int i;

	for (i = 0; i < 4; i++) {
		char *text = strsep(&line, ",");

		if (!text || !count_parse(trim(text), &field[i]))
			return -1;
	}
	if (field[2] != 1)
		return -1;
	return keep(all, field[1]);
}

static int add_log(int dir, const char *name, struct latencies *all,
		   struct why *why)
{
	struct lines l;
	char *line;
	int ret;

	ret = lines_open(&l, dir, name, why);
	while (!ret && (line = lines_next(&l)))
		if (add_line(all, line))
			ret = lines_fail(&l, why, "a write of fio's log");
	lines_close(&l);
	return ret;
}

int latlog_all(int dir, struct latencies *all, struct why *why)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	int logs = 0, ret = 0;

	*all = (struct latencies){ };
	if (!d) {
		if (fd >= 0)
			close(fd);
		return fail(why, "cannot list the results: %s",
			    strerror(errno));
	}
	while (!ret && (e = readdir(d))) {
		if (fnmatch("*_clat*.log", e->d_name, 0))
			continue;
		logs++;
		ret = add_log(dir, e->d_name, all, why);
	}
	closedir(d);
	if (!logs)
		ret = fail(why, "fio's latency log is missing");
	if (!ret && all->nr)
		qsort(all->ns, all->nr, sizeof(*all->ns), by_ns);
	return ret;
}

json_int_t latlog_rank(const struct latencies *all, double share)
{
	/* 99 of 100 must be the 99th, whatever 0.99 * 100 is in binary. */
	size_t rank = ceil(share * all->nr - 1e-6);

	if (rank < 1)
		rank = 1;
	return all->ns[rank > all->nr ? all->nr - 1 : rank - 1];
}

int latlog_read(int dir, struct latlog *log, struct why *why)
{
	struct latencies all;
	int ret = latlog_all(dir, &all, why);
	size_t i;

	*log = (struct latlog){ .writes = all.nr };
	for (i = 0; i < all.nr; i++) {
		if (all.ns[i] >= SLEPT_NS)
			log->slept++;
		else
			log->awake_ns += all.ns[i];
	}
	if (all.nr) {
		log->p99_ns = latlog_rank(&all, 0.99);
		log->max_ns = all.ns[all.nr - 1];
	}
	free(all.ns);
	return ret;
}
