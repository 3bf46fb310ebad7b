// SPDX-License-Identifier: GPL-2.0
/*
 * charging expire|switch|lookup|reclaim|memory POLICY DEV MNT [CGROUP]: what
 * follows from how folios are charged. /dev/DEV is an XFS mounted at MNT.
 *
 * expire	One dirty page in each of 1024 folios is on the device
 *		dirty_expire plus two intervals after it was written: the budget
 *		of the flusher is spent in the unit that it is made in. B19, an
 *		analogue of what commit 0e0f4fc22ece put right.
 * switch	An inode that moves to another bdi_writeback, with folios dirty in
 *		part, under writeback and in migration, takes along what they are
 *		charged.
 * lookup	A lookup that clears dropbehind of a folio that is dirty in part
 *		takes what it is charged out of WB_DONTCACHE_DIRTY, on a disk so
 *		slow that the flusher is not there before.
 * reclaim	With one dirty page in each of its large folios, a cgroup whose
 *		limit is small takes an allocation of anonymous memory without
 *		an OOM kill, on a slow disk. Prints how long that takes. B15,
 *		lkml 2603.3/03728. CGROUP may be a legacy one.
 * memory	The same for all of the memory.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kit.h"

#define EXPIRE_CS	300
#define INTERVAL_CS	100
#define EXPIRE_TRIES	3
#define SWITCH_S	15	/* how long the other cgroup writes */

static const char *dev, *mnt, *cgroup, *policy;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void read_ahead_kb(long kb)
{
	char path[128], text[24];

	snprintf(path, sizeof(path), "/sys/block/%s/queue/read_ahead_kb", dev);
	snprintf(text, sizeof(text), "%ld", kb);
	if (kit_put(path, text, strlen(text)))
		errx(1, "cannot set %s", path);
}

/* A file of SIZE zeroes that is cached in folios of what readahead by KB makes. */
static int cached(off_t size, long kb)
{
	static char buf[KIT_MIB];
	char path[128];
	int fd;

	read_ahead_kb(kb);
	snprintf(path, sizeof(path), "%s/charging", mnt);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, size))
		err(1, "%s", path);
	for (off_t at = 0; at < size; at += sizeof(buf))
		if (pread(fd, buf, sizeof(buf), at) != sizeof(buf))
			err(1, "%s: read", path);
	return fd;
}

static void dirty_each(int fd, off_t size, off_t step)
{
	static const char page[KIT_PAGE];

	for (off_t at = 0; at < size; at += step)
		if (pwrite(fd, page, KIT_PAGE, at) != KIT_PAGE)
			err(1, "write");
}

/* Seconds until what was written to the folios of a file is on the device. */
static double expired(off_t size, off_t step)
{
	int fd = cached(size, 128);
	long long dirty;
	double start;

	sync();
	dirty_each(fd, size, step);
	start = now();
	dirty = vmstat("nr_dirty");
	printf("# %s: %lld pages dirty\n", policy, dirty);
	while (now() - start < 60 && (dirty = vmstat("nr_dirty")) > 8)
		usleep(50000);
	close(fd);
	return now() - start;
}

static int expire(void)
{
	double limit = (EXPIRE_CS + 2 * INTERVAL_CS) / 100.0, took = limit + 1;

	vm_put_num("dirty_background_bytes", 512 * KIT_MIB);
	vm_put_num("dirty_bytes", 768 * KIT_MIB);
	vm_put_num("dirty_expire_centisecs", EXPIRE_CS);
	vm_put_num("dirty_writeback_centisecs", INTERVAL_CS);
	/* A machine that is busy with something else can only make it later. */
	for (int i = 0; i < EXPIRE_TRIES && took > limit; i++)
		took = expired(256 * KIT_MIB, 256 * 1024);
	printf("%s charging.b19_expire-%s: %.1f s until the last page was clean, limit %.1f\n",
	       took <= limit ? "ok" : "not ok", policy, took, limit);
	return took > limit;
}

/* The number behind NAME in a file of such lines. */
static long long number_in(const char *path, const char *name)
{
	static char buf[16384];
	char *at;

	if (kit_get(path, buf, sizeof(buf)) <= 0)
		errx(1, "cannot read %s", path);
	at = strstr(buf, name);
	if (!at)
		errx(1, "no %s in %s", name, path);
	return strtoll(at + strlen(name), NULL, 10);
}

/*
 * Three times: dirty a page in every STEP of a file of SIZE that is cached in
 * large folios, then allocate ANON bytes. If ALLOCATED, what is dirtied has blocks
 * on the disk before. Does not return.
 */
