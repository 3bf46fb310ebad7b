// SPDX-License-Identifier: GPL-2.0
/*
 * ledger -s SEED -r ROUNDS -m MS [-p none|account|flip] [-c CGROUPROOT] MNT
 *
 * Everything at once that charges, moves or discharges a folio, on shared files
 * of the filesystem at MNT, from several threads of two processes, each in a
 * cgroup of its own. Every MS milliseconds on average all of them are stopped
 * between two operations, and the ledger of the kernel must balance with
 * whatever is dirty or under writeback at that moment. Content is not looked at:
 * that is what integrity is for.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit.h"

#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE	0x00000080
#endif

#define SPLIT		"/sys/kernel/debug/split_huge_pages"
#define FILES		6
#define MAX_SIZE	(8 * KIT_MIB)
#define PROCESSES	2
#define THREADS		3
#define WORKERS		(PROCESSES * THREADS)

enum op {
	WRITE, WRITE_LARGE, WRITE_NOWAIT, WRITE_DONTCACHE, READ_ALL, STORE,
	UNMAP_DIRTY, TRUNCATE, EXTEND, PUNCH, ZERO, FSYNC, SYNC_RANGE, DROP,
	COMPACT, SPLIT_FILE, MOVE, REMOVE, FLIP, DIRECT, NR_OPS
};

static const struct {
	const char *name;
	int weight;
} ops[NR_OPS] = {
	[WRITE]			= { "write",		300 },
	[WRITE_LARGE]		= { "write-large",	20 },
	[WRITE_NOWAIT]		= { "write-nowait",	30 },
	[WRITE_DONTCACHE]	= { "write-dontcache",	20 },
	[READ_ALL]		= { "read-all",		20 },
	[STORE]			= { "store",		20 },
	[UNMAP_DIRTY]		= { "store-unmap",	10 },
	[TRUNCATE]		= { "truncate",		8 },
	[EXTEND]		= { "extend",		8 },
	[PUNCH]			= { "punch",		8 },
	[ZERO]			= { "zero",		4 },
	[FSYNC]			= { "fsync",		4 },
	[SYNC_RANGE]		= { "sync-range",	6 },
	[DROP]			= { "drop-caches",	2 },
	[COMPACT]		= { "compact",		1 },
	[SPLIT_FILE]		= { "split",		6 },
	[MOVE]			= { "move-pages",	8 },
	[REMOVE]		= { "remove",		2 },
	[FLIP]			= { "flip",		6 },
	[DIRECT]		= { "direct",		2 },
};

/* What the processes share. */
static struct {
	atomic_int pause, stop, parked;
	atomic_long done[NR_OPS], moved;
} *shared;

static const char *mnt, *policy = "flip";
static int total_weight;

static void path_of(char *path, size_t size, unsigned int file)
{
	snprintf(path, size, "%s/file%u", mnt, file);
}

static int open_file(uint64_t *s, int flags)
{
	char path[128];

	path_of(path, sizeof(path), kit_random(s) % FILES);
	return open(path, O_RDWR | O_CREAT | flags, 0600);
}

static off_t any_pos(uint64_t *s, int fd)
{
	struct stat st;

	fstat(fd, &st);
	return st.st_size ? kit_random(s) % st.st_size : 0;
}

static void do_write(uint64_t *s, size_t max, int rwf)
{
	static _Thread_local char buf[KIT_MIB];
	size_t len = 1 + kit_random(s) % max;
	struct iovec iov = { buf, len };
	int fd = open_file(s, 0);
	off_t pos = any_pos(s, fd);

	if (kit_random(s) % 2) {
		pos &= ~(KIT_PAGE - 1);
		iov.iov_len = (len + KIT_PAGE - 1) & ~(KIT_PAGE - 1);
	}
	if (pos + (off_t)iov.iov_len <= MAX_SIZE)
		(void)!pwritev2(fd, &iov, 1, pos, rwf);
	close(fd);
}

