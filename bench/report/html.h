/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of HTML. */
#ifndef FWP_HTML_H
#define FWP_HTML_H

#include <stdio.h>

#include "why.h"

/**
 * html_text - print text, for elements and attributes
 * @out: where to
 * @text: UTF-8
 */
void html_text(FILE *out, const char *text);

/**
 * html_name - print the name of a metric, so that a line may end within it
 * @out: where to
 * @name: the name
 */
void html_name(FILE *out, const char *name);

/**
 * html_row - print a row of a table of two columns
 * @out: where to
 * @head: its head
 * @text: its other cell
 */
void html_row(FILE *out, const char *head, const char *text);

/**
 * html_svg - put a picture of gnuplot's into the page
 * @out: where to
 * @dir: directory that NAME.svg is in
 * @name: its name
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int html_svg(FILE *out, int dir, const char *name, struct why *why);

#endif
