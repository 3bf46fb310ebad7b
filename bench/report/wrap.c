// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "wrap.h"

void wrap(FILE *out, const char *first, int indent, const char *text)
{
	int col = fprintf(out, "%-*s", indent, first);

	while (*(text += strspn(text, " "))) {
		int len = strcspn(text, " ");

		if (len > TABLE_WIDTH - indent)
			len = TABLE_WIDTH - indent;
		if (col > indent && col + 1 + len > TABLE_WIDTH) {
			fputc('\n', out);
			col = fprintf(out, "%*s", indent, "");
		} else if (col > indent) {
			col += fprintf(out, " ");
		}
		col += fprintf(out, "%.*s", len, text);
		text += len;
	}
	fputc('\n', out);
}
