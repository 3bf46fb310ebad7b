// SPDX-License-Identifier: GPL-2.0
/*
 * A metric that is added here must also be set by the file that reads its
 * source, and explained in Documentation/bench-metrics.rst.
 */
#include <string.h>

#include "metrics.h"

const struct metric metrics[] = {
	{
		.name = "iops_asked", .unit = "writes/s",
		.source = "env: FWP_JOBS * FWP_RATE",
		.cell = CELL_NUMBER, .block = 1, .width = 6,
		.head = { "IOPS", "asked" }, .scale = 1,
	}, {
		.name = "iops", .unit = "writes/s",
		.source = "fio.json: write.iops",
		.better = BETTER_HIGHER,
		.cell = CELL_NUMBER, .block = 1, .width = 7,
		.head = { "IOPS", "got" }, .scale = 1, .decimals = 2,
	}, {
		.name = "iops_of_control", .unit = "ratio",
		.source = "iops / iops of the row control of the same run",
		.better = BETTER_HIGHER,
		.cell = CELL_NUMBER, .block = 1, .width = 7,
		.head = { "/ con-", "trol" }, .scale = 1, .decimals = 4,
	}, {
		.name = "lat_p99_ns", .unit = "ns",
		.source = "latency logs: 99th percentile, nearest rank",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 1, .width = 7,
		.head = { "p99", "lat ms" }, .scale = 1e6, .decimals = 2,
	}, {
		.name = "lat_max_ns", .unit = "ns",
		.source = "fio.json: write.clat_ns.max",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 1, .width = 7,
		.head = { "max", "lat ms" }, .scale = 1e6, .decimals = 2,
	}, {
		.name = "writer_sleep_ms", .unit = "ms",
		.source = "hist-bdp: sum of pause over all tasks",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 1, .width = 8,
		.head = { "writer", "sleep s" }, .scale = 1e3, .decimals = 3,
	}, {
		.name = "dirty_max_bytes", .unit = "bytes",
		.source = "sample.csv: largest nr_dirty * 4096",
		.better = BETTER_LOWER,
		.cell = CELL_SIZE, .block = 1, .width = 7,
		.head = { "max", "dirty" }, .scale = 1, .decimals = 1,
	}, {
		.name = "dirty_max_share", .unit = "ratio",
		.source = "dirty_max_bytes / vm.dirty_bytes as read back",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 1, .width = 6,
		.head = { "/hard", "limit" }, .scale = 1, .decimals = 3,
	}, {
		.name = "overcharge", .unit = "ratio",
		.source = "pages_charged / pages_written_by_app",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 2, .width = 7,
		.head = { "over-", "charge" }, .scale = 1, .decimals = 3,
	}, {
		.name = "folio_before_max", .unit = "bytes",
		.source = "folios-before.json: max_bytes",
		.cell = CELL_SIZE, .block = 2, .width = 7,
		.head = { "folio", "before" }, .scale = 1, .decimals = 1,
	}, {
		.name = "folio_after_max", .unit = "bytes",
		.source = "folios-after.json: max_bytes",
		.cell = CELL_SIZE, .block = 2, .width = 7,
		.head = { "folio", "after" }, .scale = 1, .decimals = 1,
	}, {
		.name = "insns_per_write", .unit = "instructions",
		.source = "latency logs: mean of writes below 1 ms",
		.better = BETTER_LOWER, .virtual_only = true,
		.cell = CELL_NUMBER, .block = 2, .width = 8,
		.head = { "insns/", "write" }, .scale = 1, .decimals = 1,
	}, {
		.name = "writes_slept", .unit = "writes",
		.source = "latency logs: writes of 1 ms or more",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .block = 2, .width = 7,
		.head = { "writes", "slept" }, .scale = 1,
	}, {
		.name = "acted", .unit = "decisions",
		.source = "counters: difference of POLICY/acted",
		.cell = CELL_NUMBER, .block = 2, .width = 8,
		.head = { "policy", "acted" }, .scale = 1,
	}, {
		.name = "refused", .unit = "decisions",
		.source = "counters: difference of all POLICY/refused_*",
		.cell = CELL_NUMBER, .block = 2, .width = 8,
		.head = { "policy", "refused" }, .scale = 1,
	}, {
		.name = "refused_by", .unit = "decisions",
		.source = "counters: difference of each POLICY/refused_*",
	}, {
		.name = "pages_charged", .unit = "pages",
		.source = "vmstat: difference of nr_dirtied",
		.better = BETTER_LOWER,
	}, {
		.name = "pages_written_by_app", .unit = "pages",
		.source = "fio.json: write.io_bytes / 4096",
	}, {
		.name = "write_cost_clean", .unit = "instructions",
		.source = "writecost.json: clean.mean",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_clean_median", .unit = "instructions",
		.source = "writecost.json: clean.median",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_dirty", .unit = "instructions",
		.source = "writecost.json: dirty.mean",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_dirty_median", .unit = "instructions",
		.source = "writecost.json: dirty.median",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "policy_readback", .unit = "name",
		.source = "policy: vm.folio_write_policy as read back",
	},
	{ }
};

const struct metric *metric_find(const char *name, size_t len)
{
	const struct metric *m;

	for (m = metrics; m->name; m++)
		if (strlen(m->name) == len && !memcmp(m->name, name, len))
			return m;
	return NULL;
}

const char *better_name(enum better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return "higher";
	case BETTER_LOWER:
		return "lower";
	default:
		return "neither";
	}
}
