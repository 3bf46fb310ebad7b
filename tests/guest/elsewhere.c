// SPDX-License-Identifier: GPL-2.0
/*
 * elsewhere FS DEV FILE: what is charged for small writes on another filesystem
 * than XFS, and that nothing of it leaks. FILE is of FS, has at least 8 MiB and
 * is read ahead by the backing device DEV (a name in /sys/class/bdi).
 *
 * elsewhere superblock DEVICE: make DEVICE a zonefs.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../bench/guest/kpage.h"
#include "kit.h"

#define SIZE	(8 * KIT_MIB)
#define BEGIN	(2 * KIT_MIB)	/* readahead has reached its window */
#define STEP	(64L * 1024)
#define WRITES	((SIZE - BEGIN) / STEP)

static const char *fs, *bdi, *path;
static unsigned int smallest, largest;

/* The superblock of fs/zonefs/zonefs.h, with no features. */
static int make_zonefs(const char *device)
{
	static const uint8_t uuid[16] = { 0x66, 0x77, 1 };
	uint32_t words[1024] = { 0 };
	uint32_t crc = ~0U;
	int fd = open(device, O_WRONLY);

	words[0] = htole32(0x5a4f4653);
	memcpy(&words[2 + 16], uuid, sizeof(uuid));
	words[2 + 16 + 4 + 2 + 2] = htole32(0640);	/* s_perm */
	/* crc32_le() over the block, with s_crc zero. */
	for (size_t i = 0; i < sizeof(words); i++) {
		crc ^= ((uint8_t *)words)[i];
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	words[1] = htole32(crc);
	if (fd < 0 || pwrite(fd, words, sizeof(words), 0) != sizeof(words) ||
	    fsync(fd)) {
		perror(device);
		return 1;
	}
	return 0;
}

static void note(uint64_t index, unsigned int order, void *arg)
{
	(void)arg;
	if (index < BEGIN / KIT_PAGE)
		return;
	if (order > largest)
		largest = order;
	if (order < smallest)
		smallest = order;
}

static void balanced(const char *what)
{
	need(*kit_ledger(), "no ledger");
	kit_balanced(what);
}

static int cached(void)
{
	static char buf[KIT_MIB];
	char knob[128];
	int fd;

	snprintf(knob, sizeof(knob), "/sys/class/bdi/%s/read_ahead_kb", bdi);
	if (kit_put(knob, "256", 3))
		kit_fail("cannot set %s", knob);
	sync();
	vm_put("drop_caches", "1");
	fd = open(path, O_RDWR);
	for (off_t at = 0; at < SIZE; at += sizeof(buf))
		if (pread(fd, buf, sizeof(buf), at) != sizeof(buf))
			kit_fail("%s: read: %s", path, strerror(errno));
	largest = 0;
	smallest = KPAGE_MAX_ORDER;
	kpage_walk_file(kpage_open(), path, note, NULL);
	return fd;
}

static long long write_all(int fd, long within)
{
	static const char page[KIT_PAGE] = "x";
	long long before = vmstat("nr_dirty");

	for (off_t at = BEGIN; at < SIZE; at += STEP)
		if (pwrite(fd, page, KIT_PAGE, at + within) != KIT_PAGE)
			kit_fail("%s: write: %s", path, strerror(errno));
	return vmstat("nr_dirty") - before;
}

static void clean_again(int fd)
{
	need(!fsync(fd), "%s: fsync: %s", path, strerror(errno));
	balanced("after fsync");
	sync();
	need(!vmstat("nr_dirty"), "%lld pages dirty after sync",
	     vmstat("nr_dirty"));
}

/* FS has large folios, and they are charged by page under account. */
static bool by_page(void)
{
	return !strcmp(fs, "zonefs");
}

static void folios_expected(void)
{
	unsigned int order = by_page() ? 6 : 0;

	need(largest == order && smallest == order,
	     "folios of order %u to %u, expected %u", smallest, largest, order);
}

static void writes(void)
{
	long long charged;
	int fd;

	need(!vm_put(POLICY, "account"), "no policy account");
	fd = cached();
	folios_expected();
	charged = write_all(fd, 0);
	need(charged == WRITES, "account: %lld pages charged for %ld", charged,
	     WRITES);
	balanced("account");

	/* Folios that are charged in part, and writes that charge whole. */
	vm_put(POLICY, "none");
	charged = write_all(fd, KIT_PAGE);
	need(charged == (by_page() ? (SIZE - BEGIN) / KIT_PAGE - WRITES : WRITES),
	     "none, after account: %lld pages charged", charged);
	balanced("none, after account");
	clean_again(fd);

	charged = write_all(fd, 0);
	need(charged == (by_page() ? (SIZE - BEGIN) / KIT_PAGE : WRITES),
	     "none: %lld pages charged", charged);
	vm_put(POLICY, "account");
	write_all(fd, KIT_PAGE);
	balanced("account, after none");
	clean_again(fd);
}

static void stores(void)
{
	long long before;
	char *map;
	int fd;

	need(!vm_put(POLICY, "account"), "no policy account");
	fd = cached();
	folios_expected();
	map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	need(map != MAP_FAILED, "mmap: %s", strerror(errno));
	write_all(fd, 0);
	before = vmstat("nr_dirty");
	map[BEGIN + 2 * KIT_PAGE] = 'y';
	/* The rest of the folio, since iomap writes all of it. */
	need(vmstat("nr_dirty") - before ==
	     (by_page() ? (1 << largest) - (1L << largest) * KIT_PAGE / STEP : 1),
	     "%lld pages charged for a store", vmstat("nr_dirty") - before);
	balanced("after a store");
	munmap(map, SIZE);
	clean_again(fd);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "superblock"))
		return make_zonefs(argv[2]);
	if (argc != 4)
		return 2;
	fs = argv[1];
	bdi = argv[2];
	path = argv[3];
	vm_put("dirty_writeback_centisecs", "0");
	kmsg_start();
	kit_run(fs, "writes", writes);
	kit_run(fs, "stores", stores);
	vm_put("dirty_writeback_centisecs", "500");
	vm_put(POLICY, "none");
	return kit_exit();
}
