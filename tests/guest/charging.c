// SPDX-License-Identifier: GPL-2.0
/*
 * charging expire|switch|reclaim POLICY DEV MNT [CGROUP]: what follows from how
 * folios are charged. /dev/DEV is an XFS mounted at MNT.
 *
 * expire	One dirty page in each of 1024 folios is on the device
 *		dirty_expire plus two intervals after it was written: the budget
 *		of the flusher is spent in the unit that it is made in.
 * switch	An inode that moves to another bdi_writeback, with folios dirty in
 *		part, under writeback and in migration, takes along what they are
 *		charged.
 * reclaim	With one dirty page in each of its large folios, a cgroup whose
 *		limit is small takes an allocation of anonymous memory without
 *		an OOM kill. Prints how long that takes.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kit.h"

#define EXPIRE_CS	300
#define INTERVAL_CS	100
#define SWITCH_S	15	/* how long the other cgroup writes */

static const char *dev, *mnt, *cgroup, *policy;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* A file of SIZE zeroes that is cached in folios of what READ_AHEAD_KB makes. */
static int cached(off_t size, long read_ahead_kb)
{
	static char buf[KIT_MIB];
	char path[128], text[24];
	int fd;

	snprintf(path, sizeof(path), "/sys/block/%s/queue/read_ahead_kb", dev);
	snprintf(text, sizeof(text), "%ld", read_ahead_kb);
	if (kit_put(path, text, strlen(text)))
		errx(1, "cannot set %s", path);
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

static int expire(void)
{
	off_t size = 256 * KIT_MIB, step = 256 * 1024;
	double limit = (EXPIRE_CS + 2 * INTERVAL_CS) / 100.0;
	long long dirty;
	double start;
	int fd;

	vm_put_num("dirty_background_bytes", 512 * KIT_MIB);
	vm_put_num("dirty_bytes", 768 * KIT_MIB);
	vm_put_num("dirty_expire_centisecs", EXPIRE_CS);
	vm_put_num("dirty_writeback_centisecs", INTERVAL_CS);
	fd = cached(size, 128);
	sync();
	dirty_each(fd, size, step);
	start = now();
	dirty = vmstat("nr_dirty");
	printf("# %s: %lld pages dirty\n", policy, dirty);
	while (now() - start < 60 && (dirty = vmstat("nr_dirty")) > 8)
		usleep(50000);
	printf("%s charging.expire-%s: %.1f s until the last page was clean, limit %.1f\n",
	       dirty <= 8 && now() - start <= limit ? "ok" : "not ok", policy,
	       now() - start, limit);
	return !(dirty <= 8 && now() - start <= limit);
}

static long long event(const char *name)
{
	char path[256], buf[1024], *at;

	snprintf(path, sizeof(path), "%s/memory.events", cgroup);
	if (kit_get(path, buf, sizeof(buf)) <= 0)
		errx(1, "cannot read %s", path);
	at = strstr(buf, name);
	return at ? atoll(at + strlen(name) + 1) : -1;
}

static int reclaim(void)
{
	off_t size = 224 * KIT_MIB;
	size_t anon = 160 * KIT_MIB;
	char path[256];
	double start;
	int fd, status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/memory.max", cgroup);
	if (kit_put(path, "256M", 4))
		err(1, "%s", path);
	pid = fork();
	if (!pid) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
		if (kit_put(path, "0", 1))
			err(1, "%s", path);
		fd = cached(size, 4096);
		dirty_each(fd, size, 64 * 1024);
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
			munmap(mem, anon);
			dirty_each(fd, size, 64 * 1024);
		}
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("%s charging.reclaim-%s: status %x, %lld OOM kills, %lld at the limit\n",
	       status || event("oom_kill") ? "not ok" : "ok", policy, status,
	       event("oom_kill"), event("\nmax"));
	return status || event("oom_kill");
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
	static char ledger[65536];
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
		kit_get("/sys/kernel/debug/folio_write_policy/ledger", ledger,
			sizeof(ledger));
		bad = !!strstr(ledger, "MISMATCH");
		printf("# %d switches so far; %s\n", switches,
		       bad ? ledger : strstr(ledger, "ledger:"));
	}
	kit_put(enable, "0", 1);
	printf("%s charging.switch-%s: %d switches\n",
	       bad || !switches ? "not ok" : "ok", policy, switches);
	return bad || !switches;
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
	return reclaim();
}
