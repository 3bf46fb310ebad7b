/* SPDX-License-Identifier: GPL-2.0 */
/* What a row must show for its policy to have worked. */
#ifndef FWP_EXPECT_H
#define FWP_EXPECT_H

#include "row.h"

/**
 * expect_check - reject a row that does not show what it must
 * @row: the row with all its metrics
 * @path: the expect file, lines of `METRIC OP VALUE  # why`, where OP is one
 *	  of == != < <= > >= and VALUE a number or, for == and !=, a word
 * @why: the reason, on failure
 *
 * Metrics that exist only in virtual time are not asked for in other modes.
 *
 * Return: 0 whatever the row shows, -1 if the file makes no sense.
 */
int expect_check(struct row *row, const char *path, struct why *why);

#endif
