// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "conf.h"
#include "number.h"
#include "pairs.h"

static int take(const json_t *pairs, const char *name, struct conf *conf,
		struct why *why)
{
	const char *title = json_string_value(json_object_get(pairs, "title"));
	const char *rank = json_string_value(json_object_get(pairs, "rank"));
	const char *c;

	if (!title || !*title || strlen(title) > TITLE_MAX)
		return fail(why, "%s needs a title of 1 to %d characters",
			    name, TITLE_MAX);
	for (c = title; *c; c++)
		if (*c < ' ' || *c > '~')
			return fail(why, "%s: the title is not plain ASCII",
				    name);
	if (!rank || !count_parse(rank, &conf->rank))
		return fail(why, "%s needs a rank, a whole number", name);
	memcpy(conf->title, title, strlen(title) + 1);
	return 0;
}

int conf_read(int dir, const char *name, struct conf *conf, struct why *why)
{
	json_t *pairs = pairs_read_conf(dir, name, why);
	int ret;

	if (!pairs)
		return -1;
	ret = take(pairs, name, conf, why);
	json_decref(pairs);
	return ret;
}
