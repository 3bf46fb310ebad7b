// SPDX-License-Identifier: GPL-2.0
/*
 * account DEV MNT [TEST...]: what the policy "account" charges and discharges,
 * to the page, operation by operation. /dev/DEV is an XFS mounted at MNT. After
 * each operation the ledger, if the kernel has one, must balance, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tfile.h"

#define RA_DEFAULT	128
#define ORDER		6
#define FOLIO_PAGES	(1L << ORDER)
#define FILE_SIZE	(4 * KIT_MIB)

static long block;		/* block size of the filesystem */
static long unit;		/* pages of a block, at least one */

static struct tfile f;
static long head;		/* first page of the folio that is written to */
static long long dirty0, dirtied0, written0;

static void mark(void)
{
	dirty0 = vmstat("nr_dirty");
	dirtied0 = vmstat("nr_dirtied");
	written0 = vmstat("nr_written");
}

/* Since mark(): so many pages more are dirty, and so many were dirtied. */
static void expect(const char *what, long dirty, long dirtied)
{
	long long d = vmstat("nr_dirty") - dirty0;
	long long n = vmstat("nr_dirtied") - dirtied0;

	if (d != dirty || n != dirtied)
		kit_fail("%s: nr_dirty %+lld, nr_dirtied %+lld, expected %+ld and %+ld",
			 what, d, n, dirty, dirtied);
	kit_balanced(what);
	mark();
}

static void use(const char *name)
{
	int err = vm_put(POLICY, name);

	if (err)
		kit_fail("cannot select %s: %s", name, strerror(-err));
}

/* Write a whole block, or a page, at PAGE of the folio. */
static void write_at(long page, size_t len, int rwf)
{
	int err = tfile_write(&f, (head + page) * KIT_PAGE, len, rwf);

	if (err)
		kit_fail("write at page %ld: %s", page, strerror(-err));
}

static void put(long page)
{
	write_at(page, unit * KIT_PAGE, 0);
}

/* A file of folios of 256 KiB, all of them clean. */
static bool cached(const char *policy)
{
	use(policy);
	tfile_make(&f, "file", FILE_SIZE);
	tfile_load(&f, RA_DEFAULT);
	tfile_map(&f);
	head = tfile_folio(&f, ORDER);
	if (!kit_failed() && f.order[head] != ORDER)
		kit_fail("the folio is of order %d", f.order[head]);
	sync();
	mark();
	return !kit_failed();
}

static void whole_still(void)
{
	tfile_map(&f);
	if (f.order[head] != ORDER)
		kit_fail("the folio is of order %d now", f.order[head]);
}

static void sync_it(const char *what, long dirty, long written)
{
	long long n;

	fsync(f.fd);
	n = vmstat("nr_written") - written0;
	if (n != written)
		kit_fail("%s: %lld pages written, expected %ld", what, n,
			 written);
	expect(what, -dirty, 0);
}

