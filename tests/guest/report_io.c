// SPDX-License-Identifier: GPL-2.0
/*
 * Reports about the folios that are read and written to, what that costs, and what
 * the device gets to do.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "reports.h"

#define SECTOR		512
#define LOG_SLACK	(64 * 1024)	/* what the log may write meanwhile */
#define ODD_READ	(7 * KIT_PAGE)
#define RAMPED		(KIT_MIB / KIT_PAGE)
#define COST_WRITES	256
#define COST_ROUNDS	50	/* at the most: a machine may be busy */
#define COST_RATIO	2
#define FAULT_AROUND	16	/* pages that a fault maps, if they are cached */

static bool caps(void)
{
	return !strcmp(policy, "cap");
}

static long file_pages(const struct tfile *f)
{
	return f->size / KIT_PAGE;
}

/* The folios of F, to compare with others; to be freed. */
static int *orders_of(struct tfile *f)
{
	size_t len = file_pages(f) * sizeof(int);
	int *copy = malloc(len);

	tfile_map(f);
	if (copy)
		memcpy(copy, f->order, len);
	else
		kit_fail("out of memory");
	return copy;
}

/* F has the folios that it has under none; under cap, none is above ORDER. */
static void expect_orders(struct tfile *f, const int *want, int order,
			  const char *what)
{
	tfile_map(f);
	for (long i = 0; i < file_pages(f); i++)
		if (!caps())
			need(f->order[i] == want[i],
			     "%s: page %ld is in a folio of order %d, under none it is %d",
			     what, i, f->order[i], want[i]);
		else
			need(f->order[i] >= unit_order && f->order[i] <= order,
			     "%s: page %ld is in a folio of order %d, the cap is %d",
			     what, i, f->order[i], order);
}

/*
 * B2, c4602f9fa77f: reads that are not aligned to the readahead window must not
 * keep the folios from growing to the size of the window, and stay there.
 */
void b02_readahead_ramp(void)
{
	long grown = 0, pages = 0;
	int *under_none, top = 5;	/* 128 KiB, all of the window */
	struct tfile f;

	tfile_make(&f, "file", FILE_SIZE);
	tfile_load_by(&f, RA_DEFAULT, ODD_READ);
	under_none = orders_of(&f);
	for (long i = RAMPED; i < file_pages(&f); i++, pages++)
		grown += under_none[i] == top;
	need(grown >= pages / 4 * 3,
	     "after 1 MiB only %ld of %ld pages are in folios of order %d",
	     grown, pages, top);
	use(policy);
	tfile_load_by(&f, RA_DEFAULT, ODD_READ);
	expect_orders(&f, under_none, 2, "unaligned reads");
	free(under_none);
	tfile_finish(&f);
}

static long long device_sectors_written(void)
{
	long long sectors = -1;
	char path[128], buf[512];

	snprintf(path, sizeof(path), "/sys/block/%s/stat", fs_dev());
	if (kit_get(path, buf, sizeof(buf)) < 0 ||
	    sscanf(buf, "%*d %*d %*d %*d %*d %*d %lld", &sectors) != 1)
		kit_fail("cannot read %s", path);
	return sectors;
}

/* Write LEN bytes in each STEP of F: the device must get no more than that. */
static void written_once(struct tfile *f, off_t step, size_t len)
{
	long long before, bytes, data = 0;

	sync();
	before = device_sectors_written();
	for (off_t at = 0; at < f->size; at += step, data += len)
		need(!tfile_write(f, at, len, 0), "write failed");
	need(!fdatasync(f->fd), "fdatasync: %s", strerror(errno));
	bytes = (device_sectors_written() - before) * SECTOR;
	need(bytes >= data && bytes <= data + LOG_SLACK,
	     "%lld bytes were written, by %zu in each %lld, and the device got %lld",
	     data, len, (long long)step, bytes);
}

/*
 * B3, linux-xfs msg54686: small writes into a file that has been read must not
 * write back all of the folios that they are in.
 */
void b03_write_amplification(void)
{
	struct tfile f;

	tfile_make(&f, "file", FILE_SIZE);
	use(policy);
	tfile_load(&f, RA_DEFAULT);
	written_once(&f, FOLIO_256K, block);
	tfile_load(&f, RA_DEFAULT);
	written_once(&f, 16 * unit, unit);
	/* What dd conv=notrunc,fdatasync does. */
	tfile_load(&f, RA_DEFAULT);
	written_once(&f, unit, unit);
	tfile_finish(&f);
}

