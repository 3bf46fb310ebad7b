// SPDX-License-Identifier: GPL-2.0
/*
 * policy DEV MNT [TEST...]: each policy does what it says, on folios whose sizes
 * are read back from the kernel. /dev/DEV is an XFS mounted at MNT. On a kernel
 * without policies, what must hold for "none" is tested alone.
 */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "policy.h"

long block;
long unit;
int unit_order;
const char *policy;

enum {
	PATCHED = 1,		/* only on a kernel with policies */
	SMALL_BLOCK = 2,	/* only with blocks no larger than a page */
	ON_DEMAND = 4,		/* only when it is named */
};

static const struct {
	const char *policy;
	const char *name;
	void (*fn)(void);
	int when;
} tests[] = {
#define BOTH(fn, when)	\
	{ "split", #fn, fn, (when) | PATCHED }, \
	{ "evict", #fn, fn, (when) | PATCHED }
#define ONE(policy, fn)	\
	{ policy, #fn, fn, PATCHED }
	{ "none", "none_256k", none_256k, 0 },
	{ "none", "none_2m", none_2m, 0 },
	BOTH(act_256k, 0),
	BOTH(act_2m, 0),
	BOTH(act_first_page, 0),
	BOTH(act_last_page, 0),
	/* Less than a block of 16 KiB, which evict does not act on. */
	BOTH(act_8k, SMALL_BLOCK),
	BOTH(act_16k, 0),
	BOTH(act_straddling, 0),
	BOTH(act_block, SMALL_BLOCK),
	ONE("split", split_unaligned),
	ONE("evict", evict_unaligned),
	BOTH(sequential, 0),
	BOTH(ratio, 0),
	BOTH(mapped, 0),
	BOTH(dirty, 0),
	BOTH(writeback, ON_DEMAND),
	BOTH(nowait, 0),
	ONE("split", split_dontcache),
	ONE("evict", evict_dontcache),
	BOTH(pinned_by_splice, 0),
	BOTH(pinned_by_gup, 0),
	BOTH(from_own_mapping, 0),
	BOTH(short_copy, 0),
	BOTH(write_over_eof, 0),
	ONE("split", write_over_eof_unaligned),
	BOTH(write_beyond_eof, 0),
	BOTH(write_far_beyond_eof, 0),
	BOTH(zero_range, 0),
	BOTH(punch_hole, 0),
	BOTH(truncated, 0),
	BOTH(unshared, 0),
	BOTH(written_shared, 0),
	ONE("evict", evict_blockdev),
	ONE("cap", cap_read),
	ONE("cap", cap_write),
	ONE("cap", cap_mmap),
	ONE("cap", cap_keeps_existing),
	ONE("split", racing_changes),
	ONE("split", tracepoint),
	/* Last: over all that was counted before. */
	ONE("none", invariant),
#undef BOTH
#undef ONE
};

static bool wanted(const char *name, int when, char **names)
{
	if ((when & PATCHED) && !vm_exists(POLICY))
		return false;
	if ((when & SMALL_BLOCK) && block > KIT_PAGE)
		return false;
	if (!*names)
		return !(when & ON_DEMAND);
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct statvfs fs;
	char label[64];

	if (argc < 3 || statvfs(argv[2], &fs)) {
		fprintf(stderr, "usage: policy DEV MNT [TEST...]\n");
		return 2;
	}
	fs_use(argv[1], argv[2]);
	block = fs.f_bsize;
	unit = block > KIT_PAGE ? block : KIT_PAGE;
	while (KIT_PAGE << unit_order < unit)
		unit_order++;
	kmsg_start();
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		if (!wanted(tests[i].name, tests[i].when, argv + 3))
			continue;
		policy = tests[i].policy;
		snprintf(label, sizeof(label), "policy.%ldk.%s", block / 1024,
			 policy);
		kit_run(label, tests[i].name, tests[i].fn);
	}
	return kit_exit();
}