static void press(off_t size, off_t step, size_t anon, bool allocated)
{
	int fd = cached(size, 4096);
	double start;

	if (allocated) {
		dirty_each(fd, size, step);
		if (fsync(fd))
			err(1, "fsync");
	}
	dirty_each(fd, size, step);
	printf("# %s: %lld pages dirty\n", policy, vmstat("nr_dirty"));
	start = now();
	for (int round = 0; round < 3; round++) {
		char *mem = mmap(NULL, anon, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (mem == MAP_FAILED)
			err(1, "mmap");
		for (size_t at = 0; at < anon; at += KIT_PAGE)
			mem[at] = 1;
		printf("# %s: anonymous memory after %.2f s, nr_dirty %lld\n",
		       policy, now() - start, vmstat("nr_dirty"));
		fflush(stdout);
		munmap(mem, anon);
		dirty_each(fd, size, step);
	}
	_exit(0);
}

/* Is it generations that say what to reclaim? */
static bool generations(void)
{
	char text[32];

	return kit_get("/sys/kernel/mm/lru_gen/enabled", text, sizeof(text)) > 0 &&
	       strtol(text, NULL, 0);
}

static int reclaim(void)
{
	bool legacy;
	long long kills;
	char path[256];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/memory.limit_in_bytes", cgroup);
	legacy = !access(path, F_OK);
	if (!legacy)
		snprintf(path, sizeof(path), "%s/memory.max", cgroup);
	if (kit_put(path, "256M", 4))
		err(1, "%s", path);
	pid = fork();
	if (!pid) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
		if (kit_put(path, "0", 1))
			err(1, "%s", path);
		press(224 * KIT_MIB, 64 * 1024, 160 * KIT_MIB, false);
	}
	waitpid(pid, &status, 0);
	snprintf(path, sizeof(path), "%s/%s", cgroup,
		 legacy ? "memory.oom_control" : "memory.events");
	kills = number_in(path, "oom_kill ");
	printf("%s charging.b15_reclaim-%s%s: status %x, %lld OOM kills\n",
	       status || kills ? "not ok" : "ok",
	       legacy ? "v1-" : generations() ? "mglru-" : "", policy, status,
	       kills);
	return status || kills;
}

/* The same for all of the memory, some of which is the disk. */
static int memory(void)
{
	off_t available = number_in("/proc/meminfo", "MemAvailable:") * 1024;
	long long before = number_in("/proc/vmstat", "oom_kill "), kills;
	int status;
	pid_t pid = fork();

	if (!pid)
		press(available / 16 * 15 / KIT_MIB * KIT_MIB, 512 * 1024,
		      available / 4 * 3, true);
	waitpid(pid, &status, 0);
	kills = number_in("/proc/vmstat", "oom_kill ") - before;
	printf("%s charging.memory-%s: status %x, %lld OOM kills, %lld MiB\n",
	       status || kills ? "not ok" : "ok", policy, status, kills,
	       (long long)available >> 20);
	return status || kills;
}

static void enter(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/cgroup.procs", cgroup, name);
	if (kit_put(path, "0", 1))
		err(1, "%s", path);
}

static int count_in_trace(const char *what)
{
	static char line[4096];
	FILE *f = fopen("/sys/kernel/tracing/trace", "r");
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += !!strstr(line, what);
	if (f)
		fclose(f);
	return n;
}

/* Keep folios of the file on the move between nodes. Does not return. */
static void keep_moving(const char *path, off_t size)
{
	long step = 256 * 1024;
	int fd = open(path, O_RDONLY);
	char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		err(1, "mmap");
	for (int node = 0;; node = !node)
		for (off_t at = 0; at < size; at += step * 4) {
			kit_move(map + at, step, 4, node);
			usleep(10000);
		}
}

/*
 * The move of an inode follows soon after it has been written. Have that done
 * while somebody else goes on writing to it.
 */
static void keep_syncing(int fd)
{
	for (;;) {
		fsync(fd);
		usleep(150000);
	}
}

/*
 * A file that one cgroup has dirtied first and another one dirties mostly is
 * moved to the other's wb. Have folios dirty in part, under writeback and on the
 * move then.
 */
