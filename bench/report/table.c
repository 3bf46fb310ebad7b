// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "footer.h"
#include "number.h"
#include "table.h"
#include "wrap.h"

#define TITLE_WIDTH (TITLE_MAX + 1)

/* As many decimals as fit, and a space before. */
static int number_cell(char *buf, size_t size, int width, int decimals,
		       double d, const char *suffix)
{
	int len;

	do {
		len = snprintf(buf, size, "%.*f%s", decimals, d, suffix);
	} while (len >= width && decimals-- > 0);
	if (len >= width)	/* absurd, but the table stays a table */
		len = snprintf(buf, size, "%.0e", d);
	return len;
}

static void size_cell(char *buf, size_t size, int width, int decimals,
		      double bytes)
{
	static const char * const suffixes[] = {
		"", "K", "M", "G", "T", "P", "E",
	};
	size_t i = 0;

	while (bytes >= 1024 && i < sizeof(suffixes) / sizeof(char *) - 1) {
		bytes /= 1024;
		i++;
	}
	if (bytes == (double)(long)bytes)
		decimals = 0;
	number_cell(buf, size, width, decimals, bytes, suffixes[i]);
}

static void print_cell(FILE *out, const struct metric *m, const json_t *row)
{
	char text[64] = "-";
	double d;

	if (json_amount(row, m->name, &d)) {
		d /= m->scale;
		if (m->cell == CELL_SIZE)
			size_cell(text, sizeof(text), m->width, m->decimals, d);
		else
			number_cell(text, sizeof(text), m->width,
				    d == 0 ? 0 : m->decimals, d, "");
	}
	fprintf(out, "%*s", m->width, text);
}

static void print_invalid(FILE *out, const struct run_row *row, bool in_full)
{
	const json_t *why = json_object_get(row->json, "invalid_because");
	char *text = NULL;
	size_t i, len;
	json_t *reason;
	FILE *f;

	if (!in_full) {
		wrap(out, row->conf.title, TITLE_WIDTH + 1, "INVALID");
		return;
	}
	f = open_memstream(&text, &len);
	fputs("INVALID:", f);
	json_array_foreach((json_t *)why, i, reason)
		fprintf(f, "%s %s", i ? ";" : "",
			json_is_string(reason) ? json_string_value(reason)
					       : "?");
	fclose(f);
	wrap(out, row->conf.title, TITLE_WIDTH + 1, text);
	free(text);
}

static void print_head(FILE *out, const struct block *block)
{
	size_t line, i;

	for (line = 0; line < 2; line++) {
		fprintf(out, "%-*s", TITLE_WIDTH, "");
		for (i = 0; i < block->nr; i++)
			fprintf(out, "%*s", block->columns[i]->width,
				block->columns[i]->head[line]);
		fputc('\n', out);
	}
}

static void print_block(FILE *out, const struct run *run, size_t n)
{
	const struct block *block = &run->workload.blocks[n];
	size_t i, j;

	print_head(out, block);
	for (i = 0; i < run->nr_rows; i++) {
		const struct run_row *row = &run->rows[i];

		if (!run_row_valid(row)) {
			print_invalid(out, row, n == 0);
			continue;
		}
		fprintf(out, "%-*s", TITLE_WIDTH, row->conf.title);
		for (j = 0; j < block->nr; j++)
			print_cell(out, block->columns[j], row->json);
		fputc('\n', out);
	}
}

void table_print(FILE *out, const struct run *run)
{
	size_t i;

	for (i = 0; i < run->workload.nr_blocks; i++) {
		print_block(out, run, i);
		fputc('\n', out);
	}
	footer_print(out, run);
}
