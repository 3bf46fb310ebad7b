// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit.h"

/* Enough for a debug kernel on a busy machine. */
#define KIT_TEST_SECONDS	180
#define KIT_REPORTED		3	/* exit code of a child that said "not ok" */
#define BALLAST_PAGES		64

static char reason[512];
static bool any_failed;
static const char *dev_name, *mnt_path;
static int kmsg = -1;
static const char *expected;	/* no complaint if it has this */

void kit_fail(const char *fmt, ...)
{
	va_list ap;

	if (kit_failed())
		return;
	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
}

bool kit_failed(void)
{
	return reason[0];
}

static void child(const char *unit, const char *name, void (*fn)(void))
{
	alarm(KIT_TEST_SECONDS);
	fn();
	if (kit_failed())
		printf("not ok %s.%s: %s\n", unit, name, reason);
	else
		printf("ok %s.%s\n", unit, name);
	fflush(stdout);
	_exit(kit_failed() ? KIT_REPORTED : 0);
}

void kit_run(const char *unit, const char *name, void (*fn)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	vm_defaults();
	pid = fork();
	if (!pid)
		child(unit, name, fn);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("kit: fork");
		exit(1);
	}
	if (WIFSIGNALED(status))
		printf("not ok %s.%s: ended by signal %d\n", unit, name,
		       WTERMSIG(status));
	else if (WEXITSTATUS(status) && WEXITSTATUS(status) != KIT_REPORTED)
		printf("not ok %s.%s: gave up, exit code %d\n", unit, name,
		       WEXITSTATUS(status));
	any_failed |= status != 0;
	vm_defaults();
}

int kit_exit(void)
{
	return any_failed;
}

int kit_put(const char *path, const void *buf, size_t len)
{
	int fd = open(path, O_WRONLY), err = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, buf, len);
	if (n < 0)
		err = -errno;
	else if ((size_t)n != len)
		err = -EIO;
	close(fd);
	return err;
}

int kit_get(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return n;
	if (n && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return n;
}

#define VM_PATH		64

static const char *vm_path(char path[VM_PATH], const char *name)
{
	snprintf(path, VM_PATH, "/proc/sys/vm/%s", name);
	return path;
}

int vm_put(const char *name, const char *val)
{
	char path[VM_PATH];

	return kit_put(vm_path(path, name), val, strlen(val));
}

int vm_put_num(const char *name, long val)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld", val);
	return vm_put(name, text);
}

int vm_get(const char *name, char *buf, size_t size)
{
	char path[VM_PATH];

	return kit_get(vm_path(path, name), buf, size);
}

bool vm_exists(const char *name)
{
	char path[VM_PATH];

	return !access(vm_path(path, name), F_OK);
}

bool vm_is(const char *name, const char *val)
{
	char buf[256];

	return vm_get(name, buf, sizeof(buf)) >= 0 && !strcmp(buf, val);
}

void vm_defaults(void)
{
	if (!vm_exists(POLICY))
		return;
	if (vm_put(POLICY, "none") || vm_put(RATIO, "4") ||
	    vm_put(MAX_ORDER, "2")) {
		perror("kit: cannot restore the default policy");
		exit(1);
	}
}

int policies(char names[KIT_POLICIES][KIT_NAME])
{
	char buf[512], *save, *name;
	int nr = 0;

	vm_get(AVAILABLE, buf, sizeof(buf));
	for (name = strtok_r(buf, " ", &save); name && nr < KIT_POLICIES;
	     name = strtok_r(NULL, " ", &save))
		snprintf(names[nr++], KIT_NAME, "%s", name);
	return nr;
}

void counters_read(const char *policy, struct counters *c)
{
	char dir[128], path[512], buf[32];
	struct dirent *e;
	DIR *d;

	c->nr = 0;
	snprintf(dir, sizeof(dir), "/sys/kernel/mm/" POLICY "/%s", policy);
	d = opendir(dir);
	if (!d) {
		kit_fail("no counters in %s: %s", dir, strerror(errno));
		return;
	}
	while (c->nr < KIT_COUNTERS && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (kit_get(path, buf, sizeof(buf)) <= 0)
			kit_fail("cannot read %s", path);
		snprintf(c->name[c->nr], KIT_NAME, "%.31s", e->d_name);
		c->val[c->nr++] = atoll(buf);
	}
	closedir(d);
}

long long counters_get(const struct counters *c, const char *name)
{
	for (int i = 0; i < c->nr; i++)
		if (!strcmp(c->name[i], name))
			return c->val[i];
	return 0;
}

long long counters_refused(const struct counters *c)
{
	long long sum = 0;

	for (int i = 0; i < c->nr; i++)
		if (!strncmp(c->name[i], "refused_", 8))
			sum += c->val[i];
	return sum;
}

struct counters counters_sub(const struct counters *a, const struct counters *b)
{
	struct counters d = *a;

	for (int i = 0; i < d.nr; i++)
		d.val[i] -= counters_get(b, d.name[i]);
	return d;
}

const char *counters_text(const struct counters *c)
{
	static char text[512];
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < c->nr && at < sizeof(text); i++)
		if (c->val[i])
			at += snprintf(text + at, sizeof(text) - at, "%s%s=%lld",
				       at ? " " : "", c->name[i], c->val[i]);
	return at ? text : "nothing counted";
}