static void writes(void)
{
	if (!cached("account"))
		return;
	put(16);
	expect("clean folio", unit, unit);
	put(32);
	expect("dirty folio", unit, unit);
	put(32);
	expect("dirty page", 0, 0);
	write_at(28, 12 * KIT_PAGE, 0);
	expect("12 pages over dirty ones", 12 - unit, 12 - unit);
	write_at(0, 100, 0);
	expect("100 bytes", unit, unit);
	tfile_write(&f, head * KIT_PAGE + 2000, 100, 0);
	expect("100 bytes of the same page", 0, 0);
	whole_still();
	sync_it("fsync", 12 + 2 * unit, 12 + 2 * unit);
	put(16);
	expect("clean again", unit, unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void whole(void)
{
	if (!cached("account"))
		return;
	write_at(0, FOLIO_PAGES * KIT_PAGE, 0);
	expect("whole folio", FOLIO_PAGES, FOLIO_PAGES);
	put(4);
	expect("a page of it", 0, 0);
	sync_it("fsync", FOLIO_PAGES, FOLIO_PAGES);
	put(4);
	expect("a page", unit, unit);
	write_at(0, FOLIO_PAGES * KIT_PAGE, 0);
	expect("the rest", FOLIO_PAGES - unit, FOLIO_PAGES - unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void flips(void)
{
	if (!cached("account"))
		return;
	put(16);
	expect("account", unit, unit);
	use("none");
	put(16);
	expect("none, a dirty page", FOLIO_PAGES - unit, FOLIO_PAGES - unit);
	put(32);
	expect("none, a clean page", 0, 0);
	use("account");
	put(48);
	expect("account, charged whole", 0, 0);
	sync_it("fsync", FOLIO_PAGES, FOLIO_PAGES);

	put(16);
	expect("account", unit, unit);
	use("none");
	expect("nothing", 0, 0);
	sync_it("fsync under none", unit, unit);

	put(16);
	expect("none, clean", FOLIO_PAGES, FOLIO_PAGES);
	use("account");
	put(32);
	expect("account, charged whole", 0, 0);
	sync_it("fsync under account", FOLIO_PAGES, FOLIO_PAGES);
	for (int i = 0; i < 20; i++) {
		use(i % 2 ? "none" : "account");
		put(4 * (i % 16));
		kit_balanced("flip");
		if (i % 3 == 2)
			fsync(f.fd);
	}
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void mapped(void)
{
	char *map;

	if (!cached("account"))
		return;
	map = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	put(16);
	expect("write", unit, unit);
	map[(head + 40) * KIT_PAGE] = f.model[(head + 40) * KIT_PAGE] = 1;
	expect("store", FOLIO_PAGES - unit, FOLIO_PAGES - unit);
	put(8);
	expect("write to a charged folio", 0, 0);
	sync_it("fsync", FOLIO_PAGES, FOLIO_PAGES);
	put(8);
	expect("write to a clean folio", unit, unit);
	map[(head + 40) * KIT_PAGE] = f.model[(head + 40) * KIT_PAGE] = 2;
	expect("store", FOLIO_PAGES - unit, FOLIO_PAGES - unit);
	munmap(map, FILE_SIZE);
	expect("munmap", 0, 0);
	sync_it("fsync", FOLIO_PAGES, FOLIO_PAGES);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void truncated(void)
{
	if (!cached("account"))
		return;
	put(16);
	put(32);
	put(48);
	expect("three", 3 * unit, 3 * unit);
	tfile_truncate(&f, (head + 40) * KIT_PAGE);
	expect("truncate off one", -unit, 0);
	tfile_truncate(&f, (head + 52) * KIT_PAGE);
	put(48);
	expect("write there again", unit, unit);
	tfile_truncate(&f, (head + 32) * KIT_PAGE);
	expect("truncate off two", -2 * unit, 0);
	tfile_truncate(&f, head * KIT_PAGE);
	expect("truncate off the folio", -unit, 0);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

/* A dirty folio without a record is split where the file ends from now on. */
static void split_at_eof(void)
{
	if (!cached("account"))
		return;
	/* Or truncation writes all that the disk's inode does not have yet. */
	tfile_truncate(&f, FILE_SIZE + KIT_MIB);
	sync();
	mark();
	head = FILE_SIZE / KIT_PAGE;
	write_at(0, FOLIO_PAGES * KIT_PAGE, 0);
	expect("a new folio", FOLIO_PAGES, FOLIO_PAGES);
	tfile_truncate(&f, (head + FOLIO_PAGES / 2) * KIT_PAGE);
	expect("truncate in the middle", -FOLIO_PAGES / 2, 0);
	put(4);
	expect("a dirty page", 0, 0);
	sync_it("fsync", FOLIO_PAGES / 2, FOLIO_PAGES / 2);
	put(4);
	expect("a clean page", unit, unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

/* XFS writes back what it punches, so that nothing is left of it. */
static void punched(void)
{
	if (!cached("account"))
		return;
	put(16);
	put(32);
	expect("two", 2 * unit, 2 * unit);
	need(!fallocate(f.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(head + 16) * KIT_PAGE, unit * KIT_PAGE),
	     "punch: %s", strerror(errno));
	tfile_zero(&f, (head + 16) * KIT_PAGE, unit * KIT_PAGE);
	kit_balanced("punch");
	sync();
	mark();
	put(16);
	kit_balanced("write into the hole");
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void removed(void)
{
	if (!cached("account"))
		return;
	put(16);
	put(32);
	expect("two", 2 * unit, 2 * unit);
	unlink(f.path);
	close(f.fd);
	expect("last close of a removed file", -2 * unit, 0);
	f.fd = -1;
	fs_settle();
}

/* Every allocation of this task that may fail does. */
static int task_fd = -1;

static int task_fails_setup(void)
{
	static const char *dir = "/sys/kernel/debug/failslab/";
	static const char *const knobs[][2] = {
		{ "task-filter", "Y" }, { "probability", "100" },
		{ "times", "-1" }, { "verbose", "0" },
		{ "ignore-gfp-wait", "N" }, { "interval", "1" },
	};
	char path[128];

	for (size_t i = 0; i < sizeof(knobs) / sizeof(*knobs); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, knobs[i][0]);
		if (kit_put(path, knobs[i][1], strlen(knobs[i][1])))
			return -1;
	}
	task_fd = open("/proc/self/make-it-fail", O_WRONLY);
	return task_fd < 0 ? -1 : 0;
}

static void task_fails(int on)
{
	(void)!pwrite(task_fd, on ? "1" : "0", 1, 0);
}

/*
 * A write that may not wait fails if the file's times have to be updated, which
 * a write that may wait has just done.
 */
static int write_nowait(long page)
{
	int err = 0;

	for (int i = 0; i < 200; i++) {
		put(8);
		err = tfile_write(&f, (head + page) * KIT_PAGE, unit * KIT_PAGE,
				  RWF_NOWAIT);
		if (!err)
			break;
	}
	return err;
}

static void nowait(void)
{
	int err;

	if (!cached("account"))
		return;
	err = write_nowait(16);
	need(!err, "RWF_NOWAIT: %s", strerror(-err));
	expect("RWF_NOWAIT", 2 * unit, 2 * unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static void nowait_nomem(void)
{
	int err = 0, failed = 0;
	long other;

	if (!cached("account"))
		return;
	if (task_fails_setup()) {
		printf("# no failslab in this kernel\n");
		tfile_finish(&f);
		return;
	}
	/* A new folio that is written as a whole has no record. */
	other = head;
	head = FILE_SIZE / KIT_PAGE;
	write_at(0, FOLIO_PAGES * KIT_PAGE, 0);
	expect("whole folio", FOLIO_PAGES, FOLIO_PAGES);
	/* A write to another folio updates the times, to this one fails. */
	for (int i = 0; i < 50; i++) {
		err = tfile_write(&f, other * KIT_PAGE, unit * KIT_PAGE, 0);
		task_fails(1);
		err |= tfile_write(&f, (head + 16) * KIT_PAGE, unit * KIT_PAGE,
				   RWF_NOWAIT);
		task_fails(0);
		failed += err == -EAGAIN;
	}
	need(failed == 50, "without memory, %d of 50 writes failed", failed);
	expect("no memory for the record", unit, unit);
	err = write_nowait(16);
	need(!err, "with memory: %s", strerror(-err));
	expect("with memory", 0, 0);
	sync_it("fsync", FOLIO_PAGES + unit, FOLIO_PAGES + unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

/* A dropbehind folio, dirty whole, then in part, then found by a lookup. */
static void dontcache(void)
{
	char buf[1];

	use("account");
	tfile_make(&f, "file", FILE_SIZE);
	posix_fadvise(f.fd, 0, 0, POSIX_FADV_DONTNEED);
	sync();
	mark();
	head = 0;
	write_at(0, FOLIO_PAGES * KIT_PAGE, RWF_DONTCACHE);
	kit_balanced("uncached write");
	write_at(16, unit * KIT_PAGE, RWF_DONTCACHE);
	kit_balanced("uncached write of a part");
	tfile_truncate(&f, 32 * KIT_PAGE);
	kit_balanced("truncate of an uncached folio");
	write_at(16, unit * KIT_PAGE, RWF_DONTCACHE);
	kit_balanced("uncached write");
	put(8);
	kit_balanced("cached write to an uncached folio");
	tfile_truncate(&f, FOLIO_PAGES / 4 * KIT_PAGE);
	need(pread(f.fd, buf, 1, 0) == 1, "read: %s", strerror(errno));
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static long long node_stat(int node, const char *name)
{
	char path[64], buf[16384], key[64], *at;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/vmstat",
		 node);
	vmstat("nr_dirty");
	if (kit_get(path, buf, sizeof(buf)) < 0)
		return -1;
	snprintf(key, sizeof(key), "\n%s ", name);
	at = strstr(buf, key);
	return at ? atoll(at + strlen(key)) : -1;
}

static void migrated(void)
{
	long long before[2], after[2];
	void *pages[1];
	int nodes[1], status[1] = { -1 };
	char *map;
	int node;

	need(node_stat(1, "nr_dirty") >= 0,
	     "only one node: boot with numa=fake=2 and 3000 MiB");
	if (!cached("account"))
		return;
	put(16);
	put(32);
	expect("two", 2 * unit, 2 * unit);
	map = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	pages[0] = map + (head + 16) * KIT_PAGE;
	*(volatile char *)pages[0];
	need(!syscall(SYS_move_pages, 0, 1L, pages, NULL, status, 0),
	     "move_pages: %s", strerror(errno));
	need(status[0] >= 0, "node of the page: %s", strerror(-status[0]));
	for (int round = 0; round < 4; round++) {
		node = status[0];
		nodes[0] = !node;
		before[0] = node_stat(node, "nr_dirty");
		before[1] = node_stat(!node, "nr_dirty");
		status[0] = -1;
		need(!syscall(SYS_move_pages, 0, 1L, pages, nodes, status, 2),
		     "move_pages: %s", strerror(errno));
		need(status[0] == !node, "moved to %d, not %d", status[0],
		     !node);
		after[0] = node_stat(node, "nr_dirty");
		after[1] = node_stat(!node, "nr_dirty");
		need(after[0] == before[0] - 2 * unit &&
		     after[1] == before[1] + 2 * unit,
		     "moved %lld pages away and %lld to, expected %ld",
		     before[0] - after[0], after[1] - before[1], 2 * unit);
		expect("migration", 0, 0);
	}
	put(48);
	expect("after migration", unit, unit);
	munmap(map, FILE_SIZE);
	sync_it("fsync", 3 * unit, 3 * unit);
	tfile_finish(&f);
	kit_balanced("after unmount");
}

static const struct {
	const char *name;
	void (*fn)(void);
} tests[] = {
	{ "writes", writes },
	{ "whole", whole },
	{ "flips", flips },
	{ "mapped", mapped },
	{ "truncated", truncated },
	{ "split_at_eof", split_at_eof },
	{ "punched", punched },
	{ "removed", removed },
	{ "nowait", nowait },
	{ "nowait_nomem", nowait_nomem },
	{ "dontcache", dontcache },
	{ "migrated", migrated },
};

int main(int argc, char **argv)
{
	struct statvfs st;
	char unitname[32];

	if (argc < 3) {
		fprintf(stderr, "usage: account DEV MNT [TEST...]\n");
		return 2;
	}
	fs_use(argv[1], argv[2]);
	if (statvfs(argv[2], &st)) {
		perror(argv[2]);
		return 1;
	}
	block = st.f_bsize;
	unit = block > KIT_PAGE ? block / KIT_PAGE : 1;
	snprintf(unitname, sizeof(unitname), "account-%ld", block);
	/* Nothing is written back but by fsync() and sync(). */
	vm_put("dirty_writeback_centisecs", "0");
	kmsg_start();
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		bool wanted = argc == 3;

		for (int a = 3; a < argc; a++)
			wanted |= !strcmp(argv[a], tests[i].name);
		if (wanted)
			kit_run(unitname, tests[i].name, tests[i].fn);
	}
	vm_put("dirty_writeback_centisecs", "500");
	return kit_exit();
}
