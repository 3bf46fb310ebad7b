// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "footer.h"
#include "number.h"
#include "wrap.h"

static const struct run_row *find_unpatched(const struct run *run)
{
	const char *policy;
	size_t i;

	for (i = 0; i < run->nr_rows; i++) {
		policy = json_string_value(json_object_get(run->rows[i].json,
							   "policy"));
		if (policy && !strcmp(policy, "unpatched"))
			return &run->rows[i];
	}
	return NULL;
}

static void print_one_cost(FILE *out, const char *what, const char *metric,
			   const struct run_row *none,
			   const struct run_row *unpatched)
{
	double with, without;

	/* There is none outside virtual time. */
	if (!json_amount(none->json, metric, &with) ||
	    !json_amount(unpatched->json, metric, &without) || !(without > 0))
		return;
	fprintf(out, "  %-21s unpatched %8.2f, none %8.2f, %+.4f%%\n", what,
		without, with, (with - without) / without * 100);
}

static void print_cost(FILE *out, const struct run *run)
{
	const struct run_row *unpatched = find_unpatched(run);
	const struct run_row *none = run_find(run, "none");
	double cost;

	if (!unpatched || !none)
		return;
	if (!run_row_valid(unpatched) || !run_row_valid(none)) {
		fputs("none against unpatched: not compared, a row is INVALID\n\n",
		      out);
		return;
	}
	if (!json_amount(none->json, "write_cost_clean", &cost))
		return;
	fputs("Instructions for a 4 KiB write into an order-0 folio (means have the timer's\nticks in them):\n",
	      out);
	print_one_cost(out, "clean folio, median:", "write_cost_clean_median",
		       none, unpatched);
	print_one_cost(out, "clean folio, mean:", "write_cost_clean",
		       none, unpatched);
	print_one_cost(out, "dirty folio, median:", "write_cost_dirty_median",
		       none, unpatched);
	print_one_cost(out, "dirty folio, mean:", "write_cost_dirty",
		       none, unpatched);
	fputc('\n', out);
}

const char *footer_times(const json_t *run)
{
	const char *name = json_string_value(json_object_get(run, "mode"));

	if (name && !strcmp(name, "virtual"))
		return "The times are virtual: 1 guest instruction = 1 ns, on one emulated CPU without caches, idle time skipped. They repeat to the last digit, and are not comparable with times of real hardware.";
	if (name && !strcmp(name, "kvm"))
		return "The times are real, of a virtual machine under KVM and a disk in its memory: comparable within this run only.";
	return "The times are of an emulated CPU in real time: not comparable with anything. Counts, sizes and ratios of pages stay valid.";
}

/* Hashes are cut to what tells them apart; result.json has all of them. */
static void add(FILE *f, const json_t *obj, const char *key, const char *label)
{
	const json_t *v = json_object_get(obj, key);
	const char *c;

	fprintf(f, "%s ", label);
	if (json_is_integer(v)) {
		fprintf(f, "%lld", (long long)json_integer_value(v));
		return;
	}
	for (c = json_string_value(v); c && *c; c++) {
		if (strstr(key, "_hash") && c - json_string_value(v) == 12)
			break;
		fputc(*c < ' ' || *c > '~' ? '?' : *c, f);
	}
}

static void print_line(FILE *out, const json_t *obj,
		       const char * const keys[][2])
{
	char *text = NULL;
	size_t i, len;
	FILE *f = open_memstream(&text, &len);

	for (i = 0; keys[i][0]; i++) {
		fputs(i ? ", " : "", f);
		add(f, obj, keys[i][0], keys[i][1]);
	}
	fclose(f);
	wrap(out, "", 0, text);
	free(text);
}

void footer_provenance(FILE *out, const json_t *run, const json_t *host)
{
	static const char * const what[][2] = {
		{ "workload", "workload" }, { "scale", "scale 1 /" },
		{ "seed", "seed" }, { "mode", "mode" }, { }
	};
	static const char * const tracer[][2] = {
		{ "traced_by", "TRACED, not comparable with untraced rows: by" },
		{ }
	};
	static const char * const kernel[][2] = {
		{ "kernel", "kernel" }, { "stack_hash", "stack" },
		{ "config_hash", "config" }, { "compiler", "compiler" }, { }
	};
	static const char * const tools[][2] = {
		{ "qemu", "qemu" }, { "fio", "fio" },
		{ "xfsprogs", "xfsprogs" }, { }
	};
	static const char * const where[][2] = {
		{ "cpu", "host" }, { "date", "on" }, { }
	};
	static const char * const command[][2] = {
		{ "command", "command:" }, { }
	};

	print_line(out, run, what);
	if (json_object_get(run, "traced_by"))
		print_line(out, run, tracer);
	print_line(out, run, kernel);
	print_line(out, run, tools);
	print_line(out, host, where);
	print_line(out, run, command);
}

void footer_print(FILE *out, const struct run *run)
{
	print_cost(out, run);
	wrap(out, "", 0, footer_times(run->provenance));
	wrap(out, "", 0, run->workload.legend);
	fputc('\n', out);
	footer_provenance(out, run->provenance, run->host);
}
