// SPDX-License-Identifier: GPL-2.0
/*
 * sysctl DEV MNT [TEST]: the contract of vm.folio_write_*. /dev/DEV is an XFS
 * mounted at MNT, which is unmounted and mounted again on the way. The test
 * user_namespaces is for a kernel that has them, and runs only if it is named.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit.h"

#define NOBODY		65534
#define FLIPS		200
#define FUZZ		5000
#define DIRTY_PAGES	1024

static const char * const files[] = { POLICY, AVAILABLE, RATIO, MAX_ORDER };
#define NR_FILES	(sizeof(files) / sizeof(*files))

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "/proc/sys/vm/%s", name);
	return path;
}

/* What a call returns does not matter where what it did is looked at. */
static void ignore(ssize_t ret)
{
	(void)ret;
}

static void names_in_order(void)
{
	static const char * const want[] = { "none", "account", "split",
					     "evict", "cap" };
	char names[KIT_POLICIES][KIT_NAME];
	int nr = policies(names), seen = 0;

	/* A stack may have more, in between. */
	for (int i = 0; i < nr && seen < 5; i++)
		if (!strcmp(names[i], want[seen]))
			seen++;
	need(seen == 5, "%s is not among the policies, or out of order",
	     want[seen]);
	need(!strcmp(names[0], "none"), "the first policy is %s", names[0]);
}

static void every_name(void)
{
	char names[KIT_POLICIES][KIT_NAME], line[KIT_NAME + 2];
	int nr = policies(names), err;

	for (int i = 0; i < nr; i++) {
		err = vm_put(POLICY, names[i]);
		need(!err, "%s: %s", names[i], strerror(-err));
		need(vm_is(POLICY, names[i]), "%s is not read back", names[i]);
		/* What echo writes. */
		vm_put(POLICY, "none");
		snprintf(line, sizeof(line), "%.31s\n", names[i]);
		err = vm_put(POLICY, line);
		need(!err, "%s with a newline: %s", names[i], strerror(-err));
		need(vm_is(POLICY, names[i]), "%s is not read back", names[i]);
	}
}

/* Each must give EINVAL and leave the policy alone. */
static void bad_names(void)
{
	static char big[4096], huge[70000];
	static const struct {
		const char *what, *text;
		size_t len;
	} bad[] = {
#define S(what, text)	{ what, text, sizeof(text) - 1 }
		S("an unknown name", "shred"),
		S("a newline", "\n"),
		S("a blank", " "),
		S("a prefix", "evic"),
		S("a longer name", "evicted"),
		S("upper case", "EVICT"),
		S("a leading blank", " evict"),
		S("a trailing blank", "evict "),
		S("a trailing tab", "evict\t"),
		S("a carriage return", "evict\r\n"),
		S("two newlines", "evict\n\n"),
		S("two names", "evict cap"),
		S("two lines", "evict\ncap\n"),
		S("a trailing NUL", "evict\0"),
		S("an embedded NUL", "evict\0cap"),
		S("a NUL", "\0"),
		S("a leading NUL", "\0evict"),
		S("binary", "\xff\xfe\x80\x01\x7f\x1b"),
		S("a format", "%s%n%p"),
		S("a number", "1"),
		{ "4 KiB", big, sizeof(big) },
		{ "68 KiB", huge, sizeof(huge) },
#undef S
	};

	memset(big, 'e', sizeof(big));
	memset(huge, '\n', sizeof(huge));
	memcpy(huge, "evict", 5);
	need(!vm_put(POLICY, "split"), "cannot select split");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		int err = kit_put(path_of(POLICY), bad[i].text, bad[i].len);

		need(vm_is(POLICY, "split"), "%s changed the policy",
		     bad[i].what);
		need(err == -EINVAL, "%s: %s, expected EINVAL", bad[i].what,
		     strerror(-err));
	}
}

/* write(2) of nothing may be taken for a success that did nothing. */
static void empty_write(void)
{
	int err;

	need(!vm_put(POLICY, "split"), "cannot select split");
	err = kit_put(path_of(POLICY), "", 0);
	need(!err || err == -EINVAL, "%s", strerror(-err));
	need(vm_is(POLICY, "split"), "an empty write changed the policy");
}

