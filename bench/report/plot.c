// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "plot.h"

#define GNUPLOT_ERRORS "gnuplot.err"

extern char **environ;

/* Okabe and Ito's colours, which the colour-blind can tell apart. */
static const char styles[] =
	"set style line 1 lc rgb '#000000' lw 2 dt 1 pt 7\n"
	"set style line 2 lc rgb '#0072b2' lw 2 dt 2 pt 5\n"
	"set style line 3 lc rgb '#d55e00' lw 2 dt 3 pt 9\n"
	"set style line 4 lc rgb '#009e73' lw 2 dt 4 pt 13\n"
	"set style line 5 lc rgb '#cc79a7' lw 2 dt 5 pt 6\n"
	"set style line 6 lc rgb '#56b4e9' lw 2 dt (12,4) pt 4\n"
	"set style line 7 lc rgb '#e69f00' lw 2 dt (2,2) pt 8\n"
	"set style line 8 lc rgb '#666666' lw 2 dt (16,4,2,4) pt 12\n";

struct plot *plot_begin(struct plots *plots, int width, int height,
			const char *name, const char *caption, ...)
{
	struct plot *p;
	va_list ap;
	int len;

	plots->all = reallocarray(plots->all, plots->nr + 1,
				  sizeof(*plots->all));
	if (!plots->all)
		abort();
	p = &plots->all[plots->nr++];
	*p = (struct plot){ .name = strdup(name) };
	va_start(ap, caption);
	len = vasprintf(&p->caption, caption, ap);
	va_end(ap);
	p->f = open_memstream(&p->text, &p->len);
	if (len < 0 || !p->f)
		abort();
	fprintf(p->f, "# SPDX-License-Identifier: GPL-2.0\n# %s\n", p->caption);
	fprintf(p->f, "# To make it again: gnuplot -d %s.gp\n", name);
	fprintf(p->f, "set terminal svg noenhanced size %d,%d dynamic font 'sans-serif,14' background '#ffffff' name '",
		width, height);
	/* The prefix of the ids in the SVG, which may have no other letters. */
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', p->f);
	name = p->name;
	fprintf(p->f, "'\nset output '%s.svg'\n%s", name, styles);
	fputs("set border 3 lc rgb '#333333'\nset tics nomirror\n"
	      "set grid lc rgb '#dddddd' lt 1\n"
	      "set key bmargin center horizontal Left reverse samplen 4 height 1\n",
	      p->f);
	/* The size of the PNG, for plot_end(). */
	fprintf(p->f, "png_size = '%d,%d'\n", 2 * width, 2 * height);
	return p;
}

void plot_string(FILE *f, const char *text)
{
	fputc('\'', f);
	for (; *text; text++)
		fprintf(f, *text == '\'' ? "''" : "%c",
			*text < ' ' || *text > '~' ? '?' : *text);
	fputc('\'', f);
}

/* Returns gnuplot's exit status, or -1. */
static int run_gnuplot(int dir, const char *script, struct why *why)
{
	posix_spawn_file_actions_t files;
	char *argv[] = { "gnuplot", "-d", (char *)script, NULL };
	int status, error;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addfchdir_np(&files, dir);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, GNUPLOT_ERRORS,
					 O_WRONLY | O_CREAT | O_TRUNC, 0666);
	error = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	if (error)
		return fail(why, "cannot run gnuplot: %s: install gnuplot-nox",
			    strerror(error));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(why, "lost gnuplot: %s", strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The line that says what was wrong, after those that show where. */
static void take_error(int dir, struct why *why, const char *script)
{
	struct why inner;
	size_t len;
	char *text = file_read(dir, GNUPLOT_ERRORS, &len, &inner);
	char *line = text, *last = "";

	while (line && *line) {
		char *end = strchrnul(line, '\n');

		if (*end)
			*end++ = '\0';
		if (*line)
			last = line;
		line = end;
	}
	fail(why, "gnuplot refused %s: %.300s", script, last);
	free(text);
}

int plot_end(struct plots *plots, struct plot *p, struct why *why)
{
	char *script;
	int ret;

	fprintf(p->f, "set terminal pngcairo noenhanced size @png_size font 'sans-serif,11' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'\n");
	fprintf(p->f, "set output '%s.png'\nreplot\n", p->name);
	fclose(p->f);
	p->f = NULL;
	if (asprintf(&script, "%s.gp", p->name) < 0)
		abort();
	ret = file_write(plots->dir, script, p->text, p->len, why);
	if (!ret) {
		ret = run_gnuplot(plots->dir, script, why);
		if (ret > 0)
			take_error(plots->dir, why, script);
		unlinkat(plots->dir, GNUPLOT_ERRORS, 0);
	}
	free(script);
	return ret ? -1 : 0;
}

void plots_free(struct plots *plots)
{
	size_t i;

	for (i = 0; i < plots->nr; i++) {
		if (plots->all[i].f)
			fclose(plots->all[i].f);
		free(plots->all[i].name);
		free(plots->all[i].caption);
		free(plots->all[i].text);
	}
	free(plots->all);
}
