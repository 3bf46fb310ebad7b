/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of the policies share. Each test is a function without arguments. */
#ifndef POLICY_H
#define POLICY_H

#include "tfile.h"

#define RA_DEFAULT	128	/* folios of 256 KiB, see tfile_load() */
#define RA_HUGE		2048
#define ORDER_256K	6
#define ORDER_2M	9
#define DEFAULT_RATIO	4	/* folio_write_ratio */
#define FILE_SIZE	(4 * KIT_MIB)

/* The filesystem under test. */
extern long block;		/* block size */
extern long unit;		/* the smallest aligned write that fills a folio */
extern int unit_order;		/* the mapping's minimum order */

/* The policy that the current test is about. It is not in force yet. */
extern const char *policy;

/* What an operation did, as the kernel counts it; of @policy, and system-wide. */
extern struct did {
	long long dirtied;	/* pages */
	long long reads;	/* requests to the device */
	struct counters c;
} did;

/**
 * sample, sample_delta - call before and after an operation to have it in @did
 */
void sample(void);
void sample_delta(void);

/**
 * acted, refused - what @did says of the policy; REASON with "refused_"
 */
long long acted(void);
long long refused(const char *reason);

/**
 * use - put a policy in force; nothing on a kernel without policies
 */
void use(const char *name);

/**
 * write_counted - one write, with what it did in @did
 */
void write_counted(struct tfile *f, off_t pos, size_t len, int rwf);

/**
 * order_for - order of the folio that a write of LEN bytes needs
 */
int order_for(size_t len);

/**
 * cached - make a file and read it into large folios
 * @f: filled in and mapped
 * @order: ORDER_256K or ORDER_2M, of which there are to be some
 * Return: page index of one folio of that order or more, which has a neighbour.
 */
long cached(struct tfile *f, int order);

/**
 * cached_beyond_eof - the same, and the file ends in that folio, which is clean
 * @keep: bytes of the folio that are in the file
 */
long cached_beyond_eof(struct tfile *f, long keep);

/**
 * expect_folio - the folio at page HEAD has this order and is whole
 */
void expect_folio(struct tfile *f, long head, int order, const char *what);

/**
 * expect_refusal - the same, and @did has no action but a refusal for REASON
 */
void expect_refusal(struct tfile *f, long head, int order, const char *reason);

/**
 * expect_split - a folio of order OLD was split at PAGE for a write of LEN bytes,
 * and no further than that took at the default ratio
 */
void expect_split(struct tfile *f, long head, int old, long page, size_t len);

/**
 * expect_evicted - of a folio of order OLD nothing is cached but a new one of
 * ORDER at PAGE
 */
void expect_evicted(struct tfile *f, long head, int old, long page, int order);

/* acting.c */
void none_256k(void);
void none_2m(void);
void act_256k(void);
void act_2m(void);
void act_first_page(void);
void act_last_page(void);
void act_8k(void);
void act_16k(void);
void act_straddling(void);
void act_block(void);
void split_unaligned(void);
void evict_unaligned(void);

/* refusing.c */
void sequential(void);
void ratio(void);
void mapped(void);
void dirty(void);
void writeback(void);
void nowait(void);
void split_dontcache(void);
void evict_dontcache(void);
void pinned_by_splice(void);
void pinned_by_gup(void);
void from_own_mapping(void);
void short_copy(void);

/* edges.c */
void write_over_eof(void);
void write_over_eof_unaligned(void);
void write_beyond_eof(void);
void write_far_beyond_eof(void);
void zero_range(void);
void punch_hole(void);
void truncated(void);
void unshared(void);
void written_shared(void);

/* capped.c */
void cap_read(void);
void cap_write(void);
void cap_mmap(void);
void cap_keeps_existing(void);

/* common.c */
void racing_changes(void);
void evict_blockdev(void);
void tracepoint(void);
void invariant(void);

#endif
