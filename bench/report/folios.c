// SPDX-License-Identifier: GPL-2.0
/* The largest folio in the page cache before and after the writes. */
#include "file.h"
#include "number.h"
#include "row.h"

static void add_largest(struct row *row, const char *file, const char *metric)
{
	struct why why;
	json_int_t bytes;
	json_t *folios = json_file_read(row->results, file, &why);

	if (!folios)
		row_reject(row, "%s", why.text);
	else if (!json_count(folios, "max_bytes", &bytes))
		row_reject(row, "%s lacks a sound max_bytes", file);
	else
		row_set_count(row, metric, bytes);
	json_decref(folios);
}

void folios_add(struct row *row)
{
	add_largest(row, "folios-before.json", "folio_before_max");
	add_largest(row, "folios-after.json", "folio_after_max");
}