/* A name that comes in parts, or not at the start, is not a name. */
static void partial_writes(void)
{
	int fd = open(path_of(POLICY), O_RDWR);

	need(fd >= 0, "open: %s", strerror(errno));
	need(!vm_put(POLICY, "split"), "cannot select split");
	need(write(fd, "ev", 2) < 0 && errno == EINVAL, "\"ev\" was taken");
	/* Where the file is now does not matter: this is not a whole name. */
	ignore(write(fd, "ict", 3));
	need(vm_is(POLICY, "split"), "two parts changed the policy");
	for (off_t at = 1; at < 8; at++) {
		ignore(pwrite(fd, "evict", 5, at));
		need(vm_is(POLICY, "split"),
		     "a write at offset %lld changed the policy", (long long)at);
	}
	ignore(pwrite(fd, "none", 4, 1L << 40));
	need(vm_is(POLICY, "split"), "a write far out changed the policy");
	close(fd);
}

/* A reader with a small buffer gets the same name. */
static void partial_reads(void)
{
	char seen[16] = "";
	int fd, n = 0;

	need(!vm_put(POLICY, "evict"), "cannot select evict");
	fd = open(path_of(POLICY), O_RDONLY);
	need(fd >= 0, "open: %s", strerror(errno));
	while (n < 15 && read(fd, seen + n, 1) == 1)
		n++;
	close(fd);
	need(!strcmp(seen, "evict\n"), "byte by byte it reads '%s'", seen);
}

static void modes(void)
{
	for (size_t i = 0; i < NR_FILES; i++) {
		mode_t want = strcmp(files[i], AVAILABLE) ? 0644 : 0444;
		struct stat st;

		need(!stat(path_of(files[i]), &st), "no %s", files[i]);
		need((st.st_mode & 07777) == want, "mode of %s is %o, expected %o",
		     files[i], st.st_mode & 07777, want);
		need(!st.st_uid && !st.st_gid, "%s is not root's", files[i]);
	}
}

/* One directory a policy, one number a file, for everybody to read. */
static void counter_files(void)
{
	char names[KIT_POLICIES][KIT_NAME];
	int nr = policies(names);

	for (int i = 0; i < nr; i++) {
		struct counters c;

		counters_read(names[i], &c);
		for (int j = 0; j < c.nr; j++) {
			char path[600], text[32], *end;
			struct stat st;

			snprintf(path, sizeof(path),
				 "/sys/kernel/mm/" POLICY "/%s/%s", names[i],
				 c.name[j]);
			need(!stat(path, &st) && (st.st_mode & 07777) == 0444,
			     "mode of %s is %o", path, st.st_mode & 07777);
			need(kit_get(path, text, sizeof(text)) > 0 &&
			     strtoull(text, &end, 10) != ULLONG_MAX && !*end,
			     "%s is not one number: '%s'", path, text);
		}
	}
}

static void available_is_read_only(void)
{
	char before[256];

	need(vm_get(AVAILABLE, before, sizeof(before)) > 0, "cannot be read");
	need(vm_put(AVAILABLE, "none") < 0, "it was written");
	need(vm_is(AVAILABLE, before), "a write changed it");
}

static void others_cannot_write(void)
{
	need(!setgid(NOBODY) && !setuid(NOBODY), "setuid: %s", strerror(errno));
	for (size_t i = 0; i < NR_FILES; i++) {
		char buf[256];
		int err = vm_put(files[i], "1");

		need(err == -EACCES || err == -EPERM, "%s: %s", files[i],
		     strerror(-err));
		need(vm_get(files[i], buf, sizeof(buf)) > 0,
		     "%s cannot be read", files[i]);
	}
}

static void map_to_root(const char *file, int from)
{
	char path[64], text[32];
	int err;

	snprintf(path, sizeof(path), "/proc/self/%s", file);
	snprintf(text, sizeof(text), "0 %d 1", from);
	err = kit_put(path, text, strlen(text));
	if (err)
		kit_fail("%s: %s", path, strerror(-err));
}

