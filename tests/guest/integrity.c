// SPDX-License-Identifier: GPL-2.0
/*
 * integrity -p POLICY -s SEED -n OPS -t THREADS [-T SECONDS] [-X] DEV MNT
 *
 * Random operations on files of the XFS on /dev/DEV, mounted at MNT, against a
 * model of each file in memory; verified live, after the caches were dropped,
 * and after unmount and mount. POLICY is a name, or "flip" to change the policy
 * at random. Each of the THREADS does OPS operations on two files of its own,
 * which it also clones over one another, and on its own pages of a file that all
 * share. The operations of a thread depend on SEED and its number alone, so that
 * a failure can be run again; how the threads interleave does not.
 *
 * -T ends the run after SECONDS, if OPS were not done by then. All the while who
 * waits for the threads changes the policy and its knobs, up to a thousand times a
 * second.
 *
 * -X spoils a byte of a model at the end: the run must fail, or it proves nothing.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "kit.h"
#include "uring.h"

#define MAX_SIZE	(4 * KIT_MIB)	/* of a file */
#define SHARED_SIZE	(4 * KIT_MIB)
#define CHUNK		(256 * 1024)	/* of a sequential read */
#define OWN_FILES	2
#define GROUP		(4 * KIT_PAGE)	/* a thread's share of the shared file */
#define URING_MOST	(64L * 1024)	/* of a part */
#define LOG_TAIL	24
#define MAX_THREADS	16
#define RUN_SECONDS	600
#define CPUS		8	/* CONFIG_NR_CPUS */
#define FLIP_NS		1000000	/* from one change of policy to the next */
#define NS		1000000000L

/* Which file an operation is for. */
enum scope { OWN, SHARED, NOTHING };

enum op {
	WRITE, WRITE_NOWAIT, WRITE_DONTCACHE, WRITE_DSYNC, WRITE_SYNC,
	WRITE_DIRECT, WRITE_APPEND, WRITE_BEYOND, WRITE_URING,
	READ, READ_URING, REBUILD, TRUNCATE, EXTEND,
	PUNCH, ZERO, ZERO_KEEP, PREALLOC, PREALLOC_KEEP, COLLAPSE, INSERT, UNSHARE,
	MMAP_STORE, MMAP_LOAD, MMAP_AT_EOF, MMAP_BEYOND,
	FSYNC, SYNC_RANGE, CLONE,
	SHARED_WRITE, SHARED_READ, SHARED_STORE, SHARED_REBUILD, DROP_CACHES,
	COMPACT, KNOBS, NR_OPS
};

static const struct {
	const char *name;
	int weight;
	enum scope scope;
} ops[NR_OPS] = {
	[WRITE]			= { "write",		40, OWN },
	[WRITE_NOWAIT]		= { "write-nowait",	5, OWN },
	[WRITE_DONTCACHE]	= { "write-dontcache",	5, OWN },
	[WRITE_DSYNC]		= { "write-dsync",	2, OWN },
	[WRITE_SYNC]		= { "write-sync",	1, OWN },
	[WRITE_DIRECT]		= { "write-direct",	2, OWN },
	[WRITE_APPEND]		= { "append",		4, OWN },
	[WRITE_BEYOND]		= { "write-beyond-eof",	3, OWN },
	[WRITE_URING]		= { "write-io_uring",	6, OWN },
	[READ]			= { "read",		12, OWN },
	[READ_URING]		= { "read-io_uring",	3, OWN },
	[REBUILD]		= { "rebuild",		4, OWN },
	[TRUNCATE]		= { "truncate",		2, OWN },
	[EXTEND]		= { "extend",		2, OWN },
	[PUNCH]			= { "punch",		3, OWN },
	[ZERO]			= { "zero",		3, OWN },
	[ZERO_KEEP]		= { "zero-keep-size",	1, OWN },
	[PREALLOC]		= { "prealloc",		2, OWN },
	[PREALLOC_KEEP]		= { "prealloc-keep-size", 1, OWN },
	[COLLAPSE]		= { "collapse",		2, OWN },
	[INSERT]		= { "insert",		2, OWN },
	[UNSHARE]		= { "unshare",		3, OWN },
	[MMAP_STORE]		= { "mmap-store",	5, OWN },
	[MMAP_LOAD]		= { "mmap-load",	3, OWN },
	[MMAP_AT_EOF]		= { "mmap-store-at-eof", 2, OWN },
	[MMAP_BEYOND]		= { "mmap-beyond-eof",	2, OWN },
	[FSYNC]			= { "fsync",		3, OWN },
	[SYNC_RANGE]		= { "sync-range",	4, OWN },
	[CLONE]			= { "clone",		2, OWN },
	[SHARED_WRITE]		= { "shared-write",	16, SHARED },
	[SHARED_READ]		= { "shared-read",	5, SHARED },
	[SHARED_STORE]		= { "shared-store",	3, SHARED },
	[SHARED_REBUILD]	= { "shared-rebuild",	2, SHARED },
	[DROP_CACHES]		= { "drop-caches",	1, NOTHING },
	[COMPACT]		= { "compact",		1, NOTHING },
	[KNOBS]			= { "knobs",		8, NOTHING },
};

