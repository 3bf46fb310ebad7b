/* SPDX-License-Identifier: GPL-2.0 */
/* A run as comma separated values (RFC 4180), a figure a line. */
#ifndef FWP_CSV_H
#define FWP_CSV_H

#include <stdio.h>

#include "outcome.h"

/**
 * csv_print - print every figure of every row and repeat
 * @out: where to
 * @o: the run
 *
 * The columns are run, row, seed, metric, value, unit, better and valid. What
 * is INVALID has a line for each reason, in which the metric is
 * invalid_because, and no figures.
 */
void csv_print(FILE *out, const struct outcome *o);

#endif