long long vmstat(const char *name)
{
	static char buf[16384];
	char key[64];
	char *at;

	if (vm_put("stat_refresh", "1") ||
	    kit_get("/proc/vmstat", buf, sizeof(buf)) < 0) {
		kit_fail("cannot read /proc/vmstat");
		return -1;
	}
	snprintf(key, sizeof(key), "\n%s ", name);
	at = strstr(buf, key);
	if (!at) {
		kit_fail("no %s in /proc/vmstat", name);
		return -1;
	}
	return atoll(at + strlen(key));
}

int kit_move(char *at, long step, int n, int node)
{
	int nodes[KIT_MOVE], status[KIT_MOVE];
	void *pages[KIT_MOVE];
	int moved = 0;

	for (int i = 0; i < n; i++) {
		pages[i] = at + i * step;
		/* Only what is mapped moves. No SIGBUS where there is no file. */
		madvise(pages[i], KIT_PAGE, MADV_POPULATE_READ);
		nodes[i] = node;
	}
	syscall(SYS_move_pages, 0, (long)n, pages, nodes, status, 2);
	for (int i = 0; i < n; i++)
		moved += status[i] == node;
	return moved;
}

void fs_use(const char *dev, const char *mnt)
{
	dev_name = dev;
	mnt_path = mnt;
}

const char *fs_dev(void)
{
	return dev_name;
}

const char *fs_mnt(void)
{
	return mnt_path;
}

static void expect_stat(const char *name, long long want, const char *when)
{
	long long seen = vmstat(name);

	if (seen != want)
		kit_fail("%s is %lld %s, expected %lld", name, seen, when, want);
}

static void check_underflow(void)
{
	static const char page[KIT_PAGE];
	const char *dev = getenv("FWP_BALLAST");
	int fd = dev ? open(dev, O_RDWR) : -1;

	need(fd >= 0, "FWP_BALLAST is not a block device that can be opened");
	for (int i = 0; i < BALLAST_PAGES; i++)
		need(pwrite(fd, page, KIT_PAGE, i * KIT_PAGE) == KIT_PAGE,
		     "cannot write to %s: %s", dev, strerror(errno));
	expect_stat("nr_dirty", BALLAST_PAGES, "with the ballast (underflow?)");
	expect_stat("nr_zone_write_pending", BALLAST_PAGES,
		    "with the ballast (underflow?)");
	close(fd);
}

void fs_settle(void)
{
	char dev[64];

	vm_defaults();
	sync();
	need(!umount(mnt_path), "cannot unmount %s: %s", mnt_path,
	     strerror(errno));
	expect_stat("nr_dirty", 0, "after unmount");
	expect_stat("nr_writeback", 0, "after unmount");
	expect_stat("nr_zone_write_pending", 0, "after unmount");
	check_underflow();
	kmsg_check();
	snprintf(dev, sizeof(dev), "/dev/%s", dev_name);
	need(!mount(dev, mnt_path, "xfs", 0, NULL), "cannot mount %s: %s", dev,
	     strerror(errno));
}

void kmsg_start(void)
{
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	if (kmsg < 0 || lseek(kmsg, 0, SEEK_END) < 0) {
		perror("kit: /dev/kmsg");
		exit(1);
	}
}

void kmsg_expect(const char *text)
{
	expected = text;
}

void kmsg_check(void)
{
	static const char * const bad[] = {
		"WARNING:", "BUG:", "BUG ", "Bad page", "vmstat_refresh",
		"Corruption", "Internal error", "Shutting down", "hung_task",
		"blocked for more than",
	};
	char rec[1024];
	ssize_t n;

	/* One record a read; EPIPE says that old records were overwritten. */
	while ((n = read(kmsg, rec, sizeof(rec) - 1)) > 0 || errno == EPIPE) {
		char *text;

		if (n <= 0)
			continue;
		rec[n] = '\0';
		text = strchr(rec, ';');
		rec[strcspn(rec, "\n")] = '\0';
		/* Which data races are none of ours, tests/guest.sh knows. */
		if (text && ((expected && strstr(text, expected)) ||
			     strstr(text, "BUG: KCSAN")))
			continue;
		for (size_t i = 0; text && i < sizeof(bad) / sizeof(*bad); i++)
			if (strstr(text, bad[i]))
				kit_fail("the kernel logged: %s", text + 1);
	}
}

const char *kit_ledger(void)
{
	static char buf[65536];
	char *line;
	int ret = kit_get("/sys/kernel/debug/folio_write_policy/ledger", buf,
			  sizeof(buf));

	if (ret == -ENOENT)
		return "";
	if (ret <= 0)
		return "ledger: cannot be read";
	line = strrchr(buf, '\n');
	line = line ? line + 1 : buf;
	if (strncmp(line, "ledger: ok", 10))
		fprintf(stderr, "%s\n", buf);
	return line;
}

void kit_balanced(const char *when)
{
	const char *line = kit_ledger();

	if (*line && strncmp(line, "ledger: ok", 10))
		kit_fail("%s: %s", when, line);
}

uint64_t kit_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
