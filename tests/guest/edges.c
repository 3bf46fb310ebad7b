// SPDX-License-Identifier: GPL-2.0
/*
 * "split" and "evict" at the end of the file, and where the kernel writes to folios
 * on its own account: zeroing and unsharing.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "policy.h"

/* Write at AT bytes from the folio's head, the file ends KEEP bytes from it. */
static void at_eof(long keep, long at, long len)
{
	struct tfile f;
	bool zeroed;
	long head;

	head = cached_beyond_eof(&f, keep);
	use(policy);
	if (kit_failed())
		return;
	write_counted(&f, head * KIT_PAGE + at, len, 0);
	/* Zeroing up to the write has dirtied the folio, if there was any. */
	zeroed = keep % KIT_PAGE && at > keep;
	need(acted() == !zeroed && refused("refused_zeroing") == zeroed,
	     "%s: %s", policy, counters_text(&did.c));
	tfile_finish(&f);
}

void write_over_eof(void)
{
	at_eof(20 * KIT_PAGE + 100, 20 * KIT_PAGE, unit);
}

void write_over_eof_unaligned(void)
{
	at_eof(20 * KIT_PAGE + 100, 20 * KIT_PAGE + 50, 5000);
}

void write_beyond_eof(void)
{
	at_eof(20 * KIT_PAGE, 40 * KIT_PAGE, unit);
}

void write_far_beyond_eof(void)
{
	at_eof(20 * KIT_PAGE + 100, 60 * KIT_PAGE + 7, 3000);
}

static void fallocated(int mode)
{
	struct tfile f;
	off_t at;
	long head, len = 7 * KIT_PAGE + 900;

	head = cached(&f, ORDER_256K);
	use(policy);
	if (kit_failed())
		return;
	/* Both ends are inside a block, which the filesystem zeroes. */
	at = (head + 20) * KIT_PAGE + 300;
	sample();
	need(!fallocate(f.fd, mode | FALLOC_FL_KEEP_SIZE, at, len),
	     "fallocate: %s", strerror(errno));
	sample_delta();
	tfile_zero(&f, at, len);
	need(acted() == 0, "%s acted on zeroing: %s", policy,
	     counters_text(&did.c));
	tfile_finish(&f);
}

void zero_range(void)
{
	fallocated(FALLOC_FL_ZERO_RANGE);
}

void punch_hole(void)
{
	fallocated(FALLOC_FL_PUNCH_HOLE);
}

/* The block that a file is cut in is zeroed in whatever folio holds it. */
void truncated(void)
{
	struct tfile f;
	long head;

	head = cached(&f, ORDER_256K);
	use(policy);
	if (kit_failed())
		return;
	sample();
	tfile_truncate(&f, (head + 20) * KIT_PAGE + 300);
	sample_delta();
	need(acted() == 0 && refused("refused_zeroing") >= 1, "%s: %s", policy,
	     counters_text(&did.c));
	tfile_finish(&f);
}

/* A second file that shares all blocks of F, and has the same model. */
static void clone(struct tfile *f, struct tfile *copy)
{
	tfile_make(copy, "copy", FILE_SIZE);
	memcpy(copy->model, f->model, f->size);
	if (ioctl(copy->fd, FICLONE, f->fd))
		kit_fail("reflink: %s", strerror(errno));
}

static void verify_clone(struct tfile *copy)
{
	copy->fd = open(copy->path, O_RDWR);
	tfile_verify(copy, "the clone");
	unlink(copy->path);
}

void unshared(void)
{
	struct tfile f, copy;
	long head;

	head = cached(&f, ORDER_256K);
	clone(&f, &copy);
	use(policy);
	if (kit_failed())
		return;
	sample();
	need(!fallocate(f.fd, FALLOC_FL_UNSHARE_RANGE,
			(head + 20) * KIT_PAGE, 4 * unit),
	     "unshare: %s", strerror(errno));
	sample_delta();
	need(acted() == 0 && refused("refused_zeroing") >= 1, "%s: %s", policy,
	     counters_text(&did.c));
	close(copy.fd);
	tfile_finish(&f);
	verify_clone(&copy);
}

void written_shared(void)
{
	struct tfile f, copy;
	long head;

	head = cached(&f, ORDER_256K);
	clone(&f, &copy);
	use(policy);
	if (kit_failed())
		return;
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(acted() == 1, "%s did not act: %s", policy, counters_text(&did.c));
	close(copy.fd);
	tfile_finish(&f);
	verify_clone(&copy);
}
