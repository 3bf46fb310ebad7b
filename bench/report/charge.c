// SPDX-License-Identifier: GPL-2.0
/* How many pages the kernel charged as dirty, over how many were written. */
#include "number.h"
#include "pairs.h"
#include "row.h"

static bool read_dirtied(struct row *row, const char *name, json_int_t *out)
{
	struct why why;
	json_t *vmstat = pairs_read_counts(row->results, name, &why);
	bool found;

	if (!vmstat) {
		row_reject(row, "%s", why.text);
		return false;
	}
	found = json_count(vmstat, "nr_dirtied", out);
	if (!found)
		row_reject(row, "%s lacks nr_dirtied", name);
	json_decref(vmstat);
	return found;
}

void charge_add(struct row *row)
{
	json_int_t before, after, written;

	if (!read_dirtied(row, "vmstat-before", &before) ||
	    !read_dirtied(row, "vmstat-after", &after))
		return;
	if (after < before) {
		row_reject(row, "vmstat: nr_dirtied went backwards");
		return;
	}
	row_set_count(row, "pages_charged", after - before);
	/* Without it fio_add() has said why. */
	if (json_count(row->metrics, "pages_written_by_app", &written))
		row_set_real(row, "overcharge",
			     (double)(after - before) / written);
}
