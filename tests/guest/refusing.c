// SPDX-License-Identifier: GPL-2.0
/*
 * Folios that "split" and "evict" are to leave alone, or to act on with care.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "policy.h"

/* Each page of a folio in turn: what was split or evicted is not asked again. */
void sequential(void)
{
	struct tfile f;
	long head, nr;

	head = cached(&f, ORDER_256K);
	use(policy);
	nr = 1L << f.order[head];
	sample();
	for (long i = 0; i < nr && !kit_failed(); i += unit / KIT_PAGE)
		need(!tfile_write(&f, (head + i) * KIT_PAGE, unit, 0),
		     "write failed");
	sample_delta();
	need(acted() >= 1, "%s did not act: %s", policy, counters_text(&did.c));
	need(did.dirtied == nr, "%ld pages written, %lld dirtied", nr,
	     did.dirtied);
	tfile_finish(&f);
}

void ratio(void)
{
	struct tfile f;
	long head, units;
	int order;

	head = cached(&f, ORDER_256K);
	use(policy);
	if (kit_failed())
		return;
	order = f.order[head];
	units = (KIT_PAGE << order) / unit;
	need(!vm_put_num(RATIO, units + 1), "cannot set the ratio");
	write_counted(&f, head * KIT_PAGE, unit, 0);
	expect_refusal(&f, head, order, "refused_small");
	need(!vm_put_num(RATIO, units), "cannot set the ratio");
	/* The folio of that write is dirty now. Clean, it is the same case. */
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	write_counted(&f, head * KIT_PAGE, unit, 0);
	need(acted() == 1, "a folio of exactly the ratio was refused: %s",
	     counters_text(&did.c));
	tfile_finish(&f);
}

