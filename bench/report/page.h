/* SPDX-License-Identifier: GPL-2.0 */
/* A run as one page of HTML that needs no other file. */
#ifndef FWP_PAGE_H
#define FWP_PAGE_H

#include <stdio.h>

#include "outcome.h"
#include "plot.h"

/**
 * page_print - print the page
 * @out: where to
 * @o: the run
 * @plots: its pictures, made
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int page_print(FILE *out, const struct outcome *o, const struct plots *plots,
	       struct why *why);

#endif