struct file {
	char path[256];
	int fd;
	off_t size;
	uint8_t *model;		/* MAX_SIZE bytes, zero beyond @size */
};

struct step {
	enum op op;
	int file;
	long a, b, result;
};

struct worker {
	pthread_t thread;
	int id;
	uint64_t rng;
	struct file file[OWN_FILES];
	uint8_t *buf;		/* MAX_SIZE bytes */
	unsigned long done[NR_OPS];
	unsigned long nr_steps;
	struct step log[LOG_TAIL];
};

static const char *arg_policy;
static uint64_t arg_seed;
static long arg_ops, arg_threads, arg_seconds;
static bool arg_spoil;

static struct file shared;
static struct worker workers[MAX_THREADS], flipper;
static pthread_mutex_t report = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stop, over;

static char names[KIT_POLICIES][KIT_NAME];
static int nr_policies;
static long block;
static long unit;		/* a page or a block, whichever is larger */

/* --- random ----------------------------------------------------------- */

static uint64_t rnd(struct worker *w)
{
	/* splitmix64 */
	uint64_t z = w->rng += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void seed_rng(struct worker *w, long step)
{
	w->rng = arg_seed;
	w->rng = rnd(w) + w->id;
	w->rng = rnd(w) + step;
}

static long below(struct worker *w, long n)
{
	return rnd(w) % n;
}

static void rnd_bytes(struct worker *w, uint8_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i += 8) {
		uint64_t v = rnd(w);

		memcpy(buf + i, &v, len - i < 8 ? len - i : 8);
	}
}

/* Small writes matter most: they are what the policies are about. */
static long rnd_len(struct worker *w)
{
	switch (below(w, 16)) {
	case 0 ... 5:
		return 1 + below(w, KIT_PAGE);
	case 6 ... 11:
		return unit << below(w, 3);
	case 12 ... 14:
		return 1 + below(w, 64 * 1024);
	default:
		return 1 + below(w, KIT_MIB);
	}
}

/* Where a write of LEN goes: what is whole units starts at one. */
static long rnd_pos(struct worker *w, long len)
{
	long pos = below(w, MAX_SIZE);

	return len % unit ? pos : pos & -unit;
}

static enum op rnd_op(struct worker *w)
{
	int total = 0, pick, op;

	for (op = 0; op < NR_OPS; op++)
		total += ops[op].weight;
	pick = below(w, total);
	for (op = 0; pick >= ops[op].weight; op++)
		pick -= ops[op].weight;
	return op;
}

/* --- reports ---------------------------------------------------------- */

static void print_log(const struct worker *w)
{
	unsigned long i = w->nr_steps > LOG_TAIL ? w->nr_steps - LOG_TAIL : 0;

	for (; i < w->nr_steps; i++) {
		const struct step *s = &w->log[i % LOG_TAIL];

		printf("  thread %d step %lu: %s file %d %ld %ld = %ld\n",
		       w->id, i, ops[s->op].name, s->file, s->a, s->b,
		       s->result);
	}
}

