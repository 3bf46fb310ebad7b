/* SPDX-License-Identifier: GPL-2.0 */
/* A run as text for a mail, in the manner of mmtests. */
#ifndef FWP_MAIL_H
#define FWP_MAIL_H

#include <stdio.h>

#include "outcome.h"

/**
 * mail_print - print a run, at most 78 columns wide
 * @out: where to
 * @o: the run
 *
 * A metric a line, a row a column, the baseline first.
 */
void mail_print(FILE *out, const struct outcome *o);

#endif