/* Seconds of CPU for small overwrites of 2 MiB from AT, with what is there. */
static double cost(struct tfile *f, off_t at)
{
	struct timespec from, to;
	uint64_t rng = 1;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	for (int i = 0; i < COST_WRITES; i++) {
		off_t pos = at + kit_random(&rng) % (2 * KIT_MIB / 1024) * 1024;

		if (pwrite(f->fd, f->model + pos, 1024, pos) != 1024)
			kit_fail("write: %s", strerror(errno));
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	return to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9;
}

/*
 * B12, lkml 2606.1/02805: what a small overwrite in the cache costs must not depend
 * on the size of the folio. All of the folio is dirty, for whoever walks it.
 */
void b12_small_overwrite_cost(void)
{
	double huge = 1e9, small = 1e9, t;
	struct tfile f, g;
	long head;

	head = cached(&f, ORDER_2M);
	use("cap");
	need(!vm_put(MAX_ORDER, "0"), "cannot set the order");
	tfile_make(&g, "small", FILE_SIZE);
	tfile_load(&g, RA_DEFAULT);
	need(!vm_put(MAX_ORDER, "2"), "cannot set the order");
	use(policy);
	need(!tfile_write(&f, head * KIT_PAGE, 2 * KIT_MIB, 0) &&
	     !tfile_write(&g, 0, 2 * KIT_MIB, 0), "write failed");
	tfile_map(&f);
	need(f.order[head] == ORDER_2M, "the folio is of order %d", f.order[head]);
	/* What disturbs makes it slower: the quickest round is the cost. */
	for (int i = 0; i < COST_ROUNDS; i++) {
		t = cost(&f, head * KIT_PAGE);
		huge = t < huge ? t : huge;
		t = cost(&g, 0);
		small = t < small ? t : small;
		if (i > 4 && huge <= COST_RATIO * small)
			break;
	}
	printf("# %s: %.1f us a write, in a folio of 2 MiB %.1f us\n", policy,
	       small / COST_WRITES * 1e6, huge / COST_WRITES * 1e6);
	need(huge <= COST_RATIO * small,
	     "%.1f us a write in a folio of 2 MiB, %.1f us in the smallest",
	     huge / COST_WRITES * 1e6, small / COST_WRITES * 1e6);
	kit_balanced("after small overwrites");
	close(g.fd);
	unlink(g.path);
	tfile_finish(&f);
}

/*
 * B14, bcachefs-tools#857: a folio smaller than the filesystem can do with, or
 * larger than it has asked for. With a largest order of 0 there is a conflict where
 * a block is larger than a page.
 */
void b14_min_order(void)
{
	struct tfile f;
	uint8_t *map;

	tfile_make(&f, "file", FILE_SIZE);
	use(policy);
	need(!vm_put(MAX_ORDER, "0"), "cannot set the order");
	tfile_load(&f, RA_DEFAULT);
	/* Into what is cached, into what is not, and to where there was nothing. */
	need(!tfile_write(&f, 20 * unit, unit, 0) &&
	     !tfile_write(&f, 40 * unit + 300, 100, 0), "write failed");
	tfile_truncate(&f, KIT_MIB);
	need(!tfile_write(&f, KIT_MIB, KIT_MIB, 0) &&
	     !tfile_write(&f, 3 * KIT_MIB + 5000, 100, 0), "write failed");
	need(!fsync(f.fd) && !posix_fadvise(f.fd, 0, KIT_MIB, POSIX_FADV_DONTNEED),
	     "fsync: %s", strerror(errno));
	map = mmap(NULL, KIT_MIB, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	for (off_t at = 0; at < KIT_MIB; at += KIT_PAGE)
		(void)*(volatile uint8_t *)(map + at);
	munmap(map, KIT_MIB);
	tfile_map(&f);
	for (long i = 0; i < file_pages(&f); i++)
		need(f.order[i] < 0 ||
		     (f.order[i] >= unit_order &&
		      (!caps() || f.order[i] == unit_order)),
		     "page %ld is in a folio of order %d, a block is of order %d",
		     i, f.order[i], unit_order);
	tfile_finish(&f);
}

/* Page faults of loading a byte of each page of F. */
static long load_faults(struct tfile *f)
{
	struct rusage from, to;
	uint8_t *map = mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->fd, 0);

	if (map == MAP_FAILED) {
		kit_fail("mmap: %s", strerror(errno));
		return 0;
	}
	getrusage(RUSAGE_SELF, &from);
	for (off_t at = 0; at < f->size; at += KIT_PAGE)
		(void)*(volatile uint8_t *)(map + at);
	getrusage(RUSAGE_SELF, &to);
	munmap(map, f->size);
	return to.ru_minflt + to.ru_majflt - from.ru_minflt - from.ru_majflt;
}

static void large_writes(struct tfile *f)
{
	for (off_t at = 0; at < f->size; at += KIT_MIB)
		need(!tfile_write(f, at, KIT_MIB, 0), "write failed");
}

/*
 * B20, "MMAP" of lmbench 8 to 12 % slower, 202505161418: what a policy is not
 * about, it must leave alone. Reads, loads and large writes have the same folios
 * and faults as under none, and are not acted on.
 */
void b20_no_cost_elsewhere(void)
{
	int *read_none, *written_none;
	struct tfile f;
	long faults_none, n;

	tfile_make(&f, "file", FILE_SIZE);
	tfile_load(&f, RA_DEFAULT);
	read_none = orders_of(&f);
	faults_none = load_faults(&f);
	tfile_truncate(&f, 0);
	large_writes(&f);
	tfile_truncate(&f, FILE_SIZE);
	large_writes(&f);
	written_none = orders_of(&f);
	need(!fsync(f.fd), "fsync: %s", strerror(errno));

	use(policy);
	sample();
	tfile_load(&f, RA_DEFAULT);
	sample_delta();
	expect_orders(&f, read_none, 2, "reads");
	need(caps() || counters_get(&did.c, "considered") == 0,
	     "%s was asked about reads: %s", policy, counters_text(&did.c));
	n = load_faults(&f);
	/* Smaller folios are what cap is for. They cost no more than this. */
	need(n <= (caps() ? file_pages(&f) / FAULT_AROUND : faults_none),
	     "%ld faults, %ld under none", n, faults_none);
	sample();
	large_writes(&f);
	sample_delta();
	need(acted() == 0, "%s acted on large writes: %s", policy,
	     counters_text(&did.c));
	need(did.dirtied == file_pages(&f), "%ld pages written, %lld dirtied",
	     file_pages(&f), did.dirtied);
	expect_orders(&f, read_none, 2, "writes to what is cached");
	tfile_truncate(&f, 0);
	tfile_truncate(&f, FILE_SIZE);
	large_writes(&f);
	expect_orders(&f, written_none, 2, "writes to what is not cached");
	free(read_none);
	free(written_none);
	tfile_finish(&f);
}
