// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "file.h"

static void field(FILE *out, const char *text, char after)
{
	if (strpbrk(text, ",\"\n\r")) {
		fputc('"', out);
		for (; *text; text++)
			fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
		fputc('"', out);
	} else {
		fputs(text, out);
	}
	fputc(after, out);
}

static void line(FILE *out, const struct outcome *o, const char *row,
		 const json_t *json, const char *metric, const char *value,
		 const char *unit, const char *better, const char *valid)
{
	field(out, o->name, ',');
	field(out, row, ',');
	field(out, outcome_string(json_object_get(json, "asked"), "FWP_SEED"),
	      ',');
	field(out, metric, ',');
	field(out, value, ',');
	field(out, unit, ',');
	field(out, better, ',');
	field(out, valid, '\n');
}

static void print_figures(FILE *out, const struct outcome *o,
			  const struct outcome_row *row, json_t *json)
{
	const struct outcome_metric *m;
	/* A repeat of its own, to read its figures by the same rules. */
	const struct outcome_row one = { .json = json, .valid = true };

	for (m = o->metrics; m < o->metrics + o->nr_metrics; m++) {
		json_t *v = outcome_figure(&one, m->name);
		char *text;

		if (json_is_string(v)) {
			line(out, o, row->name, json, m->name,
			     json_string_value(v), m->unit,
			     better_name(m->better), "true");
		} else if (json_is_number(v)) {
			text = json_dumps(v, JSON_ENCODE_ANY |
					  JSON_REAL_PRECISION(REAL_DIGITS));
			line(out, o, row->name, json, m->name, text, m->unit,
			     better_name(m->better), "true");
			free(text);
		}
	}
}

static void print_one(FILE *out, const struct outcome *o,
		      const struct outcome_row *row, json_t *json)
{
	json_t *reason;
	size_t i;

	if (json_is_true(json_object_get(json, "valid"))) {
		print_figures(out, o, row, json);
		return;
	}
	json_array_foreach(json_object_get(json, "invalid_because"), i, reason)
		line(out, o, row->name, json, "invalid_because",
		     json_is_string(reason) ? json_string_value(reason) : "",
		     "", "", "false");
}

void csv_print(FILE *out, const struct outcome *o)
{
	json_t *repeat;
	size_t i, j;

	/* As RFC 4180 has it, except for its line ends. */
	fputs("run,row,seed,metric,value,unit,better,valid\n", out);
	for (i = 0; i < o->nr_rows; i++) {
		print_one(out, o, &o->rows[i], o->rows[i].json);
		json_array_foreach(o->rows[i].repeats, j, repeat)
			print_one(out, o, &o->rows[i], repeat);
	}
}
