/* SPDX-License-Identifier: GPL-2.0 */
/* What is measured: the one list that row.json, the table and cmp follow. */
#ifndef FWP_METRICS_H
#define FWP_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_BYTES 4096		/* x86, the only guest there is */

enum better {
	BETTER_NEITHER,
	BETTER_HIGHER,
	BETTER_LOWER,
};

enum cell {
	CELL_NONE,		/* not in the table */
	CELL_NUMBER,
	CELL_SIZE,		/* bytes, printed as 256K or 366.4M */
};

/**
 * struct metric - one figure of a row
 * @name: key in row.json
 * @unit: unit of the figure in row.json
 * @source: the guest's file it comes from and how
 * @better: the direction that is an improvement
 * @virtual_only: the figure is in instructions, so that it means something
 *		  only in virtual time; absent in the other modes
 * @cell: how the table shows it
 * @block: which of the stacked blocks of the table, from 1
 * @width: width of its column with the space before it
 * @head: the two lines of its column's head
 * @scale: what the figure is divided by for the table
 * @decimals: how many decimals the table shows when there is room
 */
struct metric {
	const char *name;
	const char *unit;
	const char *source;
	enum better better;
	bool virtual_only;
	enum cell cell;
	int block;
	int width;
	const char *head[2];
	double scale;
	int decimals;
};

/* In the order of the table's columns; ends with a NULL name. */
extern const struct metric metrics[];

/**
 * metric_find - look a metric up
 * @name: its name
 * @len: length of @name
 *
 * Return: the metric, or NULL.
 */
const struct metric *metric_find(const char *name, size_t len);

/**
 * better_name - the direction as a word
 * @better: the direction
 *
 * Return: "higher", "lower" or "neither".
 */
const char *better_name(enum better better);

#endif
