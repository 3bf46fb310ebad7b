/* SPDX-License-Identifier: GPL-2.0 */
/* What the guest tests share: reporting, sysctls, counters, settled statistics. */
#ifndef KIT_H
#define KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KIT_PAGE	4096L	/* the tests are for x86-64 */
#define KIT_MIB		(1024L * 1024)

#define POLICY		"folio_write_policy"
#define AVAILABLE	"folio_write_policy_available"
#define RATIO		"folio_write_ratio"
#define MAX_ORDER	"folio_write_max_order"

/* Newer than the headers of Debian 12. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE	0x00000080
#endif

/* Leave a test at the first thing that is not as it must be. */
#define need(cond, ...) \
	do { if (!(cond)) { kit_fail(__VA_ARGS__); return; } } while (0)

/**
 * kit_fail - note why the current test failed; the first reason is kept
 */
void kit_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * kit_failed - has the current test failed already?
 */
bool kit_failed(void);

/**
 * kit_run - run a test in a child of its own and report it
 * @unit: prefix of the reported name
 * @name: name of the test
 * @fn: the test; fails through kit_fail()
 *
 * Prints "ok UNIT.NAME" or "not ok UNIT.NAME: why". What the test left open,
 * mapped or pinned ends with the child. A test that does not end in
 * KIT_TEST_SECONDS, or that dies, is a failure.
 */
void kit_run(const char *unit, const char *name, void (*fn)(void));

/**
 * kit_exit - exit code of a unit: 0 when every kit_run() was ok, else 1
 */
int kit_exit(void);

/**
 * kit_put - write to a file in one write(2)
 * Return: 0, -errno, or -EIO for a short write.
 */
int kit_put(const char *path, const void *buf, size_t len);

/**
 * kit_get - read a small file as a string, without its last newline
 * Return: length, or -errno.
 */
int kit_get(const char *path, char *buf, size_t size);

/**
 * kit_ledger - the last line of the kernel's ledger of charges
 *
 * The whole of it goes to stderr unless that line says that it balances.
 *
 * Return: the line, "ledger: ok ..." if it balances; "" on a kernel without one.
 * Good until the next call.
 */
const char *kit_ledger(void);

/**
 * kit_balanced - fail the test if there is a ledger and it does not balance
 * @when: for the message
 */
void kit_balanced(const char *when);

/**
 * kit_random - the next of a sequence of numbers that look random (xorshift64)
 * @state: not 0
 */
uint64_t kit_random(uint64_t *state);

/**
 * vm_put, vm_put_num, vm_get - the same for /proc/sys/vm/NAME
 */
int vm_put(const char *name, const char *val);
int vm_put_num(const char *name, long val);
int vm_get(const char *name, char *buf, size_t size);
bool vm_exists(const char *name);

/**
 * vm_is - does /proc/sys/vm/NAME read as VAL?
 */
bool vm_is(const char *name, const char *val);

/**
 * vm_defaults - policy none, ratio 4, max order 2; nothing when unpatched
 */
void vm_defaults(void);

/**
 * policies - the names of folio_write_policy_available, in order
 * Return: how many.
 */
#define KIT_POLICIES	16
#define KIT_NAME	32
int policies(char names[KIT_POLICIES][KIT_NAME]);

/**
 * struct counters - all counters of a policy, under the names of their files
 */
#define KIT_COUNTERS	40
struct counters {
	int nr;
	char name[KIT_COUNTERS][KIT_NAME];
	long long val[KIT_COUNTERS];
};

/**
 * counters_read - read the counters of a policy; fails the test if it cannot
 */
void counters_read(const char *policy, struct counters *c);

/**
 * counters_get - one counter; 0 when there is none of that name
 */
long long counters_get(const struct counters *c, const char *name);

/**
 * counters_refused - sum of every refused_*
 */
long long counters_refused(const struct counters *c);

/**
 * counters_sub - A minus B, name by name
 */
struct counters counters_sub(const struct counters *a, const struct counters *b);

/**
 * counters_text - "considered=1 acted=1 ..." without the zeroes; static buffer
 */
const char *counters_text(const struct counters *c);

/**
 * vmstat - one value of /proc/vmstat, after folding in the per-CPU parts
 */
long long vmstat(const char *name);

/**
 * kit_move - have the kernel migrate pages to another node
 * @at: a page of a mapping
 * @step: distance of the pages in bytes
 * @n: how many pages, at most KIT_MOVE
 * @node: where to; none of the pages needs to get there
 * Return: how many are there now.
 */
#define KIT_MOVE	64
int kit_move(char *at, long step, int n, int node);

/**
 * fs_use - name the filesystem under test
 * @dev: block device, without /dev/
 * @mnt: where it is mounted
 */
void fs_use(const char *dev, const char *mnt);
const char *fs_dev(void);
const char *fs_mnt(void);

/**
 * fs_settle - sync, unmount, require that no page is dirty, mount again
 *
 * Fails the test unless nr_dirty, nr_writeback and nr_zone_write_pending are
 * exactly zero and the kernel logged no complaint. The counters are clamped at
 * zero for readers, so that an underflow looks like zero: a known number of
 * pages is dirtied on the block device $FWP_BALLAST, and must be what is seen.
 */
void fs_settle(void);

/**
 * kmsg_start - complaints of the kernel count from here on
 */
void kmsg_start(void);

/**
 * kmsg_expect - what the kernel says with this text in it is no complaint
 */
void kmsg_expect(const char *text);

/**
 * kmsg_check - fail the test if the kernel complained since kmsg_start()
 */
void kmsg_check(void);

#endif