/*
 * Who is root in a user namespace, with all capabilities there, is whom it was
 * mapped from to the files of vm.
 */
static void user_namespaces(void)
{
	need(!setgid(NOBODY) && !setuid(NOBODY), "setuid: %s", strerror(errno));
	/* Or /proc/self would be the initial root's. */
	need(!prctl(PR_SET_DUMPABLE, 1), "prctl: %s", strerror(errno));
	need(!unshare(CLONE_NEWUSER), "unshare: %s", strerror(errno));
	need(!kit_put("/proc/self/setgroups", "deny", 4), "cannot deny setgroups");
	map_to_root("uid_map", NOBODY);
	map_to_root("gid_map", NOBODY);
	need(!setgid(0) && !setuid(0), "setuid: %s", strerror(errno));
	for (size_t i = 0; i < NR_FILES; i++) {
		int err = vm_put(files[i], "1");

		need(err == -EACCES || err == -EPERM, "%s: %s", files[i],
		     strerror(-err));
	}
}

static unsigned int random_number(void)
{
	static uint64_t x = 88172645463325252ULL;

	return kit_random(&x) >> 16;
}

/* Is it what may be written to FILE, a name or a number, with or without \n? */
static bool may_be_taken(const char *file, const char *text, size_t len)
{
	char names[KIT_POLICIES][KIT_NAME];
	int nr = policies(names);

	if (strcmp(file, POLICY))
		return memchr("0123456789+ \t\n\v\f\r\xa0", text[0], 18);
	if (len && text[len - 1] == '\n')
		len--;
	for (int i = 0; i < nr; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], text, len))
			return true;
	return false;
}

/*
 * Names and numbers that were cut, joined, repeated and sprinkled with bytes of all
 * kinds, of sizes up to some pages and at all offsets. KASAN sees what goes beyond a
 * buffer; here, nothing that is no name may be taken for one.
 */
static void fuzz(void)
{
	static const char * const seeds[] = {
		"none", "account", "split", "evict", "cap", "4", "-1",
		"2147483647", "0x10", "\n", " ", "18446744073709551616",
	};
	static char text[3 * KIT_PAGE], back[256];
	long taken = 0, refused = 0;

	for (int i = 0; i < FUZZ; i++) {
		const char *file = files[i % NR_FILES];
		size_t len = 0, max = i % 50 ? 40 : sizeof(text);
		off_t at = random_number() % 8 ? 0 : random_number() % 64;
		int fd = open(path_of(file), O_RDWR);
		ssize_t n;

		/* Open for writing, the list of names is not even for root. */
		if (fd < 0)
			continue;
		while (len < max && (!len || random_number() % 3)) {
			const char *seed = seeds[random_number() %
					   (sizeof(seeds) / sizeof(*seeds))];
			size_t part = random_number() % (strlen(seed) + 1);

			if (random_number() % 2)
				part = strlen(seed);
			if (part > max - len)
				part = max - len;
			memcpy(text + len, seed, part);
			len += part;
			if (len < max && !(random_number() % 3))
				text[len++] = random_number();
		}
		if (max > 40)
			while (len < max)
				text[len++] = random_number();
		n = pwrite(fd, text, len, at);
		close(fd);
		need(n <= (ssize_t)len, "a write of %zu returned %zd", len, n);
		if (n < 0) {
			refused++;
			need(errno == EINVAL || errno == ENOMEM ||
			     errno == EPERM || errno == ERANGE,
			     "%s: %s", file, strerror(errno));
		} else if (n) {
			taken++;
			need(at || may_be_taken(file, text, len),
			     "%s took %zu bytes that begin with '%.20s'", file,
			     len, text);
		}
		need(vm_get(file, back, sizeof(back)) > 0, "cannot read %s",
		     file);
		need(strcmp(file, POLICY) || may_be_taken(file, back, strlen(back)),
		     "the policy reads '%s'", back);
	}
	printf("# %ld of %d writes taken, %ld refused\n", taken, FUZZ, refused);
	need(taken && refused, "%ld taken, %ld refused", taken, refused);
	kmsg_check();
}

