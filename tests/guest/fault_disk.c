// SPDX-License-Identifier: GPL-2.0
/* Disks that fail, and one that is full, under each policy. */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "faults.h"

#define FOLIO_PAGES	(1L << ORDER_256K)
#define ROUNDS		4	/* of an I/O error */
#define SECTOR		512
#define LEFT		(4 * KIT_MIB)	/* of the disk, to be filled up */
#define REFUSED		32	/* writes to a full disk */

/* --- some sectors cannot be written --------------------------------------- */

/* The first sector of what is at POS of the file. */
static uint64_t sector_of(struct tfile *f, off_t pos)
{
	union {
		struct fiemap map;
		char room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
	} u = { .map = { .fm_start = pos, .fm_length = KIT_PAGE,
			 .fm_extent_count = 1 } };
	struct fiemap_extent *e = u.map.fm_extents;

	if (ioctl(f->fd, FS_IOC_FIEMAP, &u) || u.map.fm_mapped_extents != 1) {
		kit_fail("FIEMAP: %s", strerror(errno));
		return 0;
	}
	return (e->fe_physical + pos - e->fe_logical) / SECTOR;
}

/* SIGN is '+' for bad, '-' for good. */
static void medium(char sign, uint64_t sector, long sectors)
{
	char path[128], text[64];
	int err;

	snprintf(path, sizeof(path), "/sys/kernel/config/nullb/%s/badblocks",
		 backing);
	snprintf(text, sizeof(text), "%c%llu-%llu", sign,
		 (unsigned long long)sector,
		 (unsigned long long)sector + sectors - 1);
	err = kit_put(path, text, strlen(text));
	if (err)
		kit_fail("%s: %s", path, strerror(-err));
}

/* A page in each folio, and more in some. */
static void write_some(struct tfile *f)
{
	for (long page = 0; page < f->size / KIT_PAGE; page += 24) {
		off_t pos = page * KIT_PAGE & -unit;

		need(!tfile_write(f, pos, unit, 0), "write: %s",
		     strerror(errno));
	}
}

/* One round: what fails is the half of a folio, and what the same request has. */
static void io_error_once(struct tfile *good)
{
	const long sectors = FOLIO_PAGES / 2 * KIT_PAGE / SECTOR;
	struct tfile bad;
	uint64_t sector;
	long head;

	head = cached(&bad, ORDER_256K);
	tfile_load(good, RA_DEFAULT);
	use(policy);
	if (kit_failed())
		return;
	write_some(&bad);
	write_some(good);
	sector = sector_of(&bad, head * KIT_PAGE);
	medium('+', sector, sectors);
	need(fsync(bad.fd) && errno == EIO, "fsync of a bad disk gave no EIO");
	need(!fsync(bad.fd), "the error is told twice: %s", strerror(errno));
	kit_balanced("after an I/O error");
	need(!fsync(good->fd), "fsync of what is good: %s", strerror(errno));
	tfile_verify(good, "the other file");
	medium('-', sector, sectors);
	need(vmstat("nr_dirty") == 0, "nr_dirty is %lld after an error",
	     vmstat("nr_dirty"));
	need(vmstat("nr_writeback") == 0, "nr_writeback is %lld after an error",
	     vmstat("nr_writeback"));
	/* What could not be written is the application's to write again. */
	write_some(&bad);
	need(!fsync(bad.fd), "fsync of a disk that is good again: %s",
	     strerror(errno));
	close(good->fd);
	good->fd = -1;
	tfile_finish(&bad);
	close(bad.fd);
}

void io_error(void)
{
	struct tfile good;
	int done = 0;

	tfile_make(&good, "good", FILE_SIZE);
	while (done < ROUNDS && !kit_failed()) {
		io_error_once(&good);
		done++;
	}
	printf("# %s: %d fsyncs of a bad disk\n", policy, done);
	if (kit_failed())
		return;
	tfile_load(&good, RA_DEFAULT);
	tfile_finish(&good);
}

/* --- nothing can be written ------------------------------------------------ */

/* What the device-mapper makes of the disk: TARGET and its arguments. */
static void disk_is(const char *target)
{
	char path[64], sectors[24], cmd[256];

	snprintf(path, sizeof(path), "/sys/block/%s/size", fs_dev());
	need(kit_get(path, sectors, sizeof(sectors)) > 0, "cannot read %s", path);
	/* XFS is not asked to be quiet first: disks fail without a word. */
	snprintf(cmd, sizeof(cmd),
		 "dmsetup suspend --noflush --nolockfs %s && "
		 "dmsetup load %s --table '0 %s %s' && dmsetup resume %s",
		 DM_NAME, DM_NAME, sectors, target, DM_NAME);
	need(!system(cmd), "failed: %s", cmd);
}