/* The first failure ends the run. W is whose operations led to it, or NULL. */
static void failed(const struct worker *w, const char *what, const char *path,
		   long at)
{
	pthread_mutex_lock(&report);
	if (!kit_failed()) {
		if (w)
			print_log(w);
		printf("  again with: -p %s -s %" PRIu64 " -n %ld -t %ld\n",
		       arg_policy, arg_seed, arg_ops, arg_threads);
		fflush(stdout);
		kit_fail("%s: %s at %ld (thread %d, seed %" PRIu64 ")", path,
			 what, at, w ? w->id : -1, arg_seed);
	}
	stop = true;
	pthread_mutex_unlock(&report);
}

static void failed_call(const struct worker *w, const char *call,
			const struct file *f, long at)
{
	char what[64];

	snprintf(what, sizeof(what), "%s: %s", call, strerror(errno));
	failed(w, what, f->path, at);
}

static bool same(const struct worker *w, const char *how, const struct file *f,
		 const uint8_t *seen, long pos, long len)
{
	const uint8_t *want = f->model + pos;
	long first = -1, last = 0, bad = 0;
	char what[128];

	if (!memcmp(seen, want, len))
		return true;
	for (long i = 0; i < len; i++) {
		if (seen[i] == want[i])
			continue;
		if (first < 0)
			first = i;
		last = i;
		bad++;
	}
	snprintf(what, sizeof(what),
		 "%s: %ld bytes differ up to %ld, the first is %02x, expected %02x",
		 how, bad, pos + last, seen[first], want[first]);
	failed(w, what, f->path, pos + first);
	return false;
}

/* --- operations ------------------------------------------------------- */

static void open_file(struct file *f)
{
	f->fd = open(f->path, O_RDWR | O_CREAT, 0600);
	if (f->fd < 0)
		err(1, "%s", f->path);
}

static bool verify_read(struct worker *w, const char *how, struct file *f,
			long pos, long len)
{
	ssize_t n = pread(f->fd, w->buf, len, pos);

	if (n != len) {
		failed_call(w, n < 0 ? how : "short read", f, pos);
		return false;
	}
	return same(w, how, f, w->buf, pos, len);
}

static void written(struct file *f, const void *buf, long pos, long len)
{
	memcpy(f->model + pos, buf, len);
	if (pos + len > f->size)
		f->size = pos + len;
}

static long do_write(struct worker *w, struct file *f, long pos, long len, int rwf)
{
	struct iovec iov = { w->buf, len };
	ssize_t n;

	rnd_bytes(w, w->buf, len);
	n = pwritev2(f->fd, &iov, 1, pos, rwf);
	if (n < 0) {
		if (!(rwf & RWF_NOWAIT) || errno != EAGAIN)
			failed_call(w, "write", f, pos);
		return -errno;
	}
	written(f, w->buf, pos, n);
	return n;
}

/*
 * Parts that lie apart, of one length, all at once. Most writes find the folio in
 * the cache and are done where they are submitted, as with RWF_NOWAIT.
 */
static long by_uring(struct worker *w, struct file *f, long pos, long len, bool write)
{
	struct uring_part part[URING_PARTS];
	long end = write ? MAX_SIZE : f->size;
	long step = len + below(w, 2 * GROUP);
	int n = 0, most = 1 + below(w, URING_PARTS);

	for (; n < most && pos + len <= end; n++, pos += step)
		part[n] = (struct uring_part){ w->buf + n * len, len, pos, 0 };
	if (write)
		rnd_bytes(w, w->buf, n * len);
	uring_run(f->fd, write, below(w, 4) == 0, part, n);
	for (int i = 0; i < n; i++) {
		if (part[i].result != len) {
			errno = part[i].result < 0 ? -part[i].result : 0;
			failed_call(w, write ? "io_uring write" : "io_uring read",
				    f, part[i].pos);
		} else if (write) {
			written(f, part[i].buf, part[i].pos, len);
		} else {
			same(w, "io_uring read", f, part[i].buf, part[i].pos, len);
		}
	}
	return n;
}

