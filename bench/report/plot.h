/* SPDX-License-Identifier: GPL-2.0 */
/* One picture: a gnuplot script with its data in it, run. */
#ifndef FWP_PLOT_H
#define FWP_PLOT_H

#include <stddef.h>
#include <stdio.h>

#include "why.h"

/* Dash and point, too, tell lines apart: colours do not print. */
#define PLOT_STYLES 8

/**
 * struct plot - a picture
 * @name: NAME.gp, NAME.svg and NAME.png are its files
 * @caption: what it shows, plain ASCII
 * @text: the script while it is written
 * @len: its length
 * @f: where to write the script, up to and with its plot command
 */
struct plot {
	char *name;
	char *caption;
	char *text;
	size_t len;
	FILE *f;
};

/**
 * struct plots - all pictures of a report
 * @dir: where they go, an open directory
 * @all: those that are made
 * @nr: how many
 */
struct plots {
	int dir;
	struct plot *all;
	size_t nr;
};

/**
 * plot_begin - begin a picture
 * @plots: the pictures
 * @width: in pixels of the SVG
 * @height: in pixels of the SVG
 * @name: its name
 * @caption: printf format of what it shows
 *
 * Return: the picture, valid until the next is begun.
 */
struct plot *plot_begin(struct plots *plots, int width, int height,
			const char *name, const char *caption, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * plot_string - write a string of gnuplot's
 * @f: where to
 * @text: plain ASCII
 */
void plot_string(FILE *f, const char *text);

/**
 * plot_end - write the script of a picture and run gnuplot
 * @plots: the pictures
 * @plot: the picture
 * @why: the reason, on failure
 *
 * Return: 0, or -1.
 */
int plot_end(struct plots *plots, struct plot *plot, struct why *why);

/**
 * plots_free - free all pictures
 * @plots: them
 */
void plots_free(struct plots *plots);

#endif
