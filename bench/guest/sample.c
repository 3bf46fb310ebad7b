// SPDX-License-Identifier: GPL-2.0
/*
 * sample OUT.csv INTERVAL_MS: write the kernel's dirty counters to OUT.csv once
 * an interval, until SIGTERM.
 *
 * Columns: CLOCK_MONOTONIC in ns, then the counters of /proc/vmstat below, in
 * pages. A tick is one pread, one search and one buffered write, so it costs
 * the same at the start of a run and at its end.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_MSEC	1000000L
#define NSEC_PER_SEC	1000000000L

static const struct {
	const char *column;
	const char *vmstat;
} counters[] = {
	{ "nr_dirty",			"\nnr_dirty " },
	{ "nr_writeback",		"\nnr_writeback " },
	{ "nr_dirtied",			"\nnr_dirtied " },
	{ "nr_written",			"\nnr_written " },
	{ "dirty_threshold",		"\nnr_dirty_threshold " },
	{ "dirty_background_threshold",	"\nnr_dirty_background_threshold " },
};

#define NR_COUNTERS	(sizeof(counters) / sizeof(counters[0]))

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

static void sample(int vmstat, FILE *out)
{
	char buf[16384];
	struct timespec now;
	ssize_t len = pread(vmstat, buf, sizeof(buf) - 1, 0);

	if (len <= 0 || len == sizeof(buf) - 1)
		err(1, "sample: /proc/vmstat: %zd bytes read", len);
	buf[len] = '\0';
	clock_gettime(CLOCK_MONOTONIC, &now);
	fprintf(out, "%lld", (long long)now.tv_sec * NSEC_PER_SEC + now.tv_nsec);
	for (size_t i = 0; i < NR_COUNTERS; i++) {
		const char *at = strstr(buf, counters[i].vmstat);

		if (!at)
			errx(1, "sample: no %s in /proc/vmstat",
			     counters[i].column);
		fprintf(out, ",%llu", strtoull(at + strlen(counters[i].vmstat),
					       NULL, 10));
	}
	fputc('\n', out);
}

int main(int argc, char **argv)
{
	struct sigaction term = { .sa_handler = on_term };
	struct timespec next;
	long interval_ms;
	int vmstat;
	FILE *out;

	interval_ms = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	if (interval_ms <= 0)
		errx(2, "usage: sample OUT.csv INTERVAL_MS");
	vmstat = open("/proc/vmstat", O_RDONLY);
	if (vmstat < 0)
		err(1, "sample: /proc/vmstat");
	out = fopen(argv[1], "w");
	if (!out)
		err(1, "sample: %s", argv[1]);
	sigaction(SIGTERM, &term, NULL);

	fputs("t_ns", out);
	for (size_t i = 0; i < NR_COUNTERS; i++)
		fprintf(out, ",%s", counters[i].column);
	fputc('\n', out);

	/* Absolute times: the cost of a tick must not stretch the interval. */
	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!stop) {
		sample(vmstat, out);
		next.tv_nsec += interval_ms % 1000 * NSEC_PER_MSEC;
		next.tv_sec += interval_ms / 1000 + next.tv_nsec / NSEC_PER_SEC;
		next.tv_nsec %= NSEC_PER_SEC;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	sample(vmstat, out);
	if (fclose(out))
		err(1, "sample: %s", argv[1]);
	return 0;
}
