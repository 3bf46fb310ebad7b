// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "footer.h"
#include "judge.h"
#include "mail.h"
#include "notes.h"
#include "repeats.h"
#include "show.h"
#include "wrap.h"

#define NAME_WIDTH 24		/* of the metric */
#define BASE_WIDTH (1 + SHOW_NUMBER + 2)
#define CELL_WIDTH (1 + SHOW_NUMBER + 1 + SHOW_GAIN + 2)
#define CELLS ((TABLE_WIDTH - NAME_WIDTH - BASE_WIDTH) / CELL_WIDTH)

/**
 * struct mail - what is being printed
 * @out: where to
 * @o: the run
 * @judged: of one metric, an entry a row
 * @base: the baseline, if it has figures
 * @row: the other rows that have figures
 * @nr: how many
 */
struct mail {
	FILE *out;
	const struct outcome *o;
	struct judged *judged;
	const struct outcome_row *base;
	const struct outcome_row **row;
	size_t nr;
};

static const struct judged *judged_of(const struct mail *mail,
				      const struct outcome_row *row)
{
	return &mail->judged[row - mail->o->rows];
}

static void print_base(const struct mail *mail, double scale)
{
	const struct judged *j = judged_of(mail, mail->base);
	struct show_judged show;
	char text[64];

	show_judged(&show, j, scale);
	snprintf(text, sizeof(text), j->best ? "[%s]" : "%s ", show.number);
	fprintf(mail->out, "%*s", BASE_WIDTH, text);
}

static void print_cell(const struct mail *mail, const struct outcome_row *row,
		       double scale, bool last)
{
	const struct judged *j = judged_of(mail, row);
	struct show_judged show;

	show_judged(&show, j, scale);
	fprintf(mail->out, " %*s", SHOW_NUMBER, show.number);
	if (j->compared || j->best)
		fprintf(mail->out, " %c%*s%c", show.marks[0], SHOW_GAIN,
			show.gain, show.marks[1]);
	else if (!last)
		fprintf(mail->out, "%*s", 1 + SHOW_GAIN + 2, "");
}

static void print_heads(const struct mail *mail, size_t first, size_t end)
{
	size_t i;

	fprintf(mail->out, "%-*s", NAME_WIDTH, "");
	if (mail->base)
		fprintf(mail->out, "%*s ", BASE_WIDTH - 1, mail->base->name);
	for (i = first; i < end; i++)
		fprintf(mail->out, "%*.*s", CELL_WIDTH, CELL_WIDTH - 1,
			mail->row[i]->name);
	fputc('\n', mail->out);
}

static struct show_unit unit_of(const struct mail *mail,
				const struct outcome_metric *m)
{
	double largest = 0;
	size_t i;

	for (i = 0; i < mail->o->nr_rows; i++)
		if (mail->judged[i].known)
			largest = fmax(largest,
				       fabs(mail->judged[i].stats.mean));
	return show_unit(m->unit, largest);
}

static void print_block(const struct mail *mail, size_t first, size_t end)
{
	const struct outcome_metric *m;
	size_t i;

	print_heads(mail, first, end);
	for (m = mail->o->metrics; m < mail->o->metrics + mail->o->nr_metrics;
	     m++) {
		double scale;

		if (!judge(mail->o, m, mail->judged) ||
		    judged_zero(mail->o, mail->judged))
			continue;
		scale = unit_of(mail, m).scale;
		fprintf(mail->out, "%-*s", NAME_WIDTH, m->name);
		if (strlen(m->name) > NAME_WIDTH)
			fprintf(mail->out, "\n%-*s", NAME_WIDTH, "");
		if (mail->base)
			print_base(mail, scale);
		for (i = first; i < end; i++)
			print_cell(mail, mail->row[i], scale, i + 1 == end);
		fputc('\n', mail->out);
	}
	fputc('\n', mail->out);
}

static void print_blocks(const struct mail *mail)
{
	size_t first = 0;

	if (!mail->base && !mail->nr)
		return;
	do {
		const size_t end = first + CELLS < mail->nr ? first + CELLS
							    : mail->nr;

		print_block(mail, first, end);
		first = end;
	} while (first < mail->nr);
}

static void print_metrics(const struct mail *mail)
{
	const struct outcome_metric *m;
	char *text;

	for (m = mail->o->metrics; m < mail->o->metrics + mail->o->nr_metrics;
	     m++) {
		if (!judge(mail->o, m, mail->judged) ||
		    judged_zero(mail->o, mail->judged))
			continue;
		if (asprintf(&text, "%s; %s", unit_of(mail, m).name,
			     show_better(m->better)) < 0)
			abort();
		if (strlen(m->name) >= NAME_WIDTH)
			fprintf(mail->out, "%s\n", m->name);
		wrap(mail->out, strlen(m->name) < NAME_WIDTH ? m->name : "",
		     NAME_WIDTH, text);
		free(text);
	}
	fputc('\n', mail->out);
}

static void print_zeroes(const struct mail *mail)
{
	char *names = judged_zeroes(mail->o);

	if (*names) {
		wrap(mail->out, "0 in every row:", NAME_WIDTH, names);
		fputc('\n', mail->out);
	}
	free(names);
}

static void print_rows(const struct mail *mail)
{
	size_t i;

	for (i = 0; i < mail->o->nr_rows; i++)
		wrap(mail->out, mail->o->rows[i].name, NAME_WIDTH,
		     mail->o->rows[i].title);
	fputc('\n', mail->out);
}

void mail_print(FILE *out, const struct outcome *o)
{
	struct mail mail = {
		.out = out,
		.o = o,
		.judged = calloc(o->nr_rows, sizeof(*mail.judged)),
		.base = o->baseline && o->baseline->valid ? o->baseline : NULL,
		.row = calloc(o->nr_rows, sizeof(*mail.row)),
	};
	size_t i;

	if (!mail.judged || !mail.row)
		abort();
	for (i = 0; i < o->nr_rows; i++)
		if (o->rows[i].valid && &o->rows[i] != mail.base)
			mail.row[mail.nr++] = &o->rows[i];
	print_blocks(&mail);
	print_zeroes(&mail);
	notes_invalid(out, o);
	repeats_print(out, o);
	print_rows(&mail);
	print_metrics(&mail);
	notes_print(out, o);
	fputc('\n', out);
	footer_provenance(out, o->run, o->host);
	free(mail.judged);
	free(mail.row);
}
