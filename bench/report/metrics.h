/* SPDX-License-Identifier: GPL-2.0 */
/* A metric, and those that readers of ours set, whatever the workload. */
#ifndef FWP_METRICS_H
#define FWP_METRICS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define PAGE_BYTES 4096		/* x86, the only guest there is */

enum better {
	BETTER_NEITHER,
	BETTER_HIGHER,
	BETTER_LOWER,
};

/* Who reads what the guest left; a workload names those that it has files for. */
enum reader {
	READ_SETTINGS,		/* every workload has these */
	READ_FIO,
	READ_SAMPLER,
	READ_CHARGE,
	READ_FOLIOS,
	READ_WRITECOST,
	READ_COUNTERS,
	READ_PAUSES,
	READ_DECISIONS,
	READ_OWN,		/* the metrics that the workload declares itself */
	READERS
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
 * @reader: who sets it
 * @from: of a workload's own: file and path of the figure in its JSON; NULL if
 *	  it is a line of results/metrics
 * @better: the direction that is an improvement
 * @virtual_only: the figure is in instructions, so that it means something
 *		  only in virtual time; absent in the other modes
 * @cell: how the table shows it
 * @width: width of its column with the space before it
 * @head: the two lines of its column's head
 * @scale: what the figure is divided by for the table
 * @decimals: how many decimals the table shows when there is room
 */
struct metric {
	const char *name;
	const char *unit;
	const char *source;
	enum reader reader;
	const json_t *from;
	enum better better;
	bool virtual_only;
	enum cell cell;
	int width;
	const char *head[2];
	double scale;
	int decimals;
};

/* Those that readers of ours set; ends with a NULL name. */
extern const struct metric builtin_metrics[];

/**
 * better_name - the direction as a word
 * @better: the direction
 *
 * Return: "higher", "lower" or "neither".
 */
const char *better_name(enum better better);

/**
 * better_parse - a direction from its word
 * @name: the word
 * @better: the direction
 *
 * Return: true if there is such a word.
 */
bool better_parse(const char *name, enum better *better);

#endif
