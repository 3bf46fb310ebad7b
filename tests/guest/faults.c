// SPDX-License-Identifier: GPL-2.0
/*
 * faults DEV MNT BADBLOCKS: allocations that fail, a disk that fails and one that
 * is full, under each policy. /dev/DEV is an XFS mounted at MNT, BADBLOCKS the file
 * by which the null_blk under it is given bad sectors. What was written must be
 * right and what was charged given back, whatever failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "policy.h"

#define FOLIO_PAGES	(1L << ORDER_256K)
#define WRITES		200	/* of a run in which allocations fail */
#define ROUNDS		4	/* of an I/O error */
#define SECTOR		512
#define LEFT		(4 * KIT_MIB)	/* of the disk, to be filled up */
#define REFUSED		32	/* writes to a full disk */
#define MANY		2000000000L	/* faults, of which there are fewer */

long block, unit;
int unit_order;
const char *policy;

static const char *badblocks;
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
	int order;

	head = cached(&f, ORDER_256K);
	if (kit_failed())
		return;
	order = f.order[head];
	use(policy);
	/* A split has to allocate without waiting; nothing else here has to. */
	faults_of(FAILSLAB, "100", false);
	if (kit_failed())
		return;
	this_task("1");
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	this_task("0");
	expect_refusal(&f, head, order, "refused_nomem");
	need(did.dirtied == 1L << order, "%lld pages were dirtied", did.dirtied);
	kit_balanced("after a split that failed");
	/* With memory, the same write does it. */
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(acted() == 1, "split did not act: %s", counters_text(&did.c));
	tfile_finish(&f);
}

/* --- a disk that fails ---------------------------------------------------- */

/* The first sector of what is at POS of the file. */
static uint64_t sector_of(struct tfile *f, off_t pos)
{
	union {
		struct fiemap map;
		char room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
	} u = { .map = { .fm_start = pos, .fm_length = KIT_PAGE,
			 .fm_extent_count = 1 } };
	struct fiemap_extent *e = u.map.fm_extents;

	if (ioctl(f->fd, FS_IOC_FIEMAP, &u) || u.map.fm_mapped_extents != 1) {
		kit_fail("FIEMAP: %s", strerror(errno));
		return 0;
	}
	return (e->fe_physical + pos - e->fe_logical) / SECTOR;
}

/* SIGN is '+' for bad, '-' for good. */
static void medium(char sign, uint64_t sector, long sectors)
{
	char text[64];
	int err;

	snprintf(text, sizeof(text), "%c%llu-%llu", sign,
		 (unsigned long long)sector,
		 (unsigned long long)sector + sectors - 1);
	err = kit_put(badblocks, text, strlen(text));
	if (err)
		kit_fail("%s: %s", badblocks, strerror(-err));
}

/* A page in each folio, and more in some. */
static void write_some(struct tfile *f)
{
	for (long page = 0; page < f->size / KIT_PAGE; page += 24) {
		off_t pos = page * KIT_PAGE & -unit;

		need(!tfile_write(f, pos, unit, 0), "write: %s",
		     strerror(errno));
	}
}

/* One round: what fails is the half of a folio, and what the same request has. */
static void io_error_once(struct tfile *good)
{
	const long sectors = FOLIO_PAGES / 2 * KIT_PAGE / SECTOR;
	struct tfile bad;
	uint64_t sector;
	long head;

	head = cached(&bad, ORDER_256K);
	tfile_load(good, RA_DEFAULT);
	use(policy);
	if (kit_failed())
		return;
	write_some(&bad);
	write_some(good);
	sector = sector_of(&bad, head * KIT_PAGE);
	medium('+', sector, sectors);
	need(fsync(bad.fd) && errno == EIO, "fsync of a bad disk gave no EIO");
	need(!fsync(bad.fd), "the error is told twice: %s", strerror(errno));
	kit_balanced("after an I/O error");
	need(!fsync(good->fd), "fsync of what is good: %s", strerror(errno));
	tfile_verify(good, "the other file");
	medium('-', sector, sectors);
	need(vmstat("nr_dirty") == 0, "nr_dirty is %lld after an error",
	     vmstat("nr_dirty"));
	need(vmstat("nr_writeback") == 0, "nr_writeback is %lld after an error",
	     vmstat("nr_writeback"));
	/* What could not be written is the application's to write again. */
	write_some(&bad);
	need(!fsync(bad.fd), "fsync of a disk that is good again: %s",
	     strerror(errno));
	close(good->fd);
	good->fd = -1;
	tfile_finish(&bad);
	close(bad.fd);
}

static void io_error(void)
{
	struct tfile good;
	int done = 0;

	tfile_make(&good, "good", FILE_SIZE);
	while (done < ROUNDS && !kit_failed()) {
		io_error_once(&good);
		done++;
	}
	printf("# %s: %d fsyncs of a bad disk\n", policy, done);
	if (kit_failed())
		return;
	tfile_load(&good, RA_DEFAULT);
	tfile_finish(&good);
}

/* --- a disk that is full -------------------------------------------------- */

static void no_space(void)
{
	long written = 0, refused_writes = 0;
	struct statvfs fs;
	struct tfile f;
	char path[256];
	int fd;

	tfile_make(&f, "sparse", 4 * FILE_SIZE);
	need(!fallocate(f.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			f.size) && !fsync(f.fd), "punch: %s", strerror(errno));
	tfile_zero(&f, 0, f.size);
	snprintf(path, sizeof(path), "%s/filler", fs_mnt());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0 && !statvfs(fs_mnt(), &fs), "%s: %s", path,
	     strerror(errno));
	need(!fallocate(fd, 0, 0, fs.f_bavail * fs.f_bsize - LEFT),
	     "fallocate: %s", strerror(errno));
	/* Large folios of holes, each page of which wants a block of its own. */
	tfile_load(&f, RA_DEFAULT);
	use(policy);
	for (long page = 0; page < f.size / KIT_PAGE; page += 3) {
		/* XFS looks everywhere for space, each time. */
		if (refused_writes == REFUSED)
			break;
		off_t pos = page * KIT_PAGE & -unit;
		int err = tfile_write(&f, pos, unit, 0);

		need(!err || err == -ENOSPC, "write: %s", strerror(-err));
		written += !err;
		refused_writes += !!err;
		if (page % 300 == 0)
			kit_balanced("on a full disk");
	}
	printf("# %s: %ld writes, %ld of them ENOSPC\n", policy,
	       written + refused_writes, refused_writes);
	need(refused_writes == REFUSED, "the disk was never full");
	need(written, "the disk was full at once");
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	close(fd);
	tfile_finish(&f);
	close(f.fd);
	unlink(path);
	fs_settle();
}

int main(int argc, char **argv)
{
	char names[KIT_POLICIES][KIT_NAME], label[64];
	struct statvfs fs;
	int nr;

	if (argc != 4 || statvfs(argv[2], &fs)) {
		fprintf(stderr, "usage: faults DEV MNT BADBLOCKS\n");
		return 2;
	}
	fs_use(argv[1], argv[2]);
	badblocks = argv[3];
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
		kit_run(label, "no_space", no_space);
	}
	return kit_exit();
}
