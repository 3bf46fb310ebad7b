/* SPDX-License-Identifier: GPL-2.0 */
/* Text that fits into a mail. */
#ifndef FWP_WRAP_H
#define FWP_WRAP_H

#include <stdio.h>

#define TABLE_WIDTH 78

/**
 * wrap - print a paragraph of at most TABLE_WIDTH columns
 * @out: where to
 * @first: what the first line begins with; may be padded to @indent
 * @indent: column where the text of every line begins
 * @text: the paragraph, plain ASCII; words that do not fit a line are cut
 */
void wrap(FILE *out, const char *first, int indent, const char *text);

#endif