/* What is dirty must be clean to be dropped; then read makes large folios. */
static void rebuild(struct worker *w, struct file *f)
{
	if (fdatasync(f->fd) || posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED))
		failed_call(w, "rebuild", f, 0);
	/* The readahead window grows by a run from the start. */
	for (long at = 0; at < f->size && !stop; at += CHUNK) {
		long len = f->size - at < CHUNK ? f->size - at : CHUNK;

		if (!verify_read(w, "rebuild", f, at, len))
			return;
	}
}

static void do_fallocate(struct worker *w, struct file *f, int mode, long pos,
			 long len)
{
	if (fallocate(f->fd, mode, pos, len)) {
		failed_call(w, "fallocate", f, pos);
		return;
	}
	if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))
		memset(f->model + pos, 0, len);
	if (!(mode & FALLOC_FL_KEEP_SIZE) && pos + len > f->size)
		f->size = pos + len;
}

/* Whole blocks, that are in the file but not at its end, go or come. */
static void shift(struct worker *w, struct file *f, int mode, long pos, long len)
{
	uint8_t *at;
	long rest;

	pos &= -block;
	len = (len + block - 1) & -block;
	rest = f->size - pos;
	if (mode == FALLOC_FL_COLLAPSE_RANGE ? len >= rest :
	    rest <= 0 || f->size + len > MAX_SIZE)
		return;
	if (fallocate(f->fd, mode, pos, len)) {
		failed_call(w, "fallocate", f, pos);
		return;
	}
	at = f->model + pos;
	if (mode == FALLOC_FL_COLLAPSE_RANGE) {
		memmove(at, at + len, rest - len);
		memset(at + rest - len, 0, len);
		f->size -= len;
	} else {
		memmove(at + len, at, rest);
		memset(at, 0, len);
		f->size += len;
	}
}

static void truncate_to(struct worker *w, struct file *f, long size)
{
	if (ftruncate(f->fd, size)) {
		failed_call(w, "truncate", f, size);
		return;
	}
	if (size < f->size)
		memset(f->model + size, 0, f->size - size);
	f->size = size;
}

/* Aligned, and past the cache, which must notice. */
static long write_direct(struct worker *w, struct file *f, long pos, long len)
{
	int flags = fcntl(f->fd, F_GETFL);
	long ret;

	if (fcntl(f->fd, F_SETFL, flags | O_DIRECT))
		failed_call(w, "O_DIRECT", f, pos);
	ret = do_write(w, f, pos & -KIT_PAGE, (len + KIT_PAGE - 1) & -KIT_PAGE, 0);
	fcntl(f->fd, F_SETFL, flags);
	return ret;
}

/*
 * Spoil what a mapping shows of the last page beyond the end of the file. It is
 * no part of the file, and must not become one when the file grows.
 */
static void store_beyond_eof(struct worker *w, struct file *f)
{
	long in_page = f->size % KIT_PAGE;
	uint8_t *map;

	if (!in_page)
		return;
	map = mmap(NULL, KIT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd,
		   f->size - in_page);
	if (map == MAP_FAILED) {
		failed_call(w, "mmap", f, f->size);
		return;
	}
	memset(map + in_page, 0xe0 + w->id, KIT_PAGE - in_page);
	munmap(map, KIT_PAGE);
}

/* Load and compare, or store, LEN bytes that are all in the file. */
static void by_mmap(struct worker *w, struct file *f, long pos, long len, bool store)
{
	long from = pos & -KIT_PAGE, span = pos + len - from;
	uint8_t *map = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_SHARED,
			    f->fd, from);

	if (map == MAP_FAILED) {
		failed_call(w, "mmap", f, pos);
		return;
	}
	same(w, "mmap", f, map + (pos - from), pos, len);
	if (store) {
		rnd_bytes(w, f->model + pos, len);
		memcpy(map + (pos - from), f->model + pos, len);
		if (below(w, 2) && msync(map, span, below(w, 2) ? MS_SYNC : MS_ASYNC))
			failed_call(w, "msync", f, pos);
	}
	munmap(map, span);
}

