// SPDX-License-Identifier: GPL-2.0
/*
 * Reports about what a folio is charged, with the policy changing between the
 * charge and its end.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports.h"

static void no_page_is_dirty(const char *when)
{
	long long seen = vmstat("nr_dirty");

	need(!seen, "%s: nr_dirty is %lld", when, seen);
}

/*
 * B4, systemd#40262: journald stores into a mapping and msyncs it. The store makes
 * the whole folio dirty, under each policy: nothing less could be written back.
 * What is charged for it has to be given back, whatever policy there is by then.
 */
void b04_store_and_msync(void)
{
	struct tfile f;
	uint8_t *map;
	off_t at;
	long head;

	head = cached(&f, ORDER_256K);
	at = (head + 36) * KIT_PAGE;
	map = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	sync();
	for (int i = 0; i < reports_nr_policies && !kit_failed(); i++) {
		use(policy);
		sample();
		map[at] = f.model[at] = i + 1;
		sample_delta();
		need(did.dirtied == 1LL << f.order[head],
		     "a store dirtied %lld pages, expected %lld", did.dirtied,
		     1LL << f.order[head]);
		kit_balanced("store");
		use(reports_policies[i]);
		need(!tfile_write(&f, at - 8 * KIT_PAGE, unit, 0), "write failed");
		kit_balanced("a write under the next policy");
		need(!msync(map, f.size, MS_SYNC), "msync: %s", strerror(errno));
		no_page_is_dirty("msync");
		kit_balanced("msync");
		/* And what is charged by page before it is charged whole. */
		use(policy);
		need(!tfile_write(&f, at - 8 * KIT_PAGE, unit, 0), "write failed");
		use(reports_policies[i]);
		map[at] = f.model[at] = ~i;
		kit_balanced("a store into a folio that is dirty");
		need(!msync(map, f.size, MS_SYNC), "msync: %s", strerror(errno));
		no_page_is_dirty("the second msync");
		kit_balanced("the second msync");
	}
	munmap(map, f.size);
	tfile_finish(&f);
}

/*
 * B16, lkml 2605.0/03135: the flusher of uncached writes is told of dirty pages
 * that are no longer there, after a plain lookup has cleared dropbehind of a folio.
 * The ledger compares that counter, too.
 */
void b16_dontcache(void)
{
	struct tfile f;
	long head;

	head = cached(&f, ORDER_256K);
	for (int i = 0; i < reports_nr_policies && !kit_failed(); i++) {
		off_t fresh = FILE_SIZE + i * 2 * FOLIO_256K;
		off_t old = head * KIT_PAGE;
		char byte;

		use(policy);
		/* A folio that is there already, and a new one, which is large. */
		need(!tfile_write(&f, old, unit, RWF_DONTCACHE) &&
		     !tfile_write(&f, fresh, FOLIO_256K, RWF_DONTCACHE),
		     "uncached write failed");
		kit_balanced("uncached writes");
		need(!fsync(f.fd), "fsync: %s", strerror(errno));
		/* Read uncached, it is large, clean and dropbehind. */
		for (off_t at = 0; at < FOLIO_256K; at += FOLIO_256K / 4)
			tfile_read_uncached(&f, fresh + at, FOLIO_256K / 4);
		need(!tfile_write(&f, fresh + FOLIO_256K / 2, unit, RWF_DONTCACHE),
		     "uncached write failed");
		kit_balanced("a part of an uncached folio");
		use(reports_policies[i]);
		need(pread(f.fd, &byte, 1, fresh + FOLIO_256K / 2) == 1,
		     "read: %s", strerror(errno));
		kit_balanced("a read that clears dropbehind");
		need(!tfile_write(&f, fresh + FOLIO_256K / 2 + unit, unit, 0),
		     "write failed");
		kit_balanced("a write that clears dropbehind");
		need(!fsync(f.fd), "fsync: %s", strerror(errno));
		no_page_is_dirty("fsync");
		kit_balanced("fsync");
	}
	tfile_finish(&f);
}
