// SPDX-License-Identifier: GPL-2.0
/*
 * "none", and writes that "split" and "evict" are to act on.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy.h"

static void none_is_whole(int order)
{
	struct tfile f;
	long head;

	head = cached(&f, order);
	if (kit_failed())
		return;
	order = f.order[head];
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_folio(&f, head, order, "none");
	need(did.dirtied == 1LL << order,
	     "a %ld byte write dirtied %lld pages, expected %lld", unit,
	     did.dirtied, 1LL << order);
	need(did.reads == 0, "%lld reads from the device", did.reads);
	need(did.c.nr == 0 || acted() == 0, "none acted: %s",
	     counters_text(&did.c));
	tfile_finish(&f);
}

void none_256k(void)
{
	none_is_whole(ORDER_256K);
}

void none_2m(void)
{
	none_is_whole(ORDER_2M);
}

static void acts(int old, long page, long shift, size_t len)
{
	int order = order_for(len);
	struct tfile f;
	long head;

	head = cached(&f, old);
	use(policy);
	if (kit_failed())
		return;
	old = f.order[head];
	write_counted(&f, (head + page) * KIT_PAGE + shift, len, 0);
	need(acted() == 1, "%s did not act: %s", policy, counters_text(&did.c));
	need(did.dirtied == 1LL << order,
	     "a write of %zu dirtied %lld pages, expected %lld", len,
	     did.dirtied, 1LL << order);
	need(did.reads == 0, "%lld reads from the device", did.reads);
	if (!strcmp(policy, "split"))
		expect_split(&f, head, old, head + page, len);
	else
		expect_evicted(&f, head, old, head + page, order);
	tfile_finish(&f);
}

/* The same, to be refused for REASON. */
static void refuses(long shift, size_t len, const char *reason)
{
	struct tfile f;
	long head;

	head = cached(&f, ORDER_256K);
	use(policy);
	if (kit_failed())
		return;
	write_counted(&f, (head + 36) * KIT_PAGE + shift, len, 0);
	expect_refusal(&f, head, f.order[head], reason);
	tfile_finish(&f);
}

void act_256k(void)
{
	acts(ORDER_256K, unit_order ? 36 : 37, 0, unit);
}

void act_2m(void)
{
	acts(ORDER_2M, unit_order ? 300 : 301, 0, unit);
}

void act_first_page(void)
{
	acts(ORDER_256K, 0, 0, unit);
}

void act_last_page(void)
{
	acts(ORDER_256K, 64 - unit / KIT_PAGE, 0, unit);
}

void act_8k(void)
{
	acts(ORDER_256K, 36, 0, 8192);
}

void act_16k(void)
{
	acts(ORDER_256K, 36, 0, 16384);
}

/* Two units that no one folio of that size holds are charged as two. */
void act_straddling(void)
{
	long pages = 1L << unit_order;
	struct tfile f;
	long head;

	head = cached(&f, ORDER_256K);
	use(policy);
	if (kit_failed())
		return;
	write_counted(&f, (head + 3 * pages) * KIT_PAGE, 2 * unit, 0);
	need(acted() >= 1, "%s did not act: %s", policy,
	     counters_text(&did.c));
	need(did.dirtied == 2 * pages,
	     "a write of %ld dirtied %lld pages, expected %ld", 2 * unit,
	     did.dirtied, 2 * pages);
	expect_folio(&f, head + 3 * pages, unit_order, "the first half");
	expect_folio(&f, head + 4 * pages, unit_order, "the second half");
	tfile_finish(&f);
}

void act_block(void)
{
	acts(ORDER_256K, 36, 0, block);
}

void split_unaligned(void)
{
	acts(ORDER_256K, 36, 1000, 100);
}

void evict_unaligned(void)
{
	refuses(1000, 100, "refused_unaligned");
}