static void do_read(uint64_t *s)
{
	static _Thread_local char buf[KIT_MIB];
	int fd = open_file(s, 0);

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	fd = open_file(s, 0);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

/* A file may be cut under the mapping: touch it from a system call. */
static void do_store(uint64_t *s, bool keep)
{
	static _Thread_local char *kept;
	int fd = open_file(s, 0);
	off_t pos = any_pos(s, fd) & ~(KIT_PAGE - 1);
	int zero = open("/dev/zero", O_RDONLY);
	char *map = mmap(NULL, MAX_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED) {
		for (int i = 0; i < 3; i++)
			(void)!read(zero, map + pos + i * 64 * KIT_PAGE %
				    (MAX_SIZE - pos), 64);
		if (keep) {
			if (kept)
				munmap(kept, MAX_SIZE);
			kept = map;
		} else {
			munmap(map, MAX_SIZE);
		}
	}
	close(zero);
	close(fd);
}

static void do_truncate(uint64_t *s, bool extend)
{
	int fd = open_file(s, 0);
	off_t size = extend ? (off_t)(kit_random(s) % MAX_SIZE) : any_pos(s, fd);

	if (kit_random(s) % 2)
		size &= ~(KIT_PAGE - 1);
	(void)!ftruncate(fd, size);
	close(fd);
}

static void do_fallocate(uint64_t *s, int mode)
{
	int fd = open_file(s, 0);

	fallocate(fd, mode | FALLOC_FL_KEEP_SIZE, any_pos(s, fd),
		  1 + kit_random(s) % (128 * 1024));
	close(fd);
}

static void do_split(uint64_t *s)
{
	char cmd[256], path[128];

	path_of(path, sizeof(path), kit_random(s) % FILES);
	snprintf(cmd, sizeof(cmd), "%s,0x0,0x%x,%u", path,
		 (unsigned int)(MAX_SIZE / KIT_PAGE),
		 (unsigned int)(kit_random(s) % 4));
	kit_put(SPLIT, cmd, strlen(cmd));
}

static void do_move(uint64_t *s)
{
	int fd = open_file(s, 0);
	off_t pos = any_pos(s, fd) & ~(KIT_PAGE - 1);
	char *map = mmap(NULL, 2 * MAX_SIZE, PROT_READ, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED) {
		shared->moved += kit_move(map + pos, 16 * KIT_PAGE, 16,
					  kit_random(s) % 2);
		munmap(map, 2 * MAX_SIZE);
	}
	close(fd);
}

static void do_remove(uint64_t *s)
{
	char path[128];

	path_of(path, sizeof(path), kit_random(s) % FILES);
	unlink(path);
}

static void do_direct(uint64_t *s)
{
	static _Alignas(4096) char buf[65536];
	int fd = open_file(s, O_DIRECT);

	(void)!pwrite(fd, buf, sizeof(buf), any_pos(s, fd) & ~65535L);
	close(fd);
}

static void operate(uint64_t *s, enum op op)
{
	int fd;

	switch (op) {
	case WRITE: do_write(s, 3 * KIT_PAGE, 0); break;
	case WRITE_LARGE: do_write(s, KIT_MIB - KIT_PAGE, 0); break;
	case WRITE_NOWAIT: do_write(s, 3 * KIT_PAGE, RWF_NOWAIT); break;
	case WRITE_DONTCACHE: do_write(s, 256 * 1024, RWF_DONTCACHE); break;
	case READ_ALL: do_read(s); break;
	case STORE: do_store(s, true); break;
	case UNMAP_DIRTY: do_store(s, false); break;
	case TRUNCATE: do_truncate(s, false); break;
	case EXTEND: do_truncate(s, true); break;
	case PUNCH: do_fallocate(s, FALLOC_FL_PUNCH_HOLE); break;
	case ZERO: do_fallocate(s, FALLOC_FL_ZERO_RANGE); break;
	case FSYNC:
		fd = open_file(s, 0);
		fsync(fd);
		close(fd);
		break;
	case SYNC_RANGE:
		fd = open_file(s, 0);
		sync_file_range(fd, any_pos(s, fd), KIT_MIB,
				SYNC_FILE_RANGE_WRITE);
		close(fd);
		break;
	case DROP: vm_put("drop_caches", "1"); break;
	case COMPACT: vm_put("compact_memory", "1"); break;
	case SPLIT_FILE: do_split(s); break;
	case MOVE: do_move(s); break;
	case REMOVE: do_remove(s); break;
	case FLIP:
		if (!strcmp(policy, "flip"))
			vm_put(POLICY, kit_random(s) % 3 ? "account" : "none");
		break;
	case DIRECT: do_direct(s); break;
	case NR_OPS: break;
	}
	shared->done[op]++;
}

static void *worker(void *arg)
{
	uint64_t s = (uintptr_t)arg;

	while (!shared->stop) {
		int weight = kit_random(&s) % total_weight;
		enum op op = 0;

		while (weight >= ops[op].weight)
			weight -= ops[op++].weight;
		operate(&s, op);
		if (!shared->pause)
			continue;
		shared->parked++;
		while (shared->pause && !shared->stop)
			usleep(1000);
		shared->parked--;
	}
	return NULL;
}

static void process(const char *cgroup, uint64_t seed, int nr)
{
	pthread_t threads[THREADS];
	char path[256];

	if (cgroup) {
		snprintf(path, sizeof(path), "%s/ledger%d/cgroup.procs", cgroup,
			 nr);
		if (kit_put(path, "0", 1))
			warnx("cannot move into %s", path);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker,
			       (void *)(seed * 1000003 + nr * 101 + i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static void wait_parked(int nr)
{
	for (int i = 0; i < 60000 && shared->parked != nr; i++)
		usleep(1000);
	if (shared->parked != nr)
		errx(1, "a worker hangs");
}

/* Returns false, with the whole ledger on stderr, if it does not balance. */
static bool balanced(int round, long *partial)
{
	const char *line = kit_ledger(), *at = strstr(line, "partial=");

	if (!*line)
		errx(1, "no ledger");
	*partial = at ? atol(at + 8) : 0;
	if (strncmp(line, "ledger: ok", 10))
		return false;
	printf("# round %d %s\n", round, line);
	return true;
}

int main(int argc, char **argv)
{
	int opt, rounds = 20, ms = 500, with_partial = 0, bad = 0;
	const char *cgroup = NULL;
	uint64_t seed = 1, s;
	pid_t pids[PROCESSES];
	long partial;

	while ((opt = getopt(argc, argv, "s:r:m:c:p:")) != -1) {
		switch (opt) {
		case 's': seed = atoll(optarg); break;
		case 'r': rounds = atoi(optarg); break;
		case 'm': ms = atoi(optarg); break;
		case 'c': cgroup = optarg; break;
		case 'p': policy = optarg; break;
		default: return 2;
		}
	}
	if (optind + 1 != argc)
		return 2;
	mnt = argv[optind];
	for (int i = 0; i < NR_OPS; i++)
		total_weight += ops[i].weight;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (strcmp(policy, "flip"))
		vm_put(POLICY, policy);
	s = seed * 77 + 1;
	for (unsigned int i = 0; i < FILES; i++) {
		char path[128];
		int fd;

		path_of(path, sizeof(path), i);
		fd = open(path, O_RDWR | O_CREAT, 0600);
		posix_fallocate(fd, 0, MAX_SIZE);
		close(fd);
	}
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i])
			process(cgroup, seed, i);
	}
	for (int round = 1; round <= rounds && !bad; round++) {
		usleep((ms / 2 + kit_random(&s) % ms) * 1000);
		shared->pause = 1;
		wait_parked(WORKERS);
		bad = !balanced(round, &partial);
		with_partial += partial > 0;
		shared->pause = 0;
		wait_parked(0);
	}
	shared->stop = 1;
	for (int i = 0; i < PROCESSES; i++)
		waitpid(pids[i], NULL, 0);
	for (int i = 0; i < NR_OPS; i++)
		printf("# %s %ld\n", ops[i].name, (long)shared->done[i]);
	printf("# pages moved between nodes %ld\n", (long)shared->moved);
	if (bad)
		printf("not ok ledger: out of balance, see the console\n");
	else if (!shared->moved)
		printf("not ok ledger: no page was moved: boot with two nodes\n");
	else if (!with_partial && strcmp(policy, "none"))
		printf("not ok ledger: no folio was charged in part\n");
	else
		printf("ok ledger: %d rounds, %d of them with folios charged in part\n",
		       rounds, with_partial);
	return bad;
}