static void clone_over(struct worker *w, struct file *from, struct file *to)
{
	/* FICLONE keeps what is beyond the source's size. */
	truncate_to(w, to, 0);
	if (ioctl(to->fd, FICLONE, from->fd)) {
		failed_call(w, "clone", to, 0);
		return;
	}
	memcpy(to->model, from->model, from->size);
	to->size = from->size;
}

static void set_knobs(struct worker *w)
{
	static const char * const ratios[] = { "1", "2", "4", "8", "64" };
	long order = below(w, 10), ratio = below(w, 5);
	const char *policy = nr_policies ? names[below(w, nr_policies)] : "";

	if (!nr_policies)
		return;
	if (vm_put_num(MAX_ORDER, order) || vm_put(RATIO, ratios[ratio]) ||
	    (!strcmp(arg_policy, "flip") && vm_put(POLICY, policy)))
		failed(w, "cannot be set", POLICY, 0);
}

/* POS and LEN inside one of the worker's own groups of the shared file. */
static void own_part(struct worker *w, long *pos, long *len)
{
	long groups = SHARED_SIZE / GROUP / arg_threads;
	long group = below(w, groups) * arg_threads + w->id;
	long at = below(w, 2) ? below(w, GROUP) : below(w, 4) * KIT_PAGE;
	long most = GROUP - at;

	*pos = group * GROUP + at;
	*len = below(w, 2) && most >= KIT_PAGE ? KIT_PAGE : 1 + below(w, most);
}

/* S is to begin at the end of the file or beyond. There is room for it. */
static void at_eof(struct worker *w, struct file *f, struct step *s)
{
	long gap = s->op == WRITE_APPEND ? 0 : below(w, 16 * KIT_PAGE);

	if (f->size + gap + s->b > MAX_SIZE)
		truncate_to(w, f, below(w, MAX_SIZE - gap - s->b));
	s->a = f->size + gap;
}

