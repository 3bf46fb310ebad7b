/* SPDX-License-Identifier: GPL-2.0 */
/* The folios of the page cache, as the kernel's own page flags show them. */
#ifndef KPAGE_H
#define KPAGE_H

#include <stdint.h>
#include <sys/types.h>

#define KPAGE_MAX_ORDER	20	/* above any folio that a kernel makes */

/**
 * kpage_open - open /proc/kpageflags
 *
 * Returns a descriptor; exits with a message where the kernel has none
 * (CONFIG_PROC_PAGE_MONITOR) or the caller may not read it.
 */
int kpage_open(void);

/**
 * kpage_walk_cache - show each folio of the page cache of files
 * @kpageflags: from kpage_open()
 * @show: called with the order of each folio, in the order of memory
 * @arg: passed to @show
 *
 * A folio counts when it is on the LRU and is neither anonymous, nor of shared
 * memory or tmpfs, nor unevictable (a ramfs). Up to 31 single pages for each
 * CPU may be on their way to the LRU and are missed; a large folio never is.
 */
void kpage_walk_cache(int kpageflags, void (*show)(unsigned int order, void *arg),
		      void *arg);

/**
 * kpage_walk_file - show each folio that holds pages of one file
 * @kpageflags: from kpage_open()
 * @path: a regular file
 * @show: called with the file's page index that a folio begins at and its
 *	order, in the order of the file
 * @arg: passed to @show
 *
 * Nothing is read into the cache and no folio is moved on the LRU: the pages
 * are looked up with mincore(2) and only those that are there are mapped. A
 * folio that is not wholly up to date is not resident in this sense.
 *
 * Returns the number of resident pages; exits with a message if the file or
 * the page maps cannot be read, or if a folio changed under the walk.
 */
size_t kpage_walk_file(int kpageflags, const char *path,
		       void (*show)(uint64_t index, unsigned int order, void *arg),
		       void *arg);

#endif
