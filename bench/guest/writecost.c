// SPDX-License-Identifier: GPL-2.0
/*
 * writecost DIR: the cost of a 4 KiB write into an order-0 folio, as JSON.
 *
 *	{"clean":{"n":...,"min":...,"mean":...,"median":...},"dirty":{...},
 *	 "max_order_seen":0}
 *
 * "clean" is the first write into a clean folio, "dirty" the next write into
 * the same one. The unit is a tick of the time stamp counter; under QEMU's
 * icount with shift=0 the counter runs at 1 GHz and an instruction takes 1 ns,
 * so a tick is an instruction. All calls count in the mean, with the timer
 * interrupts that fell into them.
 *
 * Exits with 1 if the file's folios are not all of order 0.
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

#define PAGES	256
/* Powers of two, so that the mean is an exact decimal of at most 14 digits. */
#define ROUNDS	64
#define CALLS	(PAGES * ROUNDS)
/* Odd, so that a multiple of it visits each page once. */
#define STRIDE	167

static uint64_t clean[CALLS], dirty[CALLS];
static char block[BLOCK];

static void write_page(int fd, unsigned int page)
{
	if (pwrite(fd, block, BLOCK, (off_t)page * BLOCK) != BLOCK)
		err(1, "writecost: write");
}

/* Dirty every page twice, and leave every page clean. */
static void one_round(int fd, uint64_t *first, uint64_t *second)
{
	/* The pages are not visited in order: nothing may see a stream. */
	for (unsigned int i = 0; i < PAGES; i++)
		first[i] = timed_write(fd, block, i * STRIDE % PAGES);
	for (unsigned int i = 0; i < PAGES; i++)
		second[i] = timed_write(fd, block, i * STRIDE % PAGES);
	if (fsync(fd))
		err(1, "writecost: fsync");
}

static void print_summary(const char *name, uint64_t *ticks)
{
	double median = ticks_median(ticks, CALLS);
	uint64_t sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += ticks[i];
	printf("\"%s\":{\"n\":%d,\"min\":%llu,\"mean\":%.14f,\"median\":%.1f},",
	       name, CALLS, (unsigned long long)ticks[0], (double)sum / CALLS,
	       median);
}

static void note_order(uint64_t index, unsigned int order, void *arg)
{
	unsigned int *max = arg;

	(void)index;
	if (order > *max)
		*max = order;
}

int main(int argc, char **argv)
{
	unsigned int max_order = 0;
	char path[4096];
	size_t resident;
	int fd;

	if (argc != 2)
		errx(2, "usage: writecost DIR");
	if (snprintf(path, sizeof(path), "%s/writecost.tmp", argv[1]) >=
	    (int)sizeof(path))
		errx(2, "writecost: the name of DIR is too long");
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "writecost: %s", path);
	memset(block, 'w', sizeof(block));

	/* A write makes a folio of its own size where there was none. */
	for (unsigned int i = 0; i < PAGES; i++)
		write_page(fd, i * STRIDE % PAGES);
	if (fsync(fd))
		err(1, "writecost: fsync");
	one_round(fd, clean, dirty);	/* warm up */
	for (unsigned int i = 0; i < CALLS; i += PAGES)
		one_round(fd, clean + i, dirty + i);

	resident = kpage_walk_file(kpage_open(), path, note_order, &max_order);
	close(fd);
	unlink(path);
	if (resident != PAGES)
		errx(1, "writecost: %zu of %d pages cached: give the guest more memory",
		     resident, PAGES);
	putchar('{');
	print_summary("clean", clean);
	print_summary("dirty", dirty);
	printf("\"max_order_seen\":%u}\n", max_order);
	if (max_order)
		errx(1, "writecost: a folio of order %u, not 0: the cost is not of single pages",
		     max_order);
	return fflush(stdout) || ferror(stdout);
}