static void on_own_file(struct worker *w, struct step *s)
{
	struct file *f = &w->file[s->file];
	long room;

	s->b = rnd_len(w);
	s->a = rnd_pos(w, s->b);
	if (s->a + s->b > MAX_SIZE)
		s->b = MAX_SIZE - s->a;
	if (s->op == WRITE_APPEND || s->op == WRITE_BEYOND || s->op == EXTEND)
		at_eof(w, f, s);
	if (s->op == MMAP_AT_EOF)
		s->a = f->size > s->b ? f->size - s->b : 0;
	/* Reads and mappings stay inside the file. */
	room = f->size - s->a;
	if (s->op == READ || s->op == MMAP_LOAD || s->op == MMAP_STORE ||
	    s->op == MMAP_AT_EOF) {
		if (room <= 0)
			return;
		if (s->b > room)
			s->b = room;
		if ((s->op == MMAP_LOAD || s->op == MMAP_STORE) && s->b > GROUP)
			s->b = GROUP;
	}
	if ((s->op == WRITE_URING || s->op == READ_URING) && s->b > URING_MOST)
		s->b = URING_MOST;
	switch (s->op) {
	case WRITE:
		s->result = do_write(w, f, s->a, s->b, 0);
		break;
	case WRITE_NOWAIT:
		s->result = do_write(w, f, s->a, s->b, RWF_NOWAIT);
		break;
	case WRITE_DONTCACHE:
		s->result = do_write(w, f, s->a, s->b, RWF_DONTCACHE);
		break;
	case WRITE_DSYNC:
		s->result = do_write(w, f, s->a, s->b, RWF_DSYNC);
		break;
	case WRITE_SYNC:
		s->result = do_write(w, f, s->a, s->b, RWF_SYNC);
		break;
	case WRITE_APPEND:
		s->result = do_write(w, f, s->a, s->b, RWF_APPEND);
		break;
	case WRITE_BEYOND:
		s->result = do_write(w, f, s->a, s->b, 0);
		break;
	case WRITE_URING:
	case READ_URING:
		s->result = by_uring(w, f, s->a, s->b, s->op == WRITE_URING);
		break;
	case WRITE_DIRECT:
		s->result = write_direct(w, f, s->a, s->b);
		break;
	case READ:
		verify_read(w, "read", f, s->a, s->b);
		break;
	case REBUILD:
		rebuild(w, f);
		break;
	case TRUNCATE:
	case EXTEND:
		truncate_to(w, f, s->a);
		break;
	case PUNCH:
		do_fallocate(w, f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			     s->a, s->b);
		break;
	case ZERO:
		do_fallocate(w, f, FALLOC_FL_ZERO_RANGE, s->a, s->b);
		break;
	case ZERO_KEEP:
		do_fallocate(w, f, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
			     s->a, s->b);
		break;
	case PREALLOC:
		do_fallocate(w, f, 0, s->a, s->b);
		break;
	case PREALLOC_KEEP:
		do_fallocate(w, f, FALLOC_FL_KEEP_SIZE, s->a, s->b);
		break;
	case COLLAPSE:
		shift(w, f, FALLOC_FL_COLLAPSE_RANGE, s->a, s->b);
		break;
	case INSERT:
		shift(w, f, FALLOC_FL_INSERT_RANGE, s->a, s->b);
		break;
	case UNSHARE:
		do_fallocate(w, f, FALLOC_FL_UNSHARE_RANGE, s->a, s->b);
		break;
	case MMAP_LOAD:
	case MMAP_STORE:
	case MMAP_AT_EOF:
		by_mmap(w, f, s->a, s->b, s->op != MMAP_LOAD);
		break;
	case MMAP_BEYOND:
		store_beyond_eof(w, f);
		break;
	case FSYNC:
		if (fsync(f->fd))
			failed_call(w, "fsync", f, 0);
		break;
	case SYNC_RANGE:
		if (sync_file_range(f->fd, s->a, s->b, SYNC_FILE_RANGE_WRITE))
			failed_call(w, "sync_file_range", f, s->a);
		break;
	case CLONE:
		clone_over(w, f, &w->file[!s->file]);
		break;
	default:
		break;
	}
}

static void on_shared_file(struct worker *w, struct step *s)
{
	own_part(w, &s->a, &s->b);
	switch (s->op) {
	case SHARED_WRITE:
		s->result = do_write(w, &shared, s->a, s->b, 0);
		break;
	case SHARED_READ:
		verify_read(w, "shared read", &shared, s->a, s->b);
		break;
	case SHARED_STORE:
		by_mmap(w, &shared, s->a, s->b, true);
		break;
	default:
		/* Others write meanwhile: read to fill the cache, no more. */
		if (fdatasync(shared.fd) ||
		    posix_fadvise(shared.fd, 0, 0, POSIX_FADV_DONTNEED))
			failed_call(w, "rebuild", &shared, 0);
		for (long at = 0; at < SHARED_SIZE; at += CHUNK)
			if (pread(shared.fd, w->buf, CHUNK, at) != CHUNK)
				failed_call(w, "read", &shared, at);
		break;
	}
}

static void on_system(struct worker *w, struct step *s)
{
	if (s->op == KNOBS)
		set_knobs(w);
	else if (vm_put(s->op == COMPACT ? "compact_memory" : "drop_caches", "1"))
		failed(w, "cannot be written", ops[s->op].name, 0);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (long i = 0; i < arg_ops && !stop && !over; i++) {
		struct step *s = &w->log[w->nr_steps % LOG_TAIL];

		/*
		 * Afresh for each step: how a RWF_NOWAIT write ended must not
		 * change what is asked of the kernel after it.
		 */
		seed_rng(w, i);
		*s = (struct step){ .op = rnd_op(w) };
		s->file = below(w, 4) ? 0 : 1;
		w->nr_steps++;
		w->done[s->op]++;
		if (ops[s->op].scope == OWN)
			on_own_file(w, s);
		else if (ops[s->op].scope == SHARED)
			on_shared_file(w, s);
		else
			on_system(w, s);
	}
	return NULL;
}