void mapped(void)
{
	volatile char *map;
	struct tfile f;
	long head;
	int order;

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	use(policy);
	map = mmap(NULL, f.size, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	(void)map[(head + 5) * KIT_PAGE];
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_refusal(&f, head, order, "refused_mapped");
	munmap((void *)map, f.size);
	tfile_finish(&f);
}

void dirty(void)
{
	struct tfile f;
	long head;
	int order;

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	need(!tfile_write(&f, head * KIT_PAGE, unit, 0), "write failed");
	use(policy);
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(did.dirtied == 0, "a dirty folio was charged %lld pages again",
	     did.dirtied);
	expect_refusal(&f, head, order, "refused_dirty");
	tfile_finish(&f);
}

/*
 * Needs a device slow enough to be caught at it, and on a busy machine even that
 * takes more than one try.
 */
void writeback(void)
{
	struct tfile f;
	long head = 0;
	int order = 0;

	cached(&f, ORDER_256K);
	for (int i = 0; i < 20 && !kit_failed(); i++) {
		use("none");
		tfile_load(&f, RA_DEFAULT);
		tfile_map(&f);
		for (off_t at = 0; at < f.size; at += KIT_PAGE << ORDER_256K)
			need(!tfile_write(&f, at, unit, 0), "write failed");
		use(policy);
		/* One request at a time, in order: the last folio waits longest. */
		head = f.head[f.size / KIT_PAGE - 1];
		order = f.order[head];
		sample();
		need(!sync_file_range(f.fd, 0, 0, SYNC_FILE_RANGE_WRITE),
		     "sync_file_range: %s", strerror(errno));
		need(!tfile_write(&f, (head + 36) * KIT_PAGE, unit, 0),
		     "write failed");
		sample_delta();
		if (refused("refused_writeback"))
			break;
	}
	expect_refusal(&f, head, order, "refused_writeback");
	tfile_finish(&f);
}

void nowait(void)
{
	struct tfile f;
	long head;
	int err = -EAGAIN, order;

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	/* A folio to be written to below, which is dirty and of no interest. */
	need(!tfile_write(&f, f.size - unit, unit, 0), "write failed");
	use(policy);
	sample();
	/* The write must not have to wait for a timestamp, either. */
	for (int i = 0; i < 100 && err == -EAGAIN; i++) {
		need(!tfile_write(&f, f.size - unit, unit, 0), "write failed");
		err = tfile_write(&f, (head + 36) * KIT_PAGE, unit, RWF_NOWAIT);
	}
	sample_delta();
	need(!err, "RWF_NOWAIT: %s", strerror(-err));
	expect_refusal(&f, head, order, "refused_nowait");
	tfile_finish(&f);
}

void evict_dontcache(void)
{
	struct tfile f;
	long head;
	int order;

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	use(policy);
	write_counted(&f, (head + 36) * KIT_PAGE, unit, RWF_DONTCACHE);
	expect_refusal(&f, head, order, "refused_dontcache");
	tfile_finish(&f);
}

/* Split may act or not; what it leaves must agree with what it counted. */
void split_dontcache(void)
{
	struct tfile f;
	long head;
	int order;

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	use(policy);
	write_counted(&f, (head + 36) * KIT_PAGE, unit, RWF_DONTCACHE);
	if (acted()) {
		expect_split(&f, head, order, head + 36, unit);
		/* The rest of the folio was cached by choice, and stays. */
		need(!fsync(f.fd), "fsync: %s", strerror(errno));
		tfile_map(&f);
		need(f.order[head] >= 0, "the rest of the folio was dropped");
	} else {
		expect_refusal(&f, head, order, "refused_dontcache");
	}
	tfile_finish(&f);
}

void pinned_by_splice(void)
{
	struct tfile f;
	loff_t at;
	long head;
	int order, fds[2];

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	use(policy);
	at = (head + 3) * KIT_PAGE;
	need(!pipe(fds), "pipe: %s", strerror(errno));
	need(splice(f.fd, &at, fds[1], NULL, KIT_PAGE, 0) == KIT_PAGE,
	     "splice: %s", strerror(errno));
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_refusal(&f, head, order, "refused_pinned");
	close(fds[0]);
	close(fds[1]);
	tfile_finish(&f);
}

/* vmsplice takes the pages by get_user_pages(); the pipe outlives the mapping. */
void pinned_by_gup(void)
{
	struct iovec iov = { .iov_len = KIT_PAGE };
	struct tfile f;
	char *map;
	long head;
	int order, fds[2];

	head = cached(&f, ORDER_256K);
	order = f.order[head];
	use(policy);
	map = mmap(NULL, f.size, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED && !pipe(fds), "mmap, pipe: %s", strerror(errno));
	iov.iov_base = map + (head + 3) * KIT_PAGE;
	need(vmsplice(fds[1], &iov, 1, 0) == KIT_PAGE, "vmsplice: %s",
	     strerror(errno));
	munmap(map, f.size);
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_refusal(&f, head, order, "refused_pinned");
	close(fds[0]);
	close(fds[1]);
	tfile_finish(&f);
}

/* The bytes come from a mapping of the very folio that they are written to. */
void from_own_mapping(void)
{
	struct tfile f;
	off_t from, to;
	long head;
	char *map;

	head = cached(&f, ORDER_256K);
	use(policy);
	map = mmap(NULL, f.size, PROT_READ, MAP_SHARED, f.fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	from = (head + 3) * KIT_PAGE;
	to = (head + 36) * KIT_PAGE;
	sample();
	need(pwrite(f.fd, map + from, unit, to) == unit, "write: %s",
	     strerror(errno));
	sample_delta();
	need(acted() == 0 && refused("refused_mapped") >= 1, "%s: %s", policy,
	     counters_text(&did.c));
	memcpy(f.model + to, f.model + from, unit);
	munmap(map, f.size);
	tfile_finish(&f);
}

/*
 * Half of the buffer cannot be read: iomap takes the write back and tries again
 * with less. What was not written must keep the old data.
 */
void short_copy(void)
{
	struct tfile f;
	long head;
	off_t at;
	char *buf;

	head = cached(&f, ORDER_256K);
	use(policy);
	buf = mmap(NULL, 2 * unit, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(buf != MAP_FAILED, "mmap: %s", strerror(errno));
	memset(buf, 0x77, unit);
	need(!munmap(buf + unit, unit), "munmap: %s", strerror(errno));
	at = (head + 36) * KIT_PAGE;
	sample();
	need(pwrite(f.fd, buf, 2 * unit, at) == unit, "write: %s",
	     strerror(errno));
	sample_delta();
	need(acted() >= 1, "%s did not act: %s", policy, counters_text(&did.c));
	memset(f.model + at, 0x77, unit);
	tfile_finish(&f);
}
