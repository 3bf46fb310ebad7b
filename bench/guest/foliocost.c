// SPDX-License-Identifier: GPL-2.0
/*
 * foliocost FILE ORDER: the cost of 4 KiB writes into folios of 4 KiB << ORDER,
 * in ticks (see ticks.h). Prints three lines, medians:
 *
 *	first N		into a clean folio
 *	next N		into another page of the same folio (not for order 0)
 *	again N		into the first page once more
 *
 * foliocost switch POLICY: of a change of vm.folio_write_policy, between POLICY and
 * none. Prints a line "switch N".
 *
 * FILE is there, of 64 MiB at least, and its readahead makes folios of
 * that order. Before each round its cache is dropped and read again, for a policy
 * may have changed the folios. Exits with 1 if they are not of that order then.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kpage.h"
#include "ticks.h"

#define ROUNDS		4
#define CALLS		128	/* in a round, or as many as there are folios */

static uint64_t first[ROUNDS * CALLS], next[ROUNDS * CALLS], again[ROUNDS * CALLS];
static char buf[2UL << 20];
static unsigned int order, wrong;
static size_t size;	/* what is read of the file */

static void note_order(uint64_t index, unsigned int of, void *arg)
{
	(void)arg;
	/* Readahead begins with smaller ones, at the start of the file. */
	if (of != order && index >= size / BLOCK / 4)
		wrong++;
}

/* Read in pieces of a folio, which are the readahead's windows, too. */
static void load(int fd, const char *path)
{
	size_t piece = BLOCK << order;

	if (fsync(fd))
		err(1, "foliocost: fsync");
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	for (size_t at = 0; at < size; at += piece)
		if (pread(fd, buf, piece, at) != (ssize_t)piece)
			err(1, "foliocost: read");
	wrong = 0;
	kpage_walk_file(kpage_open(), path, note_order, NULL);
	if (wrong)
		errx(1, "foliocost: %u folios are not of order %u", wrong, order);
}

static void print_median(const char *name, uint64_t *ticks, size_t n)
{
	printf("%s %.1f\n", name, ticks_median(ticks, n));
}

static void time_switches(const char *policy)
{
	static const char knob[] = "/proc/sys/vm/folio_write_policy";
	int fd = open(knob, O_WRONLY);
	size_t n;

	if (fd < 0)
		err(1, "foliocost: %s", knob);
	for (n = 0; n < CALLS; n++) {
		const char *name = n % 2 ? policy : "none";
		uint64_t start;

		_mm_lfence();
		start = __rdtsc();
		if (pwrite(fd, name, strlen(name), 0) < 0)
			err(1, "foliocost: %s", name);
		_mm_lfence();
		first[n] = __rdtsc() - start;
	}
	print_median("switch", first, n);
}

int main(int argc, char **argv)
{
	off_t pages, begin, page;
	size_t n = 0, calls;
	int fd;

	if (argc == 3 && !strcmp(argv[1], "switch")) {
		time_switches(argv[2]);
		return fflush(stdout) || ferror(stdout);
	}
	if (argc != 3 || sscanf(argv[2], "%u", &order) != 1 || order > 9)
		errx(2, "usage: foliocost FILE ORDER (0 to 9), or switch POLICY");
	fd = open(argv[1], O_RDWR);
	if (fd < 0 || mlockall(MCL_CURRENT))
		err(1, "foliocost: %s", argv[1]);

	pages = 1L << order;
	size = order < 6 ? 4UL << 20 : 64UL << 20;
	begin = size / BLOCK / 4;
	calls = (size / BLOCK - begin) / pages;
	if (calls > CALLS)
		calls = CALLS;
	for (int round = 0; round < ROUNDS; round++) {
		load(fd, argv[1]);
		for (size_t i = 0; i < calls; i++, n++) {
			/* The second page, if there is one, then the last. */
			page = begin + i * pages;
			first[n] = timed_write(fd, buf, page + (order > 0));
			next[n] = order ? timed_write(fd, buf, page + pages - 1) : 0;
			again[n] = timed_write(fd, buf, page + (order > 0));
		}
	}
	print_median("first", first, n);
	if (order)
		print_median("next", next, n);
	print_median("again", again, n);
	return fflush(stdout) || ferror(stdout);
}
