/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of a write in ticks of the time stamp counter. Under QEMU's icount with
 * shift=0 the counter runs at 1 GHz and an instruction takes 1 ns, so a tick is an
 * instruction.
 */
#ifndef TICKS_H
#define TICKS_H

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

#define BLOCK	4096UL		/* what is written at a time */

/* The ticks of one write of a BLOCK at a page of the file. */
static inline uint64_t timed_write(int fd, const char *block, off_t page)
{
	uint64_t start, end;

	_mm_lfence();
	start = __rdtsc();
	if (pwrite(fd, block, BLOCK, page * BLOCK) != BLOCK)
		err(1, "write");
	_mm_lfence();
	end = __rdtsc();
	return end - start;
}

static inline int ticks_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts them, too. */
static inline double ticks_median(uint64_t *ticks, size_t n)
{
	qsort(ticks, n, sizeof(*ticks), ticks_compare);
	return (ticks[n / 2 - 1] + ticks[n / 2]) / 2.0;
}

#endif
