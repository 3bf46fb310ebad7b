// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

bool count_parse(const char *text, json_int_t *out)
{
	char *end;
	long long n;

	/* strtoll() would take a sign and leading space. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno || *end)
		return false;
	*out = n;
	return true;
}

bool real_parse(const char *text, double *out)
{
	char *end;
	double d;

	/* strtod() would take spaces, "inf", "nan" and hexadecimal. */
	if (!*text || text[strspn(text, "0123456789.eE+-")])
		return false;
	d = strtod(text, &end);
	if (*end || !isfinite(d))
		return false;
	*out = d;
	return true;
}

bool count_add(json_int_t *sum, json_int_t n)
{
	json_int_t out;

	if (__builtin_add_overflow(*sum, n, &out))
		return false;
	*sum = out;
	return true;
}

bool json_count(const json_t *obj, const char *key, json_int_t *out)
{
	const json_t *v = json_object_get(obj, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return false;
	*out = json_integer_value(v);
	return true;
}

bool json_amount(const json_t *obj, const char *key, double *out)
{
	const json_t *v = json_object_get(obj, key);

	if (!json_is_number(v) || !(json_number_value(v) >= 0))
		return false;
	*out = json_number_value(v);
	return true;
}
