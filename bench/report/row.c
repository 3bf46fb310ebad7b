// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"
#include "expect.h"
#include "file.h"
#include "lines.h"
#include "number.h"
#include "pairs.h"
#include "row.h"

void row_reject(struct row *row, const char *fmt, ...)
{
	char text[sizeof(struct why)];
	va_list ap;
	char *c;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* It may quote garbage, and ends in JSON and on terminals. */
	for (c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	json_array_append_new(row->reasons, json_string(text));
}

void row_set_count(struct row *row, const char *name, json_int_t n)
{
	json_object_set_new(row->metrics, name, json_integer(n));
}

void row_set_real(struct row *row, const char *name, double d)
{
	json_object_set_new(row->metrics, name, json_real(d));
}

bool row_env_count(struct row *row, const char *key, json_int_t *out)
{
	const char *text = json_string_value(json_object_get(row->env, key));

	if (text && count_parse(text, out))
		return true;
	row_reject(row, "env lacks a sound %s", key);
	return false;
}

/* How it was on this host: never compared. */
static void add_host(const json_t *boot, int out, json_t *json)
{
	json_t *host = json_object();
	struct why why;
	struct lines l;

	json_object_set(host, "host_seconds",
			json_object_get(boot, "host_seconds"));
	if (!lines_open(&l, out, "qemu.cmdline", &why))
		json_object_set_new(host, "qemu_cmdline",
				    json_string(lines_next(&l)));
	lines_close(&l);
	json_object_set_new(json, "host", host);
}

/* Returns false if the guest did not end well, so left nothing to read. */
static bool add_boot(struct row *row, int out, json_t *json)
{
	static const char * const modes[] = { "virtual", "tcg", "kvm" };
	struct why why;
	json_t *boot = json_file_read(out, "boot.json", &why);
	const char *mode, *reason;
	json_int_t code;
	bool known = false;
	bool ended_well = false;
	size_t i;

	if (!boot) {
		row_reject(row, "%s", why.text);
		return false;
	}
	mode = json_string_value(json_object_get(boot, "mode"));
	reason = json_string_value(json_object_get(boot, "reason"));
	for (i = 0; mode && i < sizeof(modes) / sizeof(*modes); i++)
		known |= !strcmp(mode, modes[i]);
	if (!known) {
		row_reject(row, "boot.json has no mode that is known");
	} else if (!json_count(boot, "exit_code", &code)) {
		row_reject(row, "boot.json lacks exit_code");
	} else if (code) {
		row_reject(row, "the guest ended with code %lld: %s",
			   (long long)code, reason ? reason : "no reason given");
	} else {
		ended_well = true;
	}
	if (known) {
		row->in_virtual_time = !strcmp(mode, "virtual");
		json_object_set(json, "mode", json_object_get(boot, "mode"));
	}
	add_host(boot, out, json);
	json_decref(boot);
	return ended_well;
}

static bool add_env(struct row *row)
{
	struct why why;

	row->env = pairs_read_conf(row->results, "env", &why);
	if (!row->env) {
		row_reject(row, "%s", why.text);
		return false;
	}
	row->policy = json_string_value(json_object_get(row->env,
							"FWP_POLICY"));
	if (!row->policy || !*row->policy) {
		row_reject(row, "env lacks FWP_POLICY");
		return false;
	}
	row->patched = strcmp(row->policy, "unpatched");
	return true;
}

/* What a second person needs to run the row again. */
static void add_setting(const struct row *row, json_t *json)
{
	struct why why;
	json_t *sysctls;

	json_object_set(json, "asked", row->env);
	sysctls = pairs_read_sysctl(row->results, "sysctls", &why);
	if (sysctls)
		json_object_set_new(json, "sysctls", sysctls);
}

/* In this order: some need what one before has set. */
static void (* const readers[READERS])(struct row *row) = {
	[READ_SETTINGS] = settings_add,
	[READ_FIO] = fio_add,
	[READ_SAMPLER] = sampler_add,
	[READ_CHARGE] = charge_add,
	[READ_FOLIOS] = folios_add,
	[READ_WRITECOST] = writecost_add,
	[READ_COUNTERS] = counters_add,
	[READ_PAUSES] = pauses_add,
	[READ_DECISIONS] = decisions_add,
	[READ_OWN] = own_add,
};

static void add_metrics(struct row *row)
{
	size_t i;

	for (i = 0; i < READERS; i++)
		if (row->workload->reads[i])
			readers[i](row);
}

static int measure(struct row *row, int out, const struct row_files *files,
		   json_t *json, struct why *why)
{
	bool ended_well = add_boot(row, out, json);
	int i;

	if (!ended_well)
		return 0;
	row->results = dir_open(out, "results", why);
	if (row->results < 0) {
		row_reject(row, "%s", why->text);
		return 0;
	}
	if (!add_env(row))
		return 0;
	add_setting(row, json);
	add_metrics(row);
	for (i = 0; i < files->nr_expects; i++)
		if (expect_check(row, files->expects[i], why))
			return -1;
	return 0;
}

/* When the guest left nothing, the row still has its directory's name. */
static const char *row_name(const struct row *row, const char *directory)
{
	const char *name = json_string_value(json_object_get(row->env,
							     "FWP_ROW"));

	return name ? name : directory;
}

static void add_identity(const struct row *row, const struct conf *conf,
			 const char *name, json_t *json)
{
	json_object_set_new(json, "row", json_string(name));
	json_object_set_new(json, "title", json_string(conf->title));
	if (row->policy)
		json_object_set_new(json, "policy", json_string(row->policy));
}

static int finish(struct row *row, const char *name, int out, json_t *json,
		  struct why *why)
{
	bool valid = !json_array_size(row->reasons);
	json_t *reason;
	size_t i;

	json_object_set_new(json, "valid", json_boolean(valid));
	json_object_set(json, "invalid_because", row->reasons);
	/* Out of the way: nobody may take a figure of an invalid row. */
	if (valid)
		json_object_update(json, row->metrics);
	else
		json_object_set(json, "rejected", row->metrics);
	if (json_file_write(out, "row.json", json, why))
		return -1;
	json_array_foreach(row->reasons, i, reason)
		warnx("row %s is INVALID: %s", name,
		      json_string_value(reason));
	return valid ? 0 : 1;
}

static const char *base_name(char *path)
{
	size_t len = strlen(path);
	char *slash;

	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int row_make(const struct row_files *files, const char *out_path)
{
	struct workload workload = { };
	struct row row = {
		.workload = &workload,
		.results = -1,
		.metrics = json_object(),
		.reasons = json_array(),
	};
	json_t *json = json_object();
	char path[4096];
	const char *name;
	struct conf conf;
	struct why why;
	int out = -1;
	int ret = -1;

	if (snprintf(path, sizeof(path), "%s", out_path) >= (int)sizeof(path)) {
		fail(&why, "the path of the row is too long");
		goto end;
	}
	out = dir_open(AT_FDCWD, out_path, &why);
	if (out < 0 ||
	    workload_load(&workload, AT_FDCWD, files->metrics, &why) ||
	    conf_read(AT_FDCWD, files->conf, &conf, &why) ||
	    measure(&row, out, files, json, &why))
		goto end;
	name = row_name(&row, base_name(path));
	add_identity(&row, &conf, name, json);
	ret = finish(&row, name, out, json, &why);
end:
	if (ret < 0)
		warnx("%s", why.text);
	if (row.results >= 0)
		close(row.results);
	if (out >= 0)
		close(out);
	json_decref(row.env);
	json_decref(row.metrics);
	json_decref(row.reasons);
	json_decref(json);
	workload_free(&workload);
	return ret < 0 ? 2 : ret;
}
