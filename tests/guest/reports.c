// SPDX-License-Identifier: GPL-2.0
/*
 * reports DEV MNT [TEST...]: what was reported in public about large folios, each
 * report as a test, under each policy. /dev/DEV is an XFS mounted at MNT. Two more
 * reports are in charging.c, which needs another disk: b15 and b19.
 */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "reports.h"

long block;
long unit;
int unit_order;
const char *policy;
char reports_policies[KIT_POLICIES][KIT_NAME];
int reports_nr_policies;

static const struct {
	const char *name;
	void (*fn)(void);
} tests[] = {
	{ "b02_readahead_ramp", b02_readahead_ramp },
	{ "b03_write_amplification", b03_write_amplification },
	{ "b04_store_and_msync", b04_store_and_msync },
	{ "b09_sigbus_past_eof", b09_sigbus_past_eof },
	{ "b10_eof_pollution", b10_eof_pollution },
	{ "b12_small_overwrite_cost", b12_small_overwrite_cost },
	{ "b14_min_order", b14_min_order },
	{ "b16_dontcache", b16_dontcache },
	{ "b20_no_cost_elsewhere", b20_no_cost_elsewhere },
};

static bool wanted(const char *name, char **names)
{
	if (!*names)
		return true;
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
		fprintf(stderr, "usage: reports DEV MNT [TEST...]\n");
		return 2;
	}
	fs_use(argv[1], argv[2]);
	block = fs.f_bsize;
	unit = block > KIT_PAGE ? block : KIT_PAGE;
	while (KIT_PAGE << unit_order < unit)
		unit_order++;
	reports_nr_policies = policies(reports_policies);
	if (!reports_nr_policies) {
		fprintf(stderr, "reports: this kernel has no policies\n");
		return 2;
	}
	kmsg_start();
	for (int i = 0; i < reports_nr_policies; i++) {
		policy = reports_policies[i];
		snprintf(label, sizeof(label), "reports-%ld.%.31s", block, policy);
		for (size_t t = 0; t < sizeof(tests) / sizeof(*tests); t++)
			if (wanted(tests[t].name, argv + 3))
				kit_run(label, tests[t].name, tests[t].fn);
	}
	return kit_exit();
}
