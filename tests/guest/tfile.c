// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../../bench/guest/kpage.h"
#include "tfile.h"

static uint64_t seed = 1;

static void fill(uint8_t *buf, size_t len)
{
	for (size_t i = 0; i < len; i += sizeof(seed)) {
		/* xorshift64: the same bytes in every run */
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		memcpy(buf + i, &seed,
		       len - i < sizeof(seed) ? len - i : sizeof(seed));
	}
}

static void reopen(struct tfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = open(f->path, O_RDWR);
	if (f->fd < 0)
		err(1, "%s", f->path);
}

void tfile_make(struct tfile *f, const char *name, off_t size)
{
	int fd;

	snprintf(f->path, sizeof(f->path), "%s/%s", fs_mnt(), name);
	f->size = size;
	f->cap = 2 * size;
	f->fd = -1;
	f->order = calloc(f->cap / KIT_PAGE, sizeof(*f->order));
	f->head = calloc(f->cap / KIT_PAGE, sizeof(*f->head));
	if (!f->order || !f->head ||
	    posix_memalign((void **)&f->model, KIT_MIB, f->cap))
		errx(1, "out of memory");
	memset(f->model, 0, f->cap);
	fill(f->model, size);
	unlink(f->path);
	fd = open(f->path, O_RDWR | O_CREAT | O_DIRECT, 0600);
	if (fd < 0)
		err(1, "%s", f->path);
	for (off_t at = 0; at < size; at += KIT_MIB)
		if (pwrite(fd, f->model + at, KIT_MIB, at) != KIT_MIB)
			err(1, "%s: direct write", f->path);
	if (fsync(fd))
		err(1, "%s: fsync", f->path);
	close(fd);
	reopen(f);
}

void tfile_load_by(struct tfile *f, long read_ahead_kb, size_t step)
{
	static uint8_t buf[KIT_MIB];
	char path[128], text[24];

	snprintf(path, sizeof(path), "/sys/block/%s/queue/read_ahead_kb",
		 fs_dev());
	snprintf(text, sizeof(text), "%ld", read_ahead_kb);
	if (kit_put(path, text, strlen(text)))
		errx(1, "cannot write %s to %s", text, path);
	reopen(f);
	if (posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED))
		errx(1, "%s: fadvise", f->path);
	/* A new file has no readahead state of an earlier read. */
	reopen(f);
	for (off_t at = 0; at < f->size; at += step)
		if (pread(f->fd, buf, step, at) <= 0)
			err(1, "%s: read", f->path);
}

void tfile_load(struct tfile *f, long read_ahead_kb)
{
	tfile_load_by(f, read_ahead_kb, KIT_MIB);
}

static void note_folio(uint64_t index, unsigned int order, void *arg)
{
	struct tfile *f = arg;
	uint64_t end = index + (1ULL << order);

	for (uint64_t i = index; i < end && i < (uint64_t)(f->cap / KIT_PAGE); i++) {
		f->order[i] = order;
		f->head[i] = index;
	}
}

void tfile_map(struct tfile *f)
{
	static int kpageflags = -1;

	if (kpageflags < 0)
		kpageflags = kpage_open();
	for (long i = 0; i < f->cap / KIT_PAGE; i++)
		f->order[i] = -1;
	kpage_walk_file(kpageflags, f->path, note_folio, f);
}

long tfile_folio(struct tfile *f, int order)
{
	int seen = 0;

	for (long i = 0; i < f->size / KIT_PAGE; i++)
		if (f->order[i] >= order && f->head[i] == i && seen++)
			return i;
	kit_fail("no two folios of order %d were cached by the read", order);
	return 0;
}

int tfile_write(struct tfile *f, off_t pos, size_t len, int rwf)
{
	uint8_t *buf = malloc(len);
	struct iovec iov = { buf, len };
	ssize_t n;

	if (!buf || pos + (off_t)len > f->cap)
		errx(1, "no room for a write of %zu at %lld", len,
		     (long long)pos);
	fill(buf, len);
	n = pwritev2(f->fd, &iov, 1, pos, rwf);
	if (n < 0) {
		free(buf);
		return -errno;
	}
	if ((size_t)n != len)
		kit_fail("short write: %zd of %zu at %lld", n, len,
			 (long long)pos);
	memcpy(f->model + pos, buf, n);
	if (pos + n > f->size)
		f->size = pos + n;
	free(buf);
	return 0;
}

void tfile_read_uncached(struct tfile *f, off_t pos, size_t len)
{
	static uint8_t buf[KIT_MIB];
	struct iovec iov = { buf, len };

	need(preadv2(f->fd, &iov, 1, pos, RWF_DONTCACHE) == (ssize_t)len &&
	     !memcmp(buf, f->model + pos, len),
	     "an uncached read of %zu at %lld is not as it was written", len,
	     (long long)pos);
}

void tfile_truncate(struct tfile *f, off_t size)
{
	if (ftruncate(f->fd, size))
		err(1, "%s: ftruncate", f->path);
	if (size < f->size)
		tfile_zero(f, size, f->size - size);
	f->size = size;
}

void tfile_zero(struct tfile *f, off_t pos, off_t len)
{
	memset(f->model + pos, 0, len);
}

void tfile_verify(struct tfile *f, const char *when)
{
	static uint8_t buf[KIT_MIB];
	struct stat st;

	need(!fstat(f->fd, &st) && st.st_size == f->size,
	     "%s: size is %lld, expected %lld", when, (long long)st.st_size,
	     (long long)f->size);
	for (off_t at = 0; at < f->size; ) {
		ssize_t n = pread(f->fd, buf, sizeof(buf), at);

		need(n > 0, "%s: read at %lld: %s", when, (long long)at,
		     strerror(errno));
		if (memcmp(buf, f->model + at, n))
			for (ssize_t i = 0; i < n; i++)
				need(buf[i] == f->model[at + i],
				     "%s: byte %lld is %02x, expected %02x",
				     when, (long long)at + i, buf[i],
				     f->model[at + i]);
		at += n;
	}
}

void tfile_finish(struct tfile *f)
{
	tfile_verify(f, "as cached");
	close(f->fd);
	f->fd = -1;
	fs_settle();
	/* The first failure explains what follows from it. */
	if (kit_failed())
		return;
	reopen(f);
	tfile_verify(f, "after remount");
	unlink(f->path);
}