static int switched(void)
{
	static const char *enable =
		"/sys/kernel/tracing/events/writeback/inode_switch_wbs/enable";
	const char *line;
	off_t size = 32 * KIT_MIB;
	int status, switches = 0, bad = 0;
	pid_t pid, movers[2];
	double start;
	int fd;

	kit_put(enable, "1", 1);
	for (int round = 0; round < 3 && !bad; round++) {
		pid = fork();
		if (!pid) {
			enter(round % 2 ? "ledger1" : "ledger0");
			fd = cached(size, 128);
			dirty_each(fd, size, 256 * 1024);
			fsync(fd);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		kit_put("/proc/sys/vm/drop_caches", "1", 1);
		pid = fork();
		if (!pid) {
			static char buf[KIT_MIB];
			char path[128];

			enter(round % 2 ? "ledger0" : "ledger1");
			snprintf(path, sizeof(path), "%s/charging", mnt);
			fd = open(path, O_RDWR);
			for (off_t at = 0; at < size; at += KIT_MIB)
				(void)!pread(fd, buf, KIT_MIB, at);
			movers[0] = fork();
			if (!movers[0])
				keep_moving(path, size);
			movers[1] = fork();
			if (!movers[1])
				keep_syncing(fd);
			start = now();
			for (int i = 0; now() - start < SWITCH_S; i++) {
				dirty_each(fd, size, 256 * 1024 + 4096 * (i % 8));
				usleep(5000);
			}
			dirty_each(fd, size, 256 * 1024);
			for (int i = 0; i < 2; i++) {
				kill(movers[i], SIGKILL);
				waitpid(movers[i], &status, 0);
			}
			_exit(0);
		}
		waitpid(pid, &status, 0);
		switches = count_in_trace("inode_switch_wbs:");
		line = kit_ledger();
		bad = !!strncmp(line, "ledger: ok", 10);
		printf("# %d switches so far; %s\n", switches, line);
	}
	kit_put(enable, "0", 1);
	printf("%s charging.switch-%s: %d switches\n",
	       bad || !switches ? "not ok" : "ok", policy, switches);
	return bad || !switches;
}

/* Which cannot be ended before all has been written. */
static pid_t syncer(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	sync();
	_exit(0);
}

static int lookup(void)
{
	static char buf[KIT_MIB];
	struct iovec iov = { buf, 32 * KIT_PAGE };
	off_t at = 0;
	const char *seen;
	char path[128];
	int fd, other, status;
	long long left;
	bool partial;
	pid_t pid;

	/* Blocks far apart, charged whole: what keeps the flusher busy. */
	vm_put(POLICY, "none");
	fd = cached(64 * KIT_MIB, 4);
	if (posix_fallocate(fd, 0, 64 * KIT_MIB))
		errx(1, "no space");
	snprintf(path, sizeof(path), "%s/other", mnt);
	other = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (other < 0 || write(other, buf, sizeof(buf)) != sizeof(buf))
		err(1, "%s", path);
	sync();
	posix_fadvise(other, 0, 0, POSIX_FADV_DONTNEED);
	dirty_each(fd, 64 * KIT_MIB, 64 * 1024);
	read_ahead_kb(128);
	/* What is read ahead stays dropbehind until somebody reads it. */
	for (; at < KIT_MIB / 2; at += iov.iov_len)
		if (preadv2(other, &iov, 1, at, RWF_DONTCACHE) < 0)
			err(1, "uncached read");
	at += KIT_PAGE;
	iov.iov_len = KIT_PAGE;
	vm_put(POLICY, policy);
	pid = syncer();
	usleep(200000);
	if (pwritev2(other, &iov, 1, at, RWF_DONTCACHE) != KIT_PAGE)
		err(1, "uncached write");
	seen = kit_ledger();
	printf("# before: %s\n", seen);
	partial = strstr(seen, "partial=1 ");
	if (pwrite(other, buf, KIT_PAGE, at) != KIT_PAGE)
		err(1, "write");
	seen = kit_ledger();
	left = vmstat("nr_dirty");
	printf("# after: %s, nr_dirty %lld\n", seen, left);
	if (!partial)
		printf("not ok charging.lookup-%s: nothing was dirty in part\n",
		       policy);
	else if (left < 100)
		printf("not ok charging.lookup-%s: the flusher was too quick\n",
		       policy);
	else if (!strstr(seen, "partial=1 "))
		printf("not ok charging.lookup-%s: out of balance, see the console\n",
		       policy);
	else
		printf("ok charging.lookup-%s\n", policy);
	waitpid(pid, &status, 0);
	unlink(path);
	return !partial || left < 100 || !strstr(seen, "partial=1 ");
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	policy = argv[2];
	dev = argv[3];
	mnt = argv[4];
	cgroup = argc > 5 ? argv[5] : "";
	if (strcmp(policy, "-") && vm_put(POLICY, policy))
		errx(1, "no policy %s", policy);
	if (!strcmp(argv[1], "expire"))
		return expire();
	if (!strcmp(argv[1], "switch"))
		return switched();
	if (!strcmp(argv[1], "lookup"))
		return lookup();
	if (!strcmp(argv[1], "memory"))
		return memory();
	return reclaim();
}
