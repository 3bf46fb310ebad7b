// SPDX-License-Identifier: GPL-2.0
/*
 * A metric that is added here must also be set by the file that reads its
 * source, and explained in Documentation/bench-metrics.rst.
 */
#include <string.h>

#include "metrics.h"

const struct metric builtin_metrics[] = {
	{
		.name = "iops_asked", .unit = "writes/s",
		.reader = READ_FIO,
		.source = "env: FWP_JOBS * FWP_RATE",
		.cell = CELL_NUMBER, .width = 6,
		.head = { "IOPS", "asked" }, .scale = 1,
	}, {
		.name = "iops", .unit = "writes/s",
		.reader = READ_FIO,
		.source = "fio.json: write.iops",
		.better = BETTER_HIGHER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "IOPS", "got" }, .scale = 1, .decimals = 2,
	}, {
		.name = "iops_of_control", .unit = "ratio",
		.reader = READ_FIO,
		.source = "iops / iops of the row control of the same run",
		.better = BETTER_HIGHER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "/ con-", "trol" }, .scale = 1, .decimals = 4,
	}, {
		.name = "lat_p99_ns", .unit = "ns",
		.reader = READ_FIO,
		.source = "latency logs: 99th percentile, nearest rank",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "p99", "lat ms" }, .scale = 1e6, .decimals = 2,
	}, {
		.name = "lat_max_ns", .unit = "ns",
		.reader = READ_FIO,
		.source = "fio.json: write.clat_ns.max",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "max", "lat ms" }, .scale = 1e6, .decimals = 2,
	}, {
		.name = "writer_sleep_ms", .unit = "ms",
		.reader = READ_PAUSES,
		.source = "hist-bdp: sum of pause over all tasks",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 8,
		.head = { "writer", "sleep s" }, .scale = 1e3, .decimals = 3,
	}, {
		.name = "dirty_max_bytes", .unit = "bytes",
		.reader = READ_SAMPLER,
		.source = "sample.csv: largest nr_dirty * 4096",
		.better = BETTER_LOWER,
		.cell = CELL_SIZE, .width = 7,
		.head = { "max", "dirty" }, .scale = 1, .decimals = 1,
	}, {
		.name = "dirty_max_share", .unit = "ratio",
		.reader = READ_SAMPLER,
		.source = "dirty_max_bytes / vm.dirty_bytes as read back",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 6,
		.head = { "/hard", "limit" }, .scale = 1, .decimals = 3,
	}, {
		.name = "overcharge", .unit = "ratio",
		.reader = READ_CHARGE,
		.source = "pages_charged / pages_written_by_app",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "over-", "charge" }, .scale = 1, .decimals = 3,
	}, {
		.name = "folio_before_max", .unit = "bytes",
		.reader = READ_FOLIOS,
		.source = "folios-before.json: max_bytes",
		.cell = CELL_SIZE, .width = 7,
		.head = { "folio", "before" }, .scale = 1, .decimals = 1,
	}, {
		.name = "folio_after_max", .unit = "bytes",
		.reader = READ_FOLIOS,
		.source = "folios-after.json: max_bytes",
		.cell = CELL_SIZE, .width = 7,
		.head = { "folio", "after" }, .scale = 1, .decimals = 1,
	}, {
		.name = "insns_per_write", .unit = "instructions",
		.reader = READ_FIO,
		.source = "latency logs: mean of writes below 1 ms",
		.better = BETTER_LOWER, .virtual_only = true,
		.cell = CELL_NUMBER, .width = 8,
		.head = { "insns/", "write" }, .scale = 1, .decimals = 1,
	}, {
		.name = "writes_slept", .unit = "writes",
		.reader = READ_FIO,
		.source = "latency logs: writes of 1 ms or more",
		.better = BETTER_LOWER,
		.cell = CELL_NUMBER, .width = 7,
		.head = { "writes", "slept" }, .scale = 1,
	}, {
		.name = "acted", .unit = "decisions",
		.reader = READ_COUNTERS,
		.source = "counters: difference of POLICY/acted",
		.cell = CELL_NUMBER, .width = 8,
		.head = { "policy", "acted" }, .scale = 1,
	}, {
		.name = "refused", .unit = "decisions",
		.reader = READ_COUNTERS,
		.source = "counters: difference of all POLICY/refused_*",
		.cell = CELL_NUMBER, .width = 8,
		.head = { "policy", "refused" }, .scale = 1,
	}, {
		.name = "refused_by", .unit = "decisions",
		.reader = READ_COUNTERS,
		.source = "counters: difference of each POLICY/refused_*",
	}, {
		.name = "pages_charged", .unit = "pages",
		.reader = READ_CHARGE,
		.source = "vmstat: difference of nr_dirtied",
		.better = BETTER_LOWER,
	}, {
		.name = "pages_written_by_app", .unit = "pages",
		.reader = READ_FIO,
		.source = "fio.json: write.io_bytes / 4096",
	}, {
		.name = "write_cost_clean", .unit = "instructions",
		.reader = READ_WRITECOST,
		.source = "writecost.json: clean.mean",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_clean_median", .unit = "instructions",
		.reader = READ_WRITECOST,
		.source = "writecost.json: clean.median",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_dirty", .unit = "instructions",
		.reader = READ_WRITECOST,
		.source = "writecost.json: dirty.mean",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "write_cost_dirty_median", .unit = "instructions",
		.reader = READ_WRITECOST,
		.source = "writecost.json: dirty.median",
		.better = BETTER_LOWER, .virtual_only = true,
	}, {
		.name = "policy_readback", .unit = "name",
		.reader = READ_SETTINGS,
		.source = "policy: vm.folio_write_policy as read back",
	},
	{ }
};

static const char * const better_names[] = {
	[BETTER_NEITHER] = "neither",
	[BETTER_HIGHER] = "higher",
	[BETTER_LOWER] = "lower",
};

const char *better_name(enum better better)
{
	return better_names[better];
}

bool better_parse(const char *name, enum better *better)
{
	size_t i;

	for (i = 0; i < sizeof(better_names) / sizeof(char *); i++)
		if (!strcmp(name, better_names[i])) {
			*better = i;
			return true;
		}
	return false;
}
