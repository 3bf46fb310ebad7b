// SPDX-License-Identifier: GPL-2.0
#include "file.h"
#include "metrics.h"
#include "result.h"

static json_t *describe_metrics(void)
{
	json_t *all = json_object();
	const struct metric *m;

	for (m = metrics; m->name; m++)
		json_object_set_new(all, m->name,
				    json_pack("{s:s, s:s, s:s}",
					      "unit", m->unit,
					      "source", m->source,
					      "better", better_name(m->better)));
	return all;
}

static json_t *all_rows(const struct run *run)
{
	json_t *rows = json_object();
	size_t i;

	for (i = 0; i < run->nr_rows; i++) {
		const struct run_row *r = &run->rows[i];

		json_object_set(rows, r->name, r->json);
		json_object_set_new(r->json, "rank",
				    json_integer(r->conf.rank));
	}
	return rows;
}

static json_t *row_figures(const struct run_row *row)
{
	json_t *figures = json_object();
	const struct metric *m;

	json_object_set(figures, "valid", json_object_get(row->json, "valid"));
	if (!run_row_valid(row)) {
		json_object_set(figures, "invalid_because",
				json_object_get(row->json, "invalid_because"));
		return figures;
	}
	for (m = metrics; m->name; m++)
		json_object_set(figures, m->name,
				json_object_get(row->json, m->name));
	return figures;
}

static json_t *all_figures(const struct run *run)
{
	json_t *rows = json_object();
	size_t i;

	for (i = 0; i < run->nr_rows; i++)
		json_object_set_new(rows, run->rows[i].name,
				    row_figures(&run->rows[i]));
	return rows;
}

int result_write(const struct run *run, int dir, struct why *why)
{
	json_t *figures = all_figures(run);
	json_t *result = json_pack("{s:i, s:O, s:O, s:o, s:o}",
				   "schema", RESULT_SCHEMA,
				   "run", run->provenance,
				   "host", run->host,
				   "metrics", describe_metrics(),
				   "rows", all_rows(run));
	int ret;

	ret = json_file_write(dir, "figures.json", figures, why);
	if (!ret)
		ret = json_file_write(dir, "result.json", result, why);
	json_decref(figures);
	json_decref(result);
	return ret;
}
