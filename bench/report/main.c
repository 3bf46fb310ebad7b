// SPDX-License-Identifier: GPL-2.0
/*
 * fwp-report - from what the guests left to the table.
 *
 *   fwp-report row METRICS ROWCONF OUTDIR [EXPECT]...	writes OUTDIR/row.json
 *   fwp-report table RUNDIR			prints the table; writes table.txt,
 *						result.json and figures.json
 *   fwp-report cmp [-v] RUNDIR RUNDIR		says nothing if the figures are the
 *						same; with -v, also what is the same
 *   fwp-report report RUNDIR OUTDIR		writes the report of a run that has
 *						a table to an empty OUTDIR
 *
 * Exit status: 0 well; 1 INVALID rows, or figures that differ; 2 bad usage,
 * unreadable or incomparable input, nothing written.
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmp.h"
#include "file.h"
#include "notes.h"
#include "outcome.h"
#include "repeats.h"
#include "report.h"
#include "result.h"
#include "row.h"
#include "table.h"
#include "wrap.h"

static int usage(void)
{
	fputs("usage: fwp-report row METRICS ROWCONF OUTDIR [EXPECT]...\n"
	      "       fwp-report table RUNDIR\n"
	      "       fwp-report cmp [-v] RUNDIR RUNDIR\n"
	      "       fwp-report report RUNDIR OUTDIR\n", stderr);
	return 2;
}

/* The table is of the first time that each row was run; this of all. */
static int print_repeats(FILE *f, const char *path, struct why *why)
{
	struct outcome o;
	int ret = outcome_load(&o, path, why);

	if (!ret && repeats_any(&o)) {
		fputs("\nAbove is the first run of each row. Over all of them:\n\n", f);
		repeats_print(f, &o);
		notes_invalid(f, &o);
		wrap(f, "", 0, notes_repeats());
	}
	outcome_free(&o);
	return ret;
}

static bool all_valid(const struct run *run)
{
	json_t *repeat;
	size_t i, j;

	for (i = 0; i < run->nr_rows; i++) {
		if (!run_row_valid(&run->rows[i]))
			return false;
		json_array_foreach(run->rows[i].repeats, j, repeat)
			if (!json_is_true(json_object_get(repeat, "valid")))
				return false;
	}
	return true;
}

static int write_table(const struct run *run, const char *path, int dir,
		       struct why *why)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int ret;

	/* The table comes last: where there is one, the rest is there too. */
	ret = result_write(run, dir, why);
	table_print(f, run);
	if (!ret)
		ret = print_repeats(f, path, why);
	fclose(f);
	if (!ret)
		ret = file_write(dir, "table.txt", text, len, why);
	if (!ret && (fputs(text, stdout) < 0 || fflush(stdout)))
		ret = fail(why, "cannot print the table");
	free(text);
	return ret;
}

static int make_table(const char *path)
{
	struct run run = { };
	struct why why;
	int dir = dir_open(AT_FDCWD, path, &why);
	int ret;

	if (dir < 0) {
		warnx("%s", why.text);
		return 2;
	}
	if (run_load(&run, dir, &why) || write_table(&run, path, dir, &why)) {
		warnx("%s: %s", path, why.text);
		ret = 2;
	} else {
		ret = all_valid(&run) ? 0 : 1;
	}
	run_free(&run);
	close(dir);
	return ret;
}

static int make_row(int argc, char **argv)
{
	struct row_files files = {
		.metrics = argv[0],
		.conf = argv[1],
		.expects = argv + 3,
		.nr_expects = argc - 3,
	};

	return row_make(&files, argv[2]);
}

int main(int argc, char **argv)
{
	if (argc >= 5 && !strcmp(argv[1], "row"))
		return make_row(argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "table"))
		return make_table(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "cmp"))
		return cmp_runs(argv[2], argv[3], false);
	if (argc == 5 && !strcmp(argv[1], "cmp") && !strcmp(argv[2], "-v"))
		return cmp_runs(argv[3], argv[4], true);
	if (argc == 4 && !strcmp(argv[1], "report"))
		return report_make(argv[2], argv[3]);
	return usage();
}