static void disk_fails(bool fails)
{
	char target[128];

	/* As dm-flakey has it: up for no second, down for so many. */
	snprintf(target, sizeof(target), fails ?
		 "flakey /dev/%s 0 0 1000000 1 error_writes" : "linear /dev/%s 0",
		 backing);
	disk_is(target);
}

/* Each block is as it was fsynced, or as it was written last. */
static void verify_either(struct tfile *f, const uint8_t *fsynced)
{
	uint8_t *seen = malloc(f->size);
	int fd = open(f->path, O_RDONLY);

	need(seen && fd >= 0 && pread(fd, seen, f->size, 0) == f->size,
	     "cannot read %s: %s", f->path, strerror(errno));
	for (off_t pos = 0; pos < f->size; pos += block)
		need(!memcmp(seen + pos, fsynced + pos, block) ||
		     !memcmp(seen + pos, f->model + pos, block),
		     "what was fsynced at %lld is lost", (long long)pos);
	close(fd);
	free(seen);
}

/*
 * Errors that XFS shuts down for, while much is dirty: what is charged is given
 * back, and a disk that works again has what was fsynced. ROUND says which way the
 * disk is written to.
 */
static void shutdown_once(struct tfile *f, int round)
{
	uint8_t *fsynced = malloc(f->size);

	tfile_load(f, RA_DEFAULT);
	use(policy);
	write_some(f);
	need(fsynced && !fsync(f->fd), "fsync: %s", strerror(errno));
	memcpy(fsynced, f->model, f->size);
	write_some(f);
	if (kit_failed())
		return;
	disk_fails(true);
	if (round % 2)
		sync();
	need(fsync(f->fd) && errno == EIO, "fsync of a dead disk gave no EIO");
	/* Without data to write any more, it is the log that cannot be. */
	sync();
	kit_balanced("after a shutdown");
	need(tfile_write(f, 0, unit, 0) == -EIO, "a write after a shutdown: %s",
	     strerror(errno));
	disk_fails(false);
	close(f->fd);
	f->fd = -1;
	fs_settle();
	if (kit_failed())
		return;
	verify_either(f, fsynced);
	free(fsynced);
}

void shutdowns(void)
{
	int done = 0;

	kmsg_expect("I/O Error");
	while (done < ROUNDS && !kit_failed()) {
		struct tfile f;

		tfile_make(&f, "file", FILE_SIZE);
		shutdown_once(&f, done);
		unlink(f.path);
		done++;
	}
	printf("# %s: %d shutdowns\n", policy, done);
	fs_settle();
}

/* --- a disk that is full -------------------------------------------------- */

void no_space(void)
{
	long written = 0, refused_writes = 0;
	struct statvfs fs;
	struct tfile f;
	char path[256];
	int fd;

	tfile_make(&f, "sparse", 4 * FILE_SIZE);
	need(!fallocate(f.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			f.size) && !fsync(f.fd), "punch: %s", strerror(errno));
	tfile_zero(&f, 0, f.size);
	snprintf(path, sizeof(path), "%s/filler", fs_mnt());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0 && !statvfs(fs_mnt(), &fs), "%s: %s", path,
	     strerror(errno));
	need(!fallocate(fd, 0, 0, fs.f_bavail * fs.f_bsize - LEFT),
	     "fallocate: %s", strerror(errno));
	/* Large folios of holes, each page of which wants a block of its own. */
	tfile_load(&f, RA_DEFAULT);
	use(policy);
	for (long page = 0; page < f.size / KIT_PAGE; page += 3) {
		/* XFS looks everywhere for space, each time. */
		if (refused_writes == REFUSED)
			break;
		off_t pos = page * KIT_PAGE & -unit;
		int err = tfile_write(&f, pos, unit, 0);

		need(!err || err == -ENOSPC, "write: %s", strerror(-err));
		written += !err;
		refused_writes += !!err;
		if (page % 300 == 0)
			kit_balanced("on a full disk");
	}
	printf("# %s: %ld writes, %ld of them ENOSPC\n", policy,
	       written + refused_writes, refused_writes);
	need(refused_writes == REFUSED, "the disk was never full");
	need(written, "the disk was full at once");
	need(!fsync(f.fd), "fsync: %s", strerror(errno));
	close(fd);
	tfile_finish(&f);
	close(f.fd);
	unlink(path);
	fs_settle();
}
