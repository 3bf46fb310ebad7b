/* SPDX-License-Identifier: GPL-2.0 */
/* How to read a report. */
#ifndef FWP_NOTES_H
#define FWP_NOTES_H

#include <stdio.h>

#include "outcome.h"

/**
 * notes_marks - say what the marks at the figures of a run mean
 * @o: the run
 *
 * Return: a paragraph of plain ASCII.
 */
const char *notes_marks(const struct outcome *o);

/**
 * notes_repeats - say what the columns of repeats_print() mean
 *
 * Return: a paragraph of plain ASCII.
 */
const char *notes_repeats(void);

/**
 * notes_invalid - print why rows are INVALID
 * @out: where to
 * @o: the run
 *
 * Followed by an empty line, or nothing if all are valid.
 */
void notes_invalid(FILE *out, const struct outcome *o);

/**
 * notes_print - print how to read the mail
 * @out: where to
 * @o: the run
 */
void notes_print(FILE *out, const struct outcome *o);

#endif
