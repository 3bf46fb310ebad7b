// SPDX-License-Identifier: GPL-2.0
/*
 * Reports about folios that reach beyond the end of the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports.h"

#define KEEP_PAGES	20	/* of the folio that are whole in the file */
#define KEEP_BYTES	100	/* and of the page after them */
#define STEPS		24

static sigjmp_buf bus;

static void on_bus(int sig)
{
	siglongjmp(bus, sig);
}

/* Does it take a SIGBUS to load, or to store what is there already? */
static bool faults(volatile uint8_t *at, bool store)
{
	if (sigsetjmp(bus, 1))
		return true;
	if (store)
		*at = *at;
	else
		(void)*at;
	return false;
}

/* By loads first: one of them maps what is around it. */
static void check_sigbus(uint8_t *map, const char *when)
{
	for (int store = 0; store < 2; store++)
		for (long i = 0; i < 1L << ORDER_256K; i++)
			need(faults(map + i * KIT_PAGE, store) == (i > KEEP_PAGES),
			     "%s: a %s on page %ld %s, the file ends in page %d",
			     when, store ? "store" : "load", i,
			     i > KEEP_PAGES ? "was let through" : "got SIGBUS",
			     KEEP_PAGES);
	for (long i = KEEP_BYTES; i < KIT_PAGE; i++)
		need(!map[KEEP_PAGES * KIT_PAGE + i],
		     "%s: byte %ld of the last page is not zero", when, i);
}

/*
 * B9, generic/749: a page that is wholly beyond the end of the file must not be
 * mapped, even if its folio is cached; also not after a split, an eviction or a
 * change of the largest order.
 */
void b09_sigbus_past_eof(void)
{
	static const char * const orders[] = { "0", "4", "9" };
	struct sigaction sa = { .sa_handler = on_bus };
	struct tfile f;
	uint8_t *map;
	long head;

	sigaction(SIGBUS, &sa, NULL);
	head = cached_beyond_eof(&f, KEEP_PAGES * KIT_PAGE + KEEP_BYTES);
	use(policy);
	map = mmap(NULL, FOLIO_256K, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd,
		   head * KIT_PAGE);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	check_sigbus(map, "as cached");
	/* Mapped, a folio is left alone. */
	munmap(map, FOLIO_256K);
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	need(!tfile_write(&f, (head + 4) * KIT_PAGE, unit, 0), "write failed");
	map = mmap(NULL, FOLIO_256K, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd,
		   head * KIT_PAGE);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	check_sigbus(map, "after a small write");
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		need(!vm_put(MAX_ORDER, orders[i]), "cannot set the order");
		need(!fsync(f.fd), "fsync: %s", strerror(errno));
		/* Out of the mapping, and out of the cache. */
		madvise(map, FOLIO_256K, MADV_DONTNEED);
		tfile_load(&f, RA_DEFAULT);
		check_sigbus(map, "read again");
	}
	munmap(map, FOLIO_256K);
	tfile_finish(&f);
}

/* What a mapping shows beyond the end, and may be changed there. */
static void pollute(struct tfile *f)
{
	long in_page = f->size % KIT_PAGE;
	uint8_t *map;

	if (!in_page)
		return;
	map = mmap(NULL, KIT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd,
		   f->size - in_page);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	memset(map + in_page, 0xee, KIT_PAGE - in_page);
	munmap(map, KIT_PAGE);
}

/* Move the end of the file in one of the ways that there are. */
static void move_eof(struct tfile *f, int step)
{
	off_t beyond = f->size + 3000 * (1 + step % 5);
	const char *what = "fallocate";

	switch (step % 6) {
	case 0:
		what = "write beyond the end";
		need(!tfile_write(f, beyond, 700, 0), "%s failed", what);
		break;
	case 1:
		tfile_truncate(f, beyond);
		break;
	case 2:
		need(!fallocate(f->fd, 0, f->size, beyond - f->size), "%s: %s",
		     what, strerror(errno));
		f->size = beyond;
		break;
	case 3:
		need(!fallocate(f->fd, FALLOC_FL_ZERO_RANGE, f->size - 50,
				beyond - f->size + 50), "%s: %s", what,
		     strerror(errno));
		tfile_zero(f, f->size - 50, 50);
		f->size = beyond;
		break;
	case 4:
		what = "append";
		need(!tfile_write(f, f->size, 1234, 0), "%s failed", what);
		break;
	default:
		/* Down, and up again. */
		tfile_truncate(f, f->size - 5000);
		pollute(f);
		tfile_truncate(f, f->size + 9000);
		break;
	}
}

/*
 * B10, generic/363: what a mapping left beyond the end of the file must not show
 * when the file grows, while policies change.
 */
void b10_eof_pollution(void)
{
	struct tfile f;

	tfile_make(&f, "file", KIT_MIB);
	for (int i = 0; i < STEPS && !kit_failed(); i++) {
		/* Large and clean again, now and then. */
		if (i % 4 == 0) {
			need(!fsync(f.fd), "fsync: %s", strerror(errno));
			tfile_load(&f, RA_DEFAULT);
		}
		use(policy);
		need(!tfile_write(&f, (f.size - 20 * KIT_PAGE) & -unit, unit,
				  0),
		     "write failed");
		pollute(&f);
		if (i % 3 == 1)
			need(!sync_file_range(f.fd, 0, 0, SYNC_FILE_RANGE_WRITE),
			     "sync_file_range: %s", strerror(errno));
		if (i % 2)
			use(reports_policies[i / 2 % reports_nr_policies]);
		move_eof(&f, i);
		tfile_verify(&f, "after the end has moved");
	}
	tfile_finish(&f);
}
