// SPDX-License-Identifier: GPL-2.0
/*
 * folios [FILE]: the sizes of the folios that the page cache holds, of all files
 * or of one, as JSON on stdout.
 *
 * folios:	{"max_bytes":..., "orders":{"0":n, ...}}
 * folios FILE:	{"file":..., "max_bytes":..., "resident_pages":...,
 *		 "orders":{...}, "runs":[[index, order], ...]}
 *
 * An index is a page number in the file. The kernel's own flags are read, no
 * event is counted: what is printed is what is there.
 */
#include <err.h>
#include <stdio.h>
#include <unistd.h>

#include "kpage.h"

struct tally {
	unsigned long orders[KPAGE_MAX_ORDER + 1];
	const char *sep;
};

static void count(unsigned int order, void *arg)
{
	((struct tally *)arg)->orders[order]++;
}

static void print_run(uint64_t index, unsigned int order, void *arg)
{
	struct tally *t = arg;

	printf("%s[%llu,%u]", t->sep, (unsigned long long)index, order);
	t->sep = ",";
	count(order, t);
}

static void print_orders(const struct tally *t)
{
	long page_size = sysconf(_SC_PAGESIZE);
	unsigned long long max = 0;
	const char *sep = "";

	printf("\"orders\":{");
	for (unsigned int i = 0; i <= KPAGE_MAX_ORDER; i++) {
		if (!t->orders[i])
			continue;
		printf("%s\"%u\":%lu", sep, i, t->orders[i]);
		max = (unsigned long long)page_size << i;
		sep = ",";
	}
	printf("},\"max_bytes\":%llu", max);
}

/* The names that the bench gives its files need no more than this. */
static void print_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('"');
}

int main(int argc, char **argv)
{
	struct tally t = { .sep = "" };
	size_t resident;
	int kpageflags;

	if (argc > 2)
		errx(2, "usage: folios [FILE]");
	kpageflags = kpage_open();
	putchar('{');
	if (argc == 2) {
		printf("\"file\":");
		print_string(argv[1]);
		printf(",\"runs\":[");
		resident = kpage_walk_file(kpageflags, argv[1], print_run, &t);
		printf("],\"resident_pages\":%zu,", resident);
	} else {
		kpage_walk_cache(kpageflags, count, &t);
	}
	print_orders(&t);
	puts("}");
	return fflush(stdout) || ferror(stdout);
}