static void takes(const char *name, const char *val)
{
	int err = vm_put(name, val);

	need(!err, "%s = %s: %s", name, val, strerror(-err));
	need(vm_is(name, val), "%s = %s is not read back", name, val);
}

static void refuses(const char *name, const char *val)
{
	char before[64];
	int err;

	vm_get(name, before, sizeof(before));
	err = vm_put(name, val);
	need(err == -EINVAL, "%s = '%s': %s, expected EINVAL", name, val,
	     strerror(-err));
	need(vm_is(name, before), "'%s' changed %s", val, name);
}

static void ratio_bounds(void)
{
	static const char * const good[] = { "1", "2", "4", "512", "2147483647" };
	static const char * const bad[] = {
		"0", "-1", "2147483648", "4294967297", "-2147483648",
		"99999999999999999999", "four", "4x",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		takes(RATIO, good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(RATIO, bad[i]);
}

static void max_order_bounds(void)
{
	static const char * const bad[] = {
		"-1", "12", "64", "2147483648", "4294967296", "two", "2x",
	};
	char text[8];

	/* Up to MAX_PAGECACHE_ORDER, which is the order of a PMD or more. */
	for (int order = 0; order <= 9; order++) {
		snprintf(text, sizeof(text), "%d", order);
		takes(MAX_ORDER, text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(MAX_ORDER, bad[i]);
}

/* Dirty a page here and a page there, until it is told to end. */
static void keep_writing(const char *path)
{
	static char page[KIT_PAGE];
	int fd = open(path, O_RDWR);
	unsigned int at = 1;

	if (fd < 0)
		_exit(1);
	for (;;) {
		at = at * 1103515245 + 12345;
		memset(page, at >> 16, sizeof(page));
		if (pwrite(fd, page, sizeof(page),
			   (at >> 8) % DIRTY_PAGES * KIT_PAGE) != KIT_PAGE)
			_exit(1);
	}
}

/* Policies change under a writer, with dirty folios of every kind around. */
static void live_switching(void)
{
	char names[KIT_POLICIES][KIT_NAME], path[128];
	static char buf[KIT_MIB];
	int nr = policies(names), fd, status;
	pid_t writer;

	snprintf(path, sizeof(path), "%s/switching", fs_mnt());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0, "%s: %s", path, strerror(errno));
	for (long at = 0; at < DIRTY_PAGES * KIT_PAGE; at += KIT_MIB)
		need(pwrite(fd, buf, KIT_MIB, at) == KIT_MIB, "write: %s",
		     strerror(errno));
	writer = fork();
	if (!writer)
		keep_writing(path);
	for (int i = 0; i < FLIPS && !kit_failed(); i++) {
		const char *name = names[i % nr];
		int err = vm_put(POLICY, name);

		need(!err, "%s: %s", name, strerror(-err));
		need(vm_is(POLICY, name), "%s is not read back", name);
		/* Large and clean again, for the writer to find. */
		if (i % 20 == 19) {
			fsync(fd);
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
			for (long at = 0; at < DIRTY_PAGES * KIT_PAGE; at += KIT_MIB)
				ignore(pread(fd, buf, KIT_MIB, at));
		}
	}
	kill(writer, SIGTERM);
	need(waitpid(writer, &status, 0) == writer && WIFSIGNALED(status),
	     "the writer failed");
	close(fd);
	unlink(path);
	fs_settle();
}

int main(int argc, char **argv)
{
	const char *only;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: sysctl DEV MNT [TEST]\n");
		return 2;
	}
	only = argc == 4 ? argv[3] : NULL;
	fs_use(argv[1], argv[2]);
	kmsg_start();
#define T(fn) \
	do { \
		if (!only || !strcmp(only, #fn)) \
			kit_run("sysctl", #fn, fn); \
	} while (0)
	T(names_in_order);
	T(every_name);
	T(bad_names);
	T(empty_write);
	T(partial_writes);
	T(partial_reads);
	T(modes);
	T(counter_files);
	T(available_is_read_only);
	T(others_cannot_write);
	T(fuzz);
	T(ratio_bounds);
	T(max_order_bounds);
	T(live_switching);
	if (only)
		T(user_namespaces);
#undef T
	return kit_exit();
}
