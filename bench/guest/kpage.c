// SPDX-License-Identifier: GPL-2.0
/* The folios of the page cache, as the kernel's own page flags show them. */
#include <err.h>
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kpage.h"

#define KPAGEFLAGS	"/proc/kpageflags"
#define CHUNK		8192
#define PM_PRESENT	(1ULL << 63)
#define PM_PFN		((1ULL << 55) - 1)
#define BIT(n)		(1ULL << (n))

static bool is_tail(uint64_t flags)
{
	return flags & BIT(KPF_COMPOUND_TAIL);
}

static bool is_file_cache(uint64_t flags)
{
	return (flags & BIT(KPF_LRU)) &&
	       !(flags & (BIT(KPF_ANON) | BIT(KPF_SWAPBACKED) |
			  BIT(KPF_UNEVICTABLE) | BIT(KPF_COMPOUND_TAIL)));
}

static unsigned int order_of(uint64_t pages)
{
	unsigned int order = 0;

	while (1ULL << order < pages)
		order++;
	if (1ULL << order != pages || order > KPAGE_MAX_ORDER)
		errx(1, "a folio of %llu pages: the cache changed while it was read",
		     (unsigned long long)pages);
	return order;
}

int kpage_open(void)
{
	int fd = open(KPAGEFLAGS, O_RDONLY);

	if (fd < 0)
		err(1, KPAGEFLAGS);
	return fd;
}

void kpage_walk_cache(int kpageflags, void (*show)(unsigned int order, void *arg),
		      void *arg)
{
	static uint64_t flags[CHUNK];
	uint64_t pages = 0;	/* of the folio at hand; 0: none is */
	off_t at = 0;
	ssize_t len;

	while ((len = pread(kpageflags, flags, sizeof(flags), at)) > 0) {
		at += len;
		for (size_t i = 0; i < len / sizeof(flags[0]); i++) {
			if (is_tail(flags[i])) {
				if (pages)
					pages++;
				continue;
			}
			if (pages)
				show(order_of(pages), arg);
			pages = is_file_cache(flags[i]);
		}
	}
	if (len < 0)
		err(1, KPAGEFLAGS);
	if (pages)
		show(order_of(pages), arg);
}

/* The order of the folio whose first page is @pfn. */
static unsigned int order_at(int kpageflags, uint64_t pfn)
{
	uint64_t flags[512], pages = 0;
	ssize_t len;

	for (;;) {
		len = pread(kpageflags, flags, sizeof(flags),
			    (pfn + pages) * sizeof(flags[0]));
		if (len < 0)
			err(1, KPAGEFLAGS);
		if (!pages && (!len || is_tail(flags[0])))
			errx(1, "pfn %#llx is not the first page of a folio",
			     (unsigned long long)pfn);
		for (size_t i = 0; i < len / sizeof(flags[0]); i++, pages++)
			if (pages && !is_tail(flags[i]))
				return order_of(pages);
		if (!len)
			return order_of(pages);
	}
}

static uint64_t pfn_of(int pagemap, const volatile char *page, long page_size)
{
	uint64_t entry;

	(void)*page;	/* map it */
	if (pread(pagemap, &entry, sizeof(entry),
		  (uintptr_t)page / page_size * sizeof(entry)) != sizeof(entry))
		err(1, "/proc/self/pagemap");
	if (!(entry & PM_PRESENT) || !(entry & PM_PFN))
		errx(1, "/proc/self/pagemap shows no page frame: run as root");
	return entry & PM_PFN;
}

size_t kpage_walk_file(int kpageflags, const char *path,
		       void (*show)(uint64_t index, unsigned int order, void *arg),
		       void *arg)
{
	long page_size = sysconf(_SC_PAGESIZE);
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	int fd = open(path, O_RDONLY);
	size_t nr, resident = 0, next = 0;
	unsigned char *incore;
	struct stat st;
	char *map;

	if (pagemap < 0)
		err(1, "/proc/self/pagemap");
	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	if (!S_ISREG(st.st_mode))
		errx(1, "%s: not a regular file", path);
	nr = (st.st_size + page_size - 1) / page_size;
	if (!nr)
		goto out;
	incore = malloc(nr);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	/* Random: no readahead from a fault, and no mark of use on the LRU. */
	if (!incore || map == MAP_FAILED ||
	    madvise(map, st.st_size, MADV_RANDOM) ||
	    mincore(map, st.st_size, incore))
		err(1, "%s", path);
	for (size_t i = 0; i < nr; i++) {
		unsigned int order;

		if (!(incore[i] & 1))
			continue;
		resident++;
		if (i < next)
			continue;
		order = order_at(kpageflags, pfn_of(pagemap, map + i * page_size,
						    page_size));
		show(i, order, arg);
		next = i + (1UL << order);
	}
	munmap(map, st.st_size);
	free(incore);
out:
	close(fd);
	close(pagemap);
	return resident;
}
