/* SPDX-License-Identifier: GPL-2.0 */
/* A file of the filesystem under test, with a model of its data in memory. */
#ifndef TFILE_H
#define TFILE_H

#include <stdint.h>
#include <sys/types.h>

#include "kit.h"

/**
 * struct tfile - a file and what must be in it
 * @fd: the file, O_RDWR
 * @size: i_size
 * @model: @cap bytes, of which @size must be in the file
 * @order: of the folio of each page when tfile_map() was called, -1: none
 * @head: page index that the folio of each page begins at
 */
struct tfile {
	char path[256];
	int fd;
	off_t size, cap;
	uint8_t *model;
	int *order;
	long *head;
};

/**
 * tfile_make - make a file of SIZE random bytes by direct I/O: nothing is cached
 * @f: filled in
 * @name: in the filesystem under test
 * @size: multiple of 1 MiB
 */
void tfile_make(struct tfile *f, const char *name, off_t size);

/**
 * tfile_load - empty the file's cache, then read it from start to end
 * @f: the file
 * @read_ahead_kb: readahead window; the folios grow to it (128: to 256 KiB,
 *	because a 1 MiB read extends it to the device's largest request)
 */
void tfile_load(struct tfile *f, long read_ahead_kb);

/**
 * tfile_load_by - the same, by reads of STEP bytes, 1 MiB at the most
 */
void tfile_load_by(struct tfile *f, long read_ahead_kb, size_t step);

/**
 * tfile_map - read the folios back from the kernel into @order and @head
 */
void tfile_map(struct tfile *f);

/**
 * tfile_folio - page index of the second folio of this order or larger, as the
 * last tfile_map() saw it; fails the test and returns 0 if there is none
 */
long tfile_folio(struct tfile *f, int order);

/**
 * tfile_write - write fresh random bytes to the file and to the model
 * @pos: where
 * @len: how much
 * @rwf: RWF_ flags
 * Return: 0, or -errno and the model unchanged. A short write fails the test.
 */
int tfile_write(struct tfile *f, off_t pos, size_t len, int rwf);

/**
 * tfile_read_uncached - read with RWF_DONTCACHE, at most 1 MiB, and compare
 */
void tfile_read_uncached(struct tfile *f, off_t pos, size_t len);

/**
 * tfile_truncate - ftruncate(2) of the file and the model
 */
void tfile_truncate(struct tfile *f, off_t size);

/**
 * tfile_zero - the model of a range that was punched or zeroed
 */
void tfile_zero(struct tfile *f, off_t pos, off_t len);

/**
 * tfile_verify - the file's size and data against the model, as cached now
 */
void tfile_verify(struct tfile *f, const char *when);

/**
 * tfile_finish - verify as cached, fs_settle(), verify what the disk has
 */
void tfile_finish(struct tfile *f);

#endif
