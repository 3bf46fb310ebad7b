// SPDX-License-Identifier: GPL-2.0
/* What the histograms of the trace events say of the measured phase. */
#include <string.h>

#include "hist.h"
#include "number.h"
#include "row.h"

void pauses_add(struct row *row)
{
	json_int_t sum = 0, n;
	struct why why;
	json_t *entry;
	size_t i;
	json_t *hist = hist_read(row->results, "hist-bdp", &why);

	if (!hist) {
		row_reject(row, "%s", why.text);
		return;
	}
	json_array_foreach(hist, i, entry)
		if (!json_count(entry, "pause", &n) || !count_add(&sum, n)) {
			row_reject(row, "hist-bdp: an entry without a sound pause");
			goto out;
		}
	row_set_count(row, "writer_sleep_ms", sum);
out:
	json_decref(hist);
}

static bool is(const json_t *entry, const char *key, const char *value)
{
	const char *text = json_string_value(json_object_get(entry, key));

	return text && !strcmp(text, value);
}

/* The trace and the counters count the same decisions by different means. */
void decisions_add(struct row *row)
{
	json_int_t hits = 0, acted = 0, n;
	struct why why;
	json_t *entry, *hist;
	size_t i;

	if (!row->patched)
		return;
	hist = hist_read(row->results, "hist-fwp", &why);
	if (!hist) {
		row_reject(row, "%s", why.text);
		return;
	}
	json_array_foreach(hist, i, entry)
		if (is(entry, "policy", row->policy) &&
		    is(entry, "result", "acted") &&
		    json_count(entry, "hitcount", &n))
			hits += n;	/* hist_read() has added them up */
	json_decref(hist);
	/* If there is no figure, counters_add() has said why, or it is none. */
	if (!json_count(row->metrics, "acted", &acted) &&
	    strcmp(row->policy, "none"))
		return;
	if (hits != acted)
		row_reject(row, "hist-fwp has %lld actions of %s, its counter %lld",
			   (long long)hits, row->policy, (long long)acted);
}
