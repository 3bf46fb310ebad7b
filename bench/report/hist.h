/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms of trace events, see the kernel's Documentation/trace/histogram.rst. */
#ifndef FWP_HIST_H
#define FWP_HIST_H

#include <jansson.h>

#include "why.h"

/**
 * hist_read - read one histogram as the kernel prints it
 * @dir: directory that @name is relative to
 * @name: the file
 * @why: the reason, on failure
 *
 * Dropped hits, a missing end, and totals that are not those of the entries
 * are failures: such a histogram does not hold all that happened.
 *
 * Return: an array to json_decref(), or NULL; each entry an object of the
 * keys (strings) and the values (integers, "hitcount" among them).
 */
json_t *hist_read(int dir, const char *name, struct why *why);

#endif
