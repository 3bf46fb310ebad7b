// SPDX-License-Identifier: GPL-2.0
/* Did the guest run with what it was asked to run with? */
#include <string.h>

#include "lines.h"
#include "number.h"
#include "pairs.h"
#include "row.h"

static void add_policy(struct row *row)
{
	struct lines l;
	struct why why;
	char *name;

	if (lines_open(&l, row->results, "policy", &why)) {
		/* The unpatched kernel has nothing to read back. */
		if (row->patched)
			row_reject(row, "%s", why.text);
		goto out;
	}
	name = lines_next(&l);
	name = name ? trim(name) : "";
	if (row->patched ? strcmp(name, row->policy)
			 : *name && strcmp(name, "unpatched"))
		row_reject(row, "policy read back is '%s', asked '%s'",
			   name, row->policy);
	else if (row->patched)
		json_object_set_new(row->metrics, "policy_readback",
				    json_string(name));
out:
	lines_close(&l);
}

static void check_limit(struct row *row, const json_t *sysctls,
			const char *name, const char *asked_as)
{
	const char *seen = json_string_value(json_object_get(sysctls, name));
	json_int_t asked, got;

	if (!row_env_count(row, asked_as, &asked))
		return;
	if (!seen || !count_parse(seen, &got))
		row_reject(row, "sysctls: no %s was read back", name);
	else if (got != asked)
		row_reject(row, "%s read back is %lld, asked %lld", name,
			   (long long)got, (long long)asked);
}

void settings_add(struct row *row)
{
	json_t *sysctls;
	struct why why;

	add_policy(row);
	sysctls = pairs_read_sysctl(row->results, "sysctls", &why);
	if (!sysctls) {
		row_reject(row, "%s", why.text);
		return;
	}
	check_limit(row, sysctls, "vm.dirty_bytes", "FWP_DIRTY_BYTES");
	check_limit(row, sysctls, "vm.dirty_background_bytes",
		    "FWP_DIRTY_BG_BYTES");
	json_decref(sysctls);
}
