// SPDX-License-Identifier: GPL-2.0
#include "file.h"
#include "result.h"

static json_t *describe_metrics(const struct workload *workload)
{
	json_t *all = json_object();
	const struct metric *m;

	for (m = workload->metrics; m->name; m++)
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

static json_t *all_repeats(const struct run *run)
{
	json_t *repeats = json_object();
	size_t i;

	for (i = 0; i < run->nr_rows; i++)
		json_object_set(repeats, run->rows[i].name,
				run->rows[i].repeats);
	return repeats;
}

static json_t *row_figures(const struct workload *workload, const json_t *row)
{
	json_t *figures = json_object();
	const struct metric *m;

	json_object_set(figures, "valid", json_object_get(row, "valid"));
	if (!json_is_true(json_object_get(row, "valid"))) {
		json_object_set(figures, "invalid_because",
				json_object_get(row, "invalid_because"));
		return figures;
	}
	for (m = workload->metrics; m->name; m++)
		json_object_set(figures, m->name,
				json_object_get(row, m->name));
	return figures;
}

static json_t *all_figures(const struct run *run)
{
	json_t *rows = json_object();
	char name[4096];
	json_t *repeat;
	size_t i, j;

	for (i = 0; i < run->nr_rows; i++) {
		const struct run_row *row = &run->rows[i];

		json_object_set_new(rows, row->name,
				    row_figures(&run->workload, row->json));
		json_array_foreach(row->repeats, j, repeat) {
			snprintf(name, sizeof(name), "%s/%zu", row->name,
				 j + 2);
			json_object_set_new(rows, name,
					    row_figures(&run->workload,
							repeat));
		}
	}
	return rows;
}

int result_write(const struct run *run, int dir, struct why *why)
{
	json_t *figures = all_figures(run);
	json_t *result = json_pack("{s:i, s:O, s:O, s:o, s:O, s:O, s:o, s:o}",
				   "schema", RESULT_SCHEMA,
				   "run", run->provenance,
				   "host", run->host,
				   "metrics", describe_metrics(&run->workload),
				   "readers", json_object_get(run->workload.json,
							      "readers"),
				   "table", json_object_get(run->workload.json,
							    "table"),
				   "rows", all_rows(run),
				   "repeats", all_repeats(run));
	int ret;

	ret = json_file_write(dir, "figures.json", figures, why);
	if (!ret)
		ret = json_file_write(dir, "result.json", result, why);
	json_decref(figures);
	json_decref(result);
	return ret;
}
