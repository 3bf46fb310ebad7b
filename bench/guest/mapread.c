// SPDX-License-Identifier: GPL-2.0
/*
 * mapread FILE: read a byte of every page of a mapped file, in order, and unmap
 * it; what that took, as JSON on stdout.
 *
 *	{"pages":n,"minor":n,"major":n,"faults_per_page":...,
 *	 "read_per_page":...,"again_per_page":...,"unmap_per_page":...}
 *
 * "read" is the first pass, which faults the pages in, "again" the second, which
 * does not, "unmap" the end of the mapping. Their unit is a tick of the time
 * stamp counter; see writecost for what that is.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <x86intrin.h>

#define PAGE	4096

static uint64_t ticks(void)
{
	uint64_t now;

	_mm_lfence();
	now = __rdtsc();
	_mm_lfence();
	return now;
}

static void read_pages(const volatile char *map, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		(void)map[i * PAGE];
}

int main(int argc, char **argv)
{
	struct rusage before, after;
	uint64_t at[5];
	struct stat st;
	size_t pages;
	char *map;
	int fd;

	if (argc != 2)
		errx(2, "usage: mapread FILE");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		err(1, "mapread: %s", argv[1]);
	pages = st.st_size / PAGE;
	if (!pages)
		errx(1, "mapread: %s has not even a page", argv[1]);
	map = mmap(NULL, pages * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		err(1, "mapread: %s", argv[1]);

	getrusage(RUSAGE_SELF, &before);
	at[0] = ticks();
	read_pages(map, pages);
	at[1] = ticks();
	getrusage(RUSAGE_SELF, &after);
	at[2] = ticks();
	read_pages(map, pages);
	at[3] = ticks();
	munmap(map, pages * PAGE);
	at[4] = ticks();

	after.ru_minflt -= before.ru_minflt;
	after.ru_majflt -= before.ru_majflt;
	printf("{\"pages\":%zu,\"minor\":%ld,\"major\":%ld,\"faults_per_page\":%.9f,"
	       "\"read_per_page\":%.9f,\"again_per_page\":%.9f,\"unmap_per_page\":%.9f}\n",
	       pages, after.ru_minflt, after.ru_majflt,
	       (double)(after.ru_minflt + after.ru_majflt) / pages,
	       (double)(at[1] - at[0]) / pages, (double)(at[3] - at[2]) / pages,
	       (double)(at[4] - at[3]) / pages);
	return fflush(stdout) || ferror(stdout);
}
