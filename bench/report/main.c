// SPDX-License-Identifier: GPL-2.0
/*
 * fwp-report - from what the guests left to the table.
 *
 *   fwp-report row ROWCONF EXPECT OUTDIR	writes OUTDIR/row.json
 *   fwp-report table RUNDIR			prints the table; writes table.txt,
 *						result.json and figures.json
 *   fwp-report cmp RUNDIR RUNDIR		says nothing if the figures are the same
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
#include "result.h"
#include "row.h"
#include "table.h"

static int usage(void)
{
	fputs("usage: fwp-report row ROWCONF EXPECT OUTDIR\n"
	      "       fwp-report table RUNDIR\n"
	      "       fwp-report cmp RUNDIR RUNDIR\n", stderr);
	return 2;
}

static bool all_valid(const struct run *run)
{
	size_t i;

	for (i = 0; i < run->nr_rows; i++)
		if (!run_row_valid(&run->rows[i]))
			return false;
	return true;
}

static int write_table(const struct run *run, int dir, struct why *why)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int ret;

	table_print(f, run);
	fclose(f);
	/* The table comes last: where there is one, the rest is there too. */
	ret = result_write(run, dir, why);
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
	if (run_load(&run, dir, &why) || write_table(&run, dir, &why)) {
		warnx("%s: %s", path, why.text);
		ret = 2;
	} else {
		ret = all_valid(&run) ? 0 : 1;
	}
	run_free(&run);
	close(dir);
	return ret;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "row"))
		return row_make(argv[2], argv[3], argv[4]);
	if (argc == 3 && !strcmp(argv[1], "table"))
		return make_table(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "cmp"))
		return cmp_runs(argv[2], argv[3]);
	return usage();
}
