// SPDX-License-Identifier: GPL-2.0
/* The cost of one 4 KiB write into an order-0 folio. */
#include "file.h"
#include "number.h"
#include "row.h"

static void add_cost(struct row *row, const json_t *cost, const char *state,
		     const char *mean_metric, const char *median_metric)
{
	const json_t *obj = json_object_get(cost, state);
	json_int_t n;
	double mean, median;

	if (!json_count(obj, "n", &n) || !n ||
	    !json_amount(obj, "mean", &mean) ||
	    !json_amount(obj, "median", &median)) {
		row_reject(row, "writecost.json lacks a sound n, mean or median of %s",
			   state);
	} else if (row->in_virtual_time) {
		row_set_real(row, mean_metric, mean);
		row_set_real(row, median_metric, median);
	}
}

void writecost_add(struct row *row)
{
	struct why why;
	json_int_t order;
	json_t *cost = json_file_read(row->results, "writecost.json", &why);

	if (!cost) {
		row_reject(row, "%s", why.text);
		return;
	}
	if (!json_count(cost, "max_order_seen", &order))
		row_reject(row, "writecost.json lacks max_order_seen");
	else if (order)
		row_reject(row, "write cost was measured on folios of order %lld, not 0",
			   (long long)order);
	add_cost(row, cost, "clean", "write_cost_clean",
		 "write_cost_clean_median");
	add_cost(row, cost, "dirty", "write_cost_dirty",
		 "write_cost_dirty_median");
	json_decref(cost);
}
