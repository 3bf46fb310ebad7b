// SPDX-License-Identifier: GPL-2.0
/*
 * What an operation did to the folios of a file and to the counters, and whether
 * that is what it should have done.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy.h"

struct did did;

static long long device_reads(void)
{
	char path[128], buf[512];

	snprintf(path, sizeof(path), "/sys/block/%s/stat", fs_dev());
	if (kit_get(path, buf, sizeof(buf)) < 0)
		kit_fail("cannot read %s", path);
	return atoll(buf);
}

void sample(void)
{
	did.c.nr = 0;
	if (vm_exists(POLICY))
		counters_read(policy, &did.c);
	did.reads = device_reads();
	did.dirtied = vmstat("nr_dirtied");
}

void sample_delta(void)
{
	typeof(did) before = did;

	sample();
	did.c = counters_sub(&did.c, &before.c);
	did.reads -= before.reads;
	did.dirtied -= before.dirtied;
	need(counters_get(&did.c, "considered") ==
	     counters_get(&did.c, "acted") + counters_refused(&did.c),
	     "%s: considered is not acted + refused: %s", policy,
	     counters_text(&did.c));
}

long long acted(void)
{
	return counters_get(&did.c, "acted");
}

long long refused(const char *reason)
{
	return counters_get(&did.c, reason);
}

void write_counted(struct tfile *f, off_t pos, size_t len, int rwf)
{
	int err;

	sample();
	err = tfile_write(f, pos, len, rwf);
	if (err)
		kit_fail("write of %zu at %lld: %s", len, (long long)pos,
			 strerror(-err));
	sample_delta();
}

void use(const char *name)
{
	int err = vm_exists(POLICY) ? vm_put(POLICY, name) : 0;

	if (err)
		kit_fail("cannot select %s: %s", name, strerror(-err));
}

/* The order that a write of LEN bytes needs. */
int order_for(size_t len)
{
	int order = unit_order;

	while ((size_t)KIT_PAGE << order < len)
		order++;
	return order;
}

/* A file whose cache is large folios that a sequential read built. */
long cached(struct tfile *f, int order)
{
	bool huge = order == ORDER_2M;

	/* Readahead needs some way to grow to the largest folios. */
	tfile_make(f, "file", huge ? 4 * FILE_SIZE : FILE_SIZE);
	tfile_load(f, huge ? RA_HUGE : RA_DEFAULT);
	tfile_map(f);
	return tfile_folio(f, order);
}

long cached_beyond_eof(struct tfile *f, long keep)
{
	long head = cached(f, ORDER_256K);
	int order = f->order[head];

	if (kit_failed())
		return 0;
	/* A dirty folio is not split by truncate. */
	if (tfile_write(f, head * KIT_PAGE, unit, 0))
		kit_fail("write failed");
	tfile_truncate(f, head * KIT_PAGE + keep);
	if (fsync(f->fd))
		kit_fail("fsync: %s", strerror(errno));
	tfile_map(f);
	if (f->order[head] != order)
		kit_fail("truncate left order %d, not the folio of order %d",
			 f->order[head], order);
	return head;
}

void expect_folio(struct tfile *f, long head, int order, const char *what)
{
	tfile_map(f);
	for (long i = head; i < head + (1L << order); i++)
		need(f->order[i] == order && f->head[i] == head,
		     "%s: page %ld is in a folio of order %d at %ld, expected order %d at %ld",
		     what, i, f->order[i], f->head[i], order, head);
}

/* The folio of a refused write is whole, and the write was counted as refused. */
void expect_refusal(struct tfile *f, long head, int order,
			   const char *reason)
{
	need(acted() == 0, "%s acted: %s", policy, counters_text(&did.c));
	need(refused(reason) >= 1, "%s did not count %s: %s",
	     policy, reason, counters_text(&did.c));
	expect_folio(f, head, order, "after a refusal");
}

/*
 * A non-uniform split halves the folio that holds the page until it has the
 * order wanted: each other page is in the buddy that was cut off last. But the
 * last two orders, the REST around the page, are split uniformly, so that the
 * write leaves no folio beside it that the next one would be charged too much
 * for.
 */
static int order_after_split(long page, long target, int order, int rest)
{
	unsigned long apart = page ^ target;

	return apart >> rest ? 63 - __builtin_clzl(apart) : order;
}

void expect_split(struct tfile *f, long head, int old, long page, size_t len)
{
	int order = order_for(len), rest = order + 2;

	tfile_map(f);
	for (long i = head; i < head + (1L << old); i++) {
		int want = order_after_split(i - head, page - head, order, rest);

		need(f->order[i] == want,
		     "page %ld of a folio of order %d split for page %ld has order %d, expected %d",
		     i - head, old, page - head, f->order[i], want);
	}
}

void expect_evicted(struct tfile *f, long head, int old, long page, int order)
{
	long first = page & -(1L << order);

	tfile_map(f);
	for (long i = head; i < head + (1L << old); i++) {
		bool written = i >= first && i < first + (1L << order);

		/* A page of which one block is uptodate is not resident. */
		if (written && block < KIT_PAGE && f->order[i] == -1)
			continue;
		need(f->order[i] == (written ? order : -1),
		     "page %ld of an evicted folio has order %d, expected %d",
		     i - head, f->order[i], written ? order : -1);
	}
}
