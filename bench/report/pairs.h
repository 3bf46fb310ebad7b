/* SPDX-License-Identifier: GPL-2.0 */
/* Files of one `key value` pair a line. */
#ifndef FWP_PAIRS_H
#define FWP_PAIRS_H

#include <jansson.h>

#include "why.h"

/**
 * pairs_read_conf - read key=value lines: row.conf, env
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Values may stand in single quotes, without which they have no spaces.
 * Blank lines and lines that begin with # are skipped. A key that occurs
 * twice is an error, here and below.
 *
 * Return: an object of strings to json_decref(), or NULL.
 */
json_t *pairs_read_conf(int dir, const char *name, struct why *why);

/**
 * pairs_read_sysctl - read `key = value` lines, as sysctl prints them
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Return: an object of strings to json_decref(), or NULL.
 */
json_t *pairs_read_sysctl(int dir, const char *name, struct why *why);

/**
 * pairs_read_counts - read `key count` lines: vmstat, policy counters
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Return: an object of integers to json_decref(), or NULL.
 */
json_t *pairs_read_counts(int dir, const char *name, struct why *why);

/**
 * pairs_read_numbers - read `key number` lines: what a workload measured
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Return: an object of integers and reals to json_decref(), or NULL.
 */
json_t *pairs_read_numbers(int dir, const char *name, struct why *why);

#endif