/* Change the policy and the knobs until the time is up. */
static void flip(struct worker *w)
{
	struct timespec now, next, end;
	long changes = 0;

	clock_gettime(CLOCK_MONOTONIC, &next);
	end = next;
	end.tv_sec += arg_seconds;
	do {
		set_knobs(w);
		changes++;
		next.tv_nsec += FLIP_NS;
		if (next.tv_nsec >= NS) {
			next.tv_nsec -= NS;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		/* Where a change takes longer than that, there is no debt of them. */
		if (now.tv_sec > next.tv_sec)
			next = now;
	} while (now.tv_sec < end.tv_sec && !stop);
	over = true;
	printf("  %ld changes of policy in %ld s\n", changes, arg_seconds);
}

/* --- the run ---------------------------------------------------------- */

static void make_file(struct file *f, const char *name, int nr)
{
	snprintf(f->path, sizeof(f->path), "%s/%s.%d", fs_mnt(), name, nr);
	unlink(f->path);
	f->model = calloc(1, MAX_SIZE);
	if (!f->model)
		errx(1, "out of memory");
	open_file(f);
}

static void set_up(void)
{
	make_file(&shared, "shared", 0);
	for (int i = 0; i < arg_threads; i++) {
		struct worker *w = &workers[i];

		w->id = i;
		seed_rng(w, -1);
		if (posix_memalign((void **)&w->buf, KIT_PAGE, MAX_SIZE))
			errx(1, "out of memory");
		for (int j = 0; j < OWN_FILES; j++) {
			make_file(&w->file[j], "own", i * OWN_FILES + j);
			do_write(w, &w->file[j], 0, MAX_SIZE, 0);
		}
	}
	do_write(&workers[0], &shared, 0, SHARED_SIZE, 0);
}

static void verify_file(struct worker *w, const char *how, struct file *f)
{
	struct stat st;

	if (fstat(f->fd, &st) || st.st_size != f->size) {
		failed(w, "size differs", f->path, st.st_size);
		return;
	}
	for (long at = 0; at < f->size && !kit_failed(); at += CHUNK)
		verify_read(w, how, f, at,
			    f->size - at < CHUNK ? f->size - at : CHUNK);
}

static void verify_all(const char *how)
{
	for (int i = 0; i < arg_threads; i++)
		for (int j = 0; j < OWN_FILES; j++)
			verify_file(&workers[i], how, &workers[i].file[j]);
	verify_file(&workers[0], how, &shared);
}

static void for_each_file(void (*fn)(struct file *f))
{
	for (int i = 0; i < arg_threads; i++)
		for (int j = 0; j < OWN_FILES; j++)
			fn(&workers[i].file[j]);
	fn(&shared);
}

static void close_file(struct file *f)
{
	close(f->fd);
}

static void remove_file(struct file *f)
{
	close(f->fd);
	unlink(f->path);
}

static void print_counts(void)
{
	printf("  ops:");
	for (int op = 0; op < NR_OPS; op++) {
		unsigned long nr = 0;

		for (int i = 0; i < arg_threads; i++)
			nr += workers[i].done[op];
		printf(" %s=%lu", ops[op].name, nr);
	}
	printf("\n");
}

/* Did the run exercise what it is there for? */
static void check_actions(const struct counters *before)
{
	for (int i = 0; i < nr_policies; i++) {
		bool used = !strcmp(arg_policy, "flip") ||
			    !strcmp(arg_policy, names[i]);
		struct counters c;

		counters_read(names[i], &c);
		if (counters_get(&c, "considered") !=
		    counters_get(&c, "acted") + counters_refused(&c))
			kit_fail("%s: considered is not acted + refused: %s",
				 names[i], counters_text(&c));
		c = counters_sub(&c, &before[i]);
		if (used)
			printf("  %s: %s\n", names[i], counters_text(&c));
		if (used && strcmp(names[i], "none") &&
		    counters_get(&c, "acted") <= 0)
			kit_fail("%s never acted: the run proves nothing",
				 names[i]);
	}
}

/*
 * A guest that must not patch its code on more than one CPU has booted on one,
 * and changed its policy there: see tests/guest.sh. Nothing is patched while the
 * threads run. Turn CPUs that are off on, or these off again.
 */
static void other_cpus(bool on)
{
	static bool ours[CPUS];
	char path[64], state[4];

	for (int cpu = 1; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/online", cpu);
		if (on)
			ours[cpu] = kit_get(path, state, sizeof(state)) == 1 &&
				    *state == '0';
		if (ours[cpu])
			need(!kit_put(path, on ? "1" : "0", 1),
			     "cannot turn CPU %d %s", cpu, on ? "on" : "off");
	}
}

static void integrity(void)
{
	struct counters before[KIT_POLICIES];
	int i;

	alarm(RUN_SECONDS + arg_seconds);
	for (i = 0; i < nr_policies; i++)
		counters_read(names[i], &before[i]);
	set_up();
	if (nr_policies && strcmp(arg_policy, "flip"))
		need(!vm_put(POLICY, arg_policy), "cannot select %s", arg_policy);
	other_cpus(true);
	for (i = 0; i < arg_threads; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			errx(1, "cannot start a thread");
	if (arg_seconds) {
		flipper.id = MAX_THREADS;
		seed_rng(&flipper, -1);
		flip(&flipper);
	}
	for (i = 0; i < arg_threads; i++)
		pthread_join(workers[i].thread, NULL);
	other_cpus(false);
	print_counts();
	check_actions(before);
	if (arg_spoil)
		shared.model[SHARED_SIZE / 2] ^= 1;
	verify_all("live");
	sync();
	if (vm_put("drop_caches", "3"))
		kit_fail("cannot drop the caches");
	verify_all("caches dropped");
	for_each_file(close_file);
	fs_settle();
	if (kit_failed())
		return;
	for_each_file(open_file);
	verify_all("remounted");
	for_each_file(remove_file);
}

static void usage(void)
{
	fprintf(stderr, "usage: integrity -p POLICY|flip -s SEED -n OPS -t THREADS [-T SECONDS] [-X] DEV MNT\n");
	exit(2);
}

int main(int argc, char **argv)
{
	struct statvfs fs;
	char label[64], size[32];
	int c;

	while ((c = getopt(argc, argv, "p:s:n:t:T:X")) != -1) {
		switch (c) {
		case 'p':
			arg_policy = optarg;
			break;
		case 's':
			arg_seed = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			arg_ops = atol(optarg);
			break;
		case 't':
			arg_threads = atol(optarg);
			break;
		case 'T':
			arg_seconds = atol(optarg);
			break;
		case 'X':
			arg_spoil = true;
			break;
		default:
			usage();
		}
	}
	if (argc - optind != 2 || !arg_policy || arg_ops < 1 ||
	    arg_threads < 1 || arg_threads > MAX_THREADS)
		usage();
	if (vm_exists(POLICY))
		nr_policies = policies(names);
	else if (strcmp(arg_policy, "none"))
		errx(2, "this kernel has no policies: -p none");
	fs_use(argv[optind], argv[optind + 1]);
	if (statvfs(fs_mnt(), &fs))
		err(1, "%s", fs_mnt());
	block = fs.f_bsize;
	unit = block > KIT_PAGE ? block : KIT_PAGE;
	kmsg_start();
	snprintf(label, sizeof(label), "%s.seed%" PRIu64, arg_policy, arg_seed);
	snprintf(size, sizeof(size), "integrity-%ld", block);
	kit_run(size, label, integrity);
	return kit_exit();
}
