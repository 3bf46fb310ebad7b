// SPDX-License-Identifier: GPL-2.0
/*
 * faults DEV MNT BACKING: allocations that fail, a disk that fails and one that is
 * full, under each policy. /dev/DEV is an XFS mounted at MNT, on the device-mapper's
 * "faults", which is all of the null_blk BACKING. What was written must be right and
 * what was charged given back, whatever failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "faults.h"

#define WRITES		200	/* of a run in which allocations fail */
#define MANY		2000000000L	/* faults, of which there are fewer */

long block, unit;
int unit_order;
const char *policy, *backing;

static uint64_t rng = 88172645463325252ULL;

static long below(long n)
{
	return kit_random(&rng) % n;
}

/* --- allocations that fail ---------------------------------------------- */

#define FAILSLAB	"/sys/kernel/debug/failslab"
#define FAIL_PAGE	"/sys/kernel/debug/fail_page_alloc"

static int make_it_fail = -1;

static void knob(const char *dir, const char *name, const char *val)
{
	char path[128];
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	err = kit_put(path, val, strlen(val));
	if (err)
		kit_fail("cannot write %s to %s: %s", val, path, strerror(-err));
}

static long faults_left(const char *dir)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "%s/times", dir);
	if (kit_get(path, text, sizeof(text)) <= 0)
		kit_fail("cannot read %s", path);
	return atol(text);
}

/* Of this task alone, PERCENT of the allocations; all, or those that do not wait. */
static void faults_of(const char *dir, const char *percent, bool may_wait)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld", MANY);
	knob(dir, "task-filter", "Y");
	knob(dir, "probability", percent);
	knob(dir, "interval", "1");
	knob(dir, "verbose", "0");
	knob(dir, "ignore-gfp-wait", may_wait ? "N" : "Y");
	knob(dir, "times", text);
	if (!strcmp(dir, FAIL_PAGE)) {
		knob(dir, "ignore-gfp-highmem", "N");
		knob(dir, "min-order", "0");
	}
	make_it_fail = open("/proc/self/make-it-fail", O_WRONLY);
	if (make_it_fail < 0)
		kit_fail("/proc/self/make-it-fail: %s", strerror(errno));
}

/* By a file that is open already: opening one needs memory. */
static void this_task(const char *on)
{
	if (pwrite(make_it_fail, on, 1, 0) != 1)
		kit_fail("/proc/self/make-it-fail: %s", strerror(errno));
}

/*
 * Writes of all sizes up to a few pages, into folios that are large again and
 * again. Those that get no memory fail, and leave what was there.
 */
static void writes_without_memory(struct tfile *f, const char *dir)
{
	long done = 0, failed = 0, reads = 0;
	char byte;

	/* Where few allocations are made, it takes longer until one fails. */
	for (int i = 0; i < WRITES ||
	     (i < 10 * WRITES && faults_left(dir) == MANY); i++) {
		off_t pos = below(f->size / KIT_PAGE) * KIT_PAGE;
		size_t len = unit;
		int err;

		if (i % 16 == 0) {
			need(!fsync(f->fd), "fsync: %s", strerror(errno));
			tfile_load(f, RA_DEFAULT);
		}
		if (i % 3 == 0) {
			pos += below(KIT_PAGE / 2);
			len = 1 + below(KIT_PAGE / 2);
		}
		this_task("1");
		err = tfile_write(f, pos, len, 0);
		if (pread(f->fd, &byte, 1, below(f->size)) != 1)
			reads++;
		this_task("0");
		if (kit_failed())
			return;
		need(!err || err == -ENOMEM, "write: %s", strerror(-err));
		done += !err;
		failed += !!err;
	}
	printf("# %s %s: %ld faults, %ld writes, %ld of them and %ld reads failed\n",
	       policy, strrchr(dir, '/') + 1, MANY - faults_left(dir),
	       done + failed, failed, reads);
	need(faults_left(dir) < MANY, "no allocation failed");
	kit_balanced("after allocations that failed");
}

static void memory(const char *dir, const char *percent)
{
	struct tfile f;

	cached(&f, ORDER_256K);
	use(policy);
	faults_of(dir, percent, true);
	if (!kit_failed())
		writes_without_memory(&f, dir);
	tfile_finish(&f);
}

static void slab(void)
{
	memory(FAILSLAB, "50");
}

static void pages(void)
{
	memory(FAIL_PAGE, "20");
}

/* A split that gets no memory is counted, and the write goes into the folio. */
static void refused_nomem(void)
{
	struct tfile f;
	long head;
	int order, err;

	head = cached(&f, ORDER_256K);
	if (kit_failed())
		return;
	order = f.order[head];
	use(policy);
	/* A split has to allocate without waiting; nothing else here has to. */
	faults_of(FAILSLAB, "100", false);
	if (kit_failed())
		return;
	/* Reading the counters may have to allocate, too. */
	sample();
	this_task("1");
	err = tfile_write(&f, (head + 36) * KIT_PAGE, unit, 0);
	this_task("0");
	need(!err, "write: %s", strerror(-err));
	sample_delta();
	expect_refusal(&f, head, order, "refused_nomem");
	need(did.dirtied == 1L << order, "%lld pages were dirtied", did.dirtied);
	kit_balanced("after a split that failed");
	/* With memory, the same write does it. */
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(acted() == 1, "split did not act: %s", counters_text(&did.c));
	tfile_finish(&f);
}

int main(int argc, char **argv)
{
	char names[KIT_POLICIES][KIT_NAME], label[64];
	struct statvfs fs;
	int nr;

	if (argc != 4 || statvfs(argv[2], &fs)) {
		fprintf(stderr, "usage: faults DEV MNT BACKING\n");
		return 2;
	}
	fs_use(argv[1], argv[2]);
	backing = argv[3];
	block = fs.f_bsize;
	unit = KIT_PAGE;
	kmsg_start();
	nr = policies(names);
	for (int i = 0; i < nr; i++) {
		policy = names[i];
		snprintf(label, sizeof(label), "faults.%ldk.%.31s",
			 block / 1024, policy);
		if (!strcmp(policy, "split"))
			kit_run(label, "refused_nomem", refused_nomem);
		kit_run(label, "slab", slab);
		kit_run(label, "pages", pages);
		kit_run(label, "io_error", io_error);
		kit_run(label, "shutdowns", shutdowns);
		kit_run(label, "no_space", no_space);
	}
	return kit_exit();
}
