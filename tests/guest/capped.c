// SPDX-License-Identifier: GPL-2.0
/*
 * "cap": the folios that it lets reads, writes and faults allocate.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "policy.h"

static void use_cap(int order)
{
	use(policy);
	if (vm_put_num(MAX_ORDER, order))
		kit_fail("cannot set max order %d", order);
	sample();
}

/* No folio is larger than the cap, and the cap is made use of. */
static void expect_capped(struct tfile *f, int cap, const char *what)
{
	int most = -1;

	tfile_map(f);
	for (long i = 0; i < f->size / KIT_PAGE; i++)
		if (f->order[i] > most)
			most = f->order[i];
	if (cap < unit_order)
		cap = unit_order;
	need(most == cap, "%s: largest folio is of order %d, expected %d", what,
	     most, cap);
}

void cap_read(void)
{
	struct tfile f;

	tfile_make(&f, "file", FILE_SIZE);
	for (int order = 0; order <= ORDER_256K && !kit_failed(); order += 2) {
		use_cap(order);
		tfile_load(&f, RA_DEFAULT);
		sample_delta();
		expect_capped(&f, order, "read");
		need(order >= ORDER_256K || acted() > 0,
		     "cap at order %d was not counted: %s", order,
		     counters_text(&did.c));
	}
	tfile_finish(&f);
}

void cap_write(void)
{
	struct tfile f;

	tfile_make(&f, "file", FILE_SIZE);
	for (int order = 0; order <= ORDER_256K && !kit_failed(); order += 2) {
		/* Gone from the cache by truncate: each write makes a folio. */
		tfile_truncate(&f, 0);
		use_cap(order);
		for (off_t at = 0; at < FILE_SIZE; at += KIT_MIB)
			need(!tfile_write(&f, at, KIT_MIB, 0), "write failed");
		sample_delta();
		expect_capped(&f, order, "write");
		need(acted() > 0, "cap at order %d was not counted: %s", order,
		     counters_text(&did.c));
	}
	tfile_finish(&f);
}

void cap_mmap(void)
{
	volatile char *map;
	struct tfile f;

	tfile_make(&f, "file", FILE_SIZE);
	map = mmap(NULL, f.size, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	/* This asks for folios of 2 MiB, and is answered "not here" if it can. */
	madvise((void *)map, f.size, MADV_HUGEPAGE);
	use_cap(2);
	for (off_t at = 0; at < f.size; at += KIT_PAGE)
		(void)map[at];
	sample_delta();
	munmap((void *)map, f.size);
	expect_capped(&f, 2, "fault");
	tfile_finish(&f);
}

void cap_keeps_existing(void)
{
	struct tfile f;
	long head = cached(&f, ORDER_256K);
	int order = f.order[head];

	use_cap(2);
	if (kit_failed())
		return;
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_folio(&f, head, order, "cap");
	need(did.dirtied == 1LL << order, "%lld pages dirtied, expected %lld",
	     did.dirtied, 1LL << order);
	tfile_finish(&f);
}
