// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lines.h"

int lines_open(struct lines *l, int dir, const char *name, struct why *why)
{
	size_t len;

	l->name = name;
	l->number = 0;
	l->buf = file_read(dir, name, &len, why);
	l->next = l->buf;
	if (!l->buf)
		return -1;
	if (memchr(l->buf, '\0', len))
		return fail(why, "%s is not text", name);
	if (len && l->buf[len - 1] != '\n')
		return fail(why, "%s is torn: its last line has no end", name);
	return 0;
}

char *lines_next(struct lines *l)
{
	char *line = l->next;
	char *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*end = '\0';
	l->next = end + 1;
	l->number++;
	return line;
}

int lines_fail(const struct lines *l, struct why *why, const char *what)
{
	return fail(why, "%s: line %u: not %s", l->name, l->number, what);
}

void lines_close(struct lines *l)
{
	free(l->buf);
}

char *trim(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strlen(s);
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	s[len] = '\0';
	return s;
}
