/* SPDX-License-Identifier: GPL-2.0 */
/* What the guest's sampler of /proc/vmstat left. */
#ifndef FWP_SAMPLER_H
#define FWP_SAMPLER_H

#include <jansson.h>

#include "why.h"

/* A line of sample.csv; all but the time in pages. The file's own order. */
struct sample {
	json_int_t t_ns;
	json_int_t nr_dirty;
	json_int_t nr_writeback;
	json_int_t nr_dirtied;
	json_int_t nr_written;
	json_int_t hard_limit;
	json_int_t background_limit;
};

/**
 * sampler_each - read sample.csv
 * @dir: directory that it is in
 * @take: called for each sample, in the order of time
 * @arg: for @take
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int sampler_each(int dir, void (*take)(const struct sample *s, void *arg),
		 void *arg, struct why *why);

#endif
