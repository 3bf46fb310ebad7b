// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "html.h"

void html_text(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
}

void html_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		const char letter[] = { *name, '\0' };

		html_text(out, letter);
		if (*name == '_' || *name == '.')
			fputs("<wbr>", out);
	}
}

void html_row(FILE *out, const char *head, const char *text)
{
	fputs("<tr><th scope=\"row\">", out);
	html_text(out, head);
	fputs("</th><td>", out);
	html_text(out, text);
	fputs("</td></tr>\n", out);
}

/*
 * gnuplot gives its symbols the same ids in every picture. In one page they must
 * differ, or all pictures would use the symbols of the first.
 */
static void print_with_ids(FILE *out, const char *svg, const char *name)
{
	static const char * const before[] = {
		" id='", " id=\"", "href='#", "href=\"#", "url(#",
	};
	const char *c;
	size_t i;

	for (c = svg; *c; c++) {
		for (i = 0; i < sizeof(before) / sizeof(*before); i++) {
			const size_t len = strlen(before[i]);

			if ((size_t)(c - svg) >= len &&
			    !memcmp(c - len, before[i], len))
				fprintf(out, "%s-", name);
		}
		fputc(*c, out);
	}
}

int html_svg(FILE *out, int dir, const char *name, struct why *why)
{
	char *file, *text, *svg = NULL;
	size_t len;

	if (asprintf(&file, "%s.svg", name) < 0)
		abort();
	text = file_read(dir, file, &len, why);
	if (text) {
		/* What is before it is for a file of its own. */
		svg = strstr(text, "<svg");
		if (svg && strstr(svg, "</svg>"))
			print_with_ids(out, svg, name);
		else
			svg = NULL;
		if (!svg)
			fail(why, "gnuplot left no whole picture in %s", file);
	}
	free(text);
	free(file);
	return svg ? 0 : -1;
}
