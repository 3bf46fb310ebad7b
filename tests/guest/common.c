// SPDX-License-Identifier: GPL-2.0
/*
 * What holds for all policies: their selection, counters and tracepoint.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy.h"

/* Many change the policy at once; then it must be what it says it is. */
void racing_changes(void)
{
	char names[KIT_POLICIES][KIT_NAME];
	int nr = policies(names), status;
	struct tfile f;
	long head;
	int order;

	for (int i = 0; i < 4; i++) {
		if (fork())
			continue;
		for (int j = 0; j < 50; j++)
			vm_put(POLICY, names[(i + j) % nr]);
		_exit(0);
	}
	while (wait(&status) > 0)
		need(!status, "a writer of the sysctl failed");
	use("none");
	head = cached(&f, ORDER_256K);
	if (kit_failed())
		return;
	order = f.order[head];
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	expect_folio(&f, head, order, "none");
	need(counters_get(&did.c, "considered") == 0, "split is asked under none");
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	use("split");
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(acted() == 1, "split did not act: %s", counters_text(&did.c));
	tfile_finish(&f);
}

/* A block device has no way to tell that a mapping changed: never evict. */
void evict_blockdev(void)
{
	const char *dev = getenv("FWP_BALLAST");
	static uint8_t buf[KIT_MIB], want[KIT_MIB];
	int fd = dev ? open(dev, O_RDWR) : -1;

	need(fd >= 0, "FWP_BALLAST is not a block device that can be opened");
	use(policy);
	for (int i = 0; i < 4; i++)
		need(pread(fd, buf, KIT_MIB, i * KIT_MIB) == KIT_MIB,
		     "%s: read: %s", dev, strerror(errno));
	memcpy(want, buf, KIT_MIB);
	memset(want + 36 * KIT_PAGE, 0x5a, KIT_PAGE);
	sample();
	need(pwrite(fd, want + 36 * KIT_PAGE, KIT_PAGE,
		    3 * KIT_MIB + 36 * KIT_PAGE) == KIT_PAGE,
	     "%s: write: %s", dev, strerror(errno));
	sample_delta();
	need(acted() == 0 && counters_refused(&did.c) == 1, "%s: %s", policy,
	     counters_text(&did.c));
	need(!fsync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) &&
	     pread(fd, buf, KIT_MIB, 3 * KIT_MIB) == KIT_MIB &&
	     !memcmp(buf, want, KIT_MIB), "%s: data differs", dev);
	close(fd);
	fs_settle();
}

#define TRACING		"/sys/kernel/tracing/"
#define TRACE_EVENT	TRACING "events/" POLICY "/" POLICY

void tracepoint(void)
{
	static const char * const fields[] = {
		"dev", "ino", "pos", "len", "order", "policy", "action",
		"result",
	};
	static char text[65536];
	struct tfile f;
	char *line;
	long head;

	need(kit_get(TRACE_EVENT "/format", text, sizeof(text)) > 0,
	     "no " TRACE_EVENT);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		char plain[32], array[32];

		snprintf(plain, sizeof(plain), " %s;", fields[i]);
		snprintf(array, sizeof(array), " %s[", fields[i]);
		need(strstr(text, plain) || strstr(text, array),
		     "the event has no field %s", fields[i]);
	}
	head = cached(&f, ORDER_256K);
	use(policy);
	need(!kit_put(TRACING "trace", "", 0) &&
	     !kit_put(TRACE_EVENT "/enable", "1", 1), "cannot trace");
	write_counted(&f, (head + 36) * KIT_PAGE, unit, 0);
	need(!kit_put(TRACE_EVENT "/enable", "0", 1), "cannot stop tracing");
	need(kit_get(TRACING "trace", text, sizeof(text)) > 0, "no trace");
	line = strstr(text, POLICY ": ");
	need(line, "the write left no trace");
	line[strcspn(line, "\n")] = '\0';
	need(strstr(line, "split") && strstr(line, "acted"),
	     "the trace of a split says: %s", line);
	tfile_finish(&f);
}

/* What no single test saw must add up as well. */
void invariant(void)
{
	char names[KIT_POLICIES][KIT_NAME];
	int nr = policies(names);

	need(nr >= 4, "only %d policies", nr);
	for (int i = 0; i < nr; i++) {
		struct counters c;

		counters_read(names[i], &c);
		need(c.nr > 2, "%s has %d counters", names[i], c.nr);
		need(counters_get(&c, "considered") ==
		     counters_get(&c, "acted") + counters_refused(&c),
		     "%s: considered is not acted + refused: %s", names[i],
		     counters_text(&c));
	}
}
