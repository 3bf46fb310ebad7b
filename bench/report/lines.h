/* SPDX-License-Identifier: GPL-2.0 */
/* Text files, line by line. */
#ifndef FWP_LINES_H
#define FWP_LINES_H

#include "why.h"

/**
 * struct lines - a text file that is being read
 * @name: its name, for messages
 * @buf: its content
 * @next: first byte that has not been handed out
 * @number: number of the line handed out last, from 1
 */
struct lines {
	const char *name;
	char *buf;
	char *next;
	unsigned int number;
};

/**
 * lines_open - read a text file
 * @l: to be closed by lines_close(), also after a failure
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file; the string must outlive @l
 * @why: the reason, on failure
 *
 * A NUL byte, or a last line without its end, means that the file is torn.
 *
 * Return: 0, or -1.
 */
int lines_open(struct lines *l, int dir, const char *name, struct why *why);

/**
 * lines_next - the next line
 * @l: the file
 *
 * Return: the line without its end, for the caller to cut up; NULL at the end.
 */
char *lines_next(struct lines *l);

/**
 * lines_fail - say that the line handed out last makes no sense
 * @l: the file
 * @why: where to keep the reason
 * @what: what should have been there
 *
 * Return: always -1.
 */
int lines_fail(const struct lines *l, struct why *why, const char *what);

/**
 * lines_close - free a text file
 * @l: the file
 */
void lines_close(struct lines *l);

/**
 * trim - cut spaces and tabs off both ends
 * @s: a string, cut in place
 *
 * Return: its first byte that is not a space.
 */
char *trim(char *s);

#endif
