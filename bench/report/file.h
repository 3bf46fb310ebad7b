/* SPDX-License-Identifier: GPL-2.0 */
/* Whole files: bounded reads, writes that are never seen half done. */
#ifndef FWP_FILE_H
#define FWP_FILE_H

#include <jansson.h>
#include <stddef.h>

#include "why.h"

/* Digits that a decimal input of up to 15 digits survives unchanged. */
#define REAL_DIGITS 15

/**
 * dir_open - open a directory for the functions below
 * @at: directory that @path is relative to, or AT_FDCWD
 * @path: the directory
 * @why: the reason, on failure
 *
 * Return: a file descriptor to close(), or -1.
 */
int dir_open(int at, const char *path, struct why *why);

/**
 * file_read - read a whole file of at most 256 MiB
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @len: its length in bytes, without the NUL that is added
 * @why: the reason, on failure
 *
 * Return: the content to free(), or NULL.
 */
char *file_read(int dir, const char *name, size_t *len, struct why *why);

/**
 * file_write - replace a file, at once or not at all
 * @dir: directory that @name is relative to
 * @name: the file; @name.tmp is written first, and removed on failure, INT
 *	  and TERM
 * @data: content
 * @len: its length in bytes
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int file_write(int dir, const char *name, const char *data, size_t len,
	       struct why *why);

/**
 * json_file_read - read a file that holds one JSON object
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @why: the reason, on failure
 *
 * Keys that occur twice, NaN, infinities and integers beyond 64 bits are
 * errors.
 *
 * Return: the object to json_decref(), or NULL.
 */
json_t *json_file_read(int dir, const char *name, struct why *why);

/**
 * json_file_write - replace a file by a JSON object, keys sorted
 * @dir: directory that @name is relative to
 * @name: the file
 * @json: the object
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int json_file_write(int dir, const char *name, const json_t *json,
		    struct why *why);

#endif
