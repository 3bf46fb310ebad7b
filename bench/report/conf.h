/* SPDX-License-Identifier: GPL-2.0 */
/* row.conf: what a row is called and where it stands. */
#ifndef FWP_CONF_H
#define FWP_CONF_H

#include <jansson.h>

#include "why.h"

/* What fits before the columns of the table. */
#define TITLE_MAX 22

/**
 * struct conf - the part of row.conf that the report needs
 * @title: the row's name in the table
 * @rank: its place in the table, lowest first
 */
struct conf {
	char title[TITLE_MAX + 1];
	json_int_t rank;
};

/**
 * conf_read - read a row.conf
 * @dir: directory that @name is relative to, or AT_FDCWD
 * @name: the file
 * @conf: what it says
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int conf_read(int dir, const char *name, struct conf *conf, struct why *why);

#endif
