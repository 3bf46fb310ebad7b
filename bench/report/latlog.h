/* SPDX-License-Identifier: GPL-2.0 */
/* fio's log of the latency of every write. */
#ifndef FWP_LATLOG_H
#define FWP_LATLOG_H

#include <jansson.h>

#include "why.h"

/* A write that took this long slept: no CPU work of a write comes near. */
#define SLEPT_NS 1000000

/**
 * struct latlog - what the logs of all writers say
 * @writes: how many writes there were
 * @slept: how many of them took SLEPT_NS or more
 * @awake_ns: sum of the latencies of the others
 * @p99_ns: the latency that 99 of 100 writes did not exceed (nearest rank)
 * @max_ns: the longest
 */
struct latlog {
	json_int_t writes;
	json_int_t slept;
	json_int_t awake_ns;
	json_int_t p99_ns;
	json_int_t max_ns;
};

/**
 * struct latencies - the latency of every write
 * @ns: them, sorted
 * @nr: how many
 * @room: how many fit into @ns
 */
struct latencies {
	json_int_t *ns;
	size_t nr, room;
};

/**
 * latlog_all - read every *_clat*.log of a directory
 * @dir: the directory, open
 * @all: the latencies; ns is to be freed, also after a failure
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int latlog_all(int dir, struct latencies *all, struct why *why);

/**
 * latlog_rank - a percentile by nearest rank
 * @all: the latencies, at least one
 * @share: the share of them, above 0 and at most 1
 *
 * Return: the smallest latency that at least this share did not exceed, in ns.
 */
json_int_t latlog_rank(const struct latencies *all, double share);

/**
 * latlog_read - sum up every *_clat*.log of a directory
 * @dir: the directory, open
 * @log: the sums
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int latlog_read(int dir, struct latlog *log, struct why *why);

#endif
