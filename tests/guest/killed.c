// SPDX-License-Identifier: GPL-2.0
/*
 * killed check SEED BOOT POLICY DIR JOURNAL
 * killed write SEED BOOT POLICY DIR JOURNAL
 * killed lie   SEED BOOT POLICY DIR JOURNAL
 *
 * What the files in DIR must have after the machine was killed, any number of
 * times, while "write" wrote to them. Each of their words says where it belongs
 * and which write it is of. JOURNAL is another disk, to which is written, past all
 * caches, what an fsync that returned has made durable, and, before a range is
 * punched or cut off, that it will be.
 *
 * check: every word that was fsynced has that data, or what a later write gave the
 * same word; none has data of another place, or data that nobody wrote; what reads
 * as zeroes was never fsynced, or was punched since.
 * write: random writes, fsyncs, punches, truncates and reads, until it is killed.
 * lie: the same without the fsyncs, which the journal gets all the same: check
 * must notice.
 */
#include <endian.h>
#include <err.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kit.h"

#define UNIT		512		/* what is written: so many of these */
#define WORDS		(UNIT / 8)
#define FILES		3
#define UNITS		8192		/* of a file of 4 MiB */
#define PAGE_UNITS	8
#define BOOT_WRITES	1000000		/* more than any boot does */
#define MAGIC		0x4b494c4cu

enum kind { WRITE, PUNCH };

/* A write or punch: @gen says when, from 1 on. */
struct op {
	uint32_t gen;
	uint16_t unit;
	uint16_t nr_kind;		/* number of units, times two, plus kind */
};

enum record_type { SYNCED = 1, WILL_PUNCH };

#define RECORD_OPS	60

/* A sector of the journal, which a disk writes whole or not at all. */
struct record {
	uint32_t magic, nr;
	uint16_t type, file;
	uint32_t count;
	struct op op[RECORD_OPS];
	uint32_t rest[4];
} __attribute__((aligned(UNIT)));

_Static_assert(sizeof(struct record) == UNIT, "a sector");

/* What is known of a unit. */
static struct known {
	uint32_t gen;			/* durable: this write or punch */
	uint32_t punch;			/* last punch that may have been done */
	bool zero;			/* @gen was a punch */
} known[FILES][UNITS];

static struct op pending[FILES][RECORD_OPS];
static unsigned int nr_pending[FILES];
static int fd[FILES], journal;
static uint32_t nr_records, gen;
static uint64_t rng;
static bool lies;

static unsigned int below(unsigned int n)
{
	return (kit_random(&rng) >> 16) % n;
}

/* A line for the host. */
static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	char line[512];
	va_list args;
	int len, kmsg;

	va_start(args, fmt);
	len = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	kmsg = open("/dev/kmsg", O_WRONLY);
	if (kmsg < 0 || write(kmsg, line, len) != len)
		err(1, "/dev/kmsg");
	close(kmsg);
}

/* --- words --------------------------------------------------------------- */

static uint32_t place_of(int file, unsigned int unit, unsigned int word)
{
	return 0xa4000000u | (uint32_t)file << 20 | unit * WORDS | word;
}

/* One wrong bit in the number of the write makes the place wrong, too. */
static uint32_t scrambled(uint32_t place, uint32_t by_write)
{
	return place ^ by_write * 0x9e3779b1u;
}

static uint64_t word_of(uint32_t place, uint32_t by_write)
{
	return (uint64_t)by_write << 32 | scrambled(place, by_write);
}

/* --- the journal --------------------------------------------------------- */

static void append(enum record_type type, int file, const struct op *op,
		   unsigned int count)
{
	struct record r = {
		.magic = MAGIC, .nr = nr_records, .type = type, .file = file,
		.count = count,
	};

	memcpy(r.op, op, count * sizeof(*op));
	if (pwrite(journal, &r, UNIT, (off_t)nr_records * UNIT) != UNIT)
		err(1, "journal");
	nr_records++;
}

static void learn(const struct record *r, const struct op *op)
{
	for (unsigned int i = op->unit; i < op->unit + op->nr_kind / 2u; i++) {
		struct known *k = &known[r->file][i];

		if (r->type == WILL_PUNCH) {
			k->punch = op->gen;
		} else {
			k->gen = op->gen;
			k->zero = op->nr_kind % 2 == PUNCH;
		}
	}
}

static void read_journal(void)
{
	struct record r;

	while (pread(journal, &r, UNIT, (off_t)nr_records * UNIT) == UNIT &&
	       r.magic == MAGIC && r.nr == nr_records) {
		for (unsigned int i = 0; i < r.count; i++)
			learn(&r, &r.op[i]);
		nr_records++;
	}
}

/* --- check --------------------------------------------------------------- */

/* A unit that was on its way to the disk may be of two writes: look at words. */
static const char *wrong_with(uint64_t word, const struct known *k,
			      uint32_t place)
{
	static char why[160];
	uint32_t by = word >> 32, at = scrambled(word, by);

	if (!word) {
		if (!k->gen || k->zero || k->punch > k->gen)
			return NULL;
		snprintf(why, sizeof(why), "zeroes");
	} else if (at >> 22 != place >> 22) {
		snprintf(why, sizeof(why), "data that nobody wrote (%016llx)",
			 (unsigned long long)word);
	} else if (at != place) {
		snprintf(why, sizeof(why), "data of file %u byte %u, write %u",
			 at >> 20 & 3, (at & 0xfffff) * 8, by);
	} else if (by < k->gen) {
		snprintf(why, sizeof(why), "stale data of write %u", by);
	} else {
		return NULL;
	}
	return why;
}

static int check(uint32_t boot)
{
	static uint64_t words[UNITS * WORDS];
	long wrong = 0, durable = 0, later = 0, some = 0;
	char first[256] = "";
	int some_file = 0;

	for (int f = 0; f < FILES; f++) {
		ssize_t n = pread(fd[f], words, sizeof(words), 0);

		if (n < 0)
			err(1, "read of file %d", f);
		memset((char *)words + n, 0, sizeof(words) - n);
		for (long i = 0; i < UNITS * WORDS; i++) {
			const struct known *k = &known[f][i / WORDS];
			const char *why = wrong_with(words[i], k,
						     place_of(f, 0, 0) + i);

			later += words[i] >> 32 > k->gen;
			if (why && !wrong++)
				snprintf(first, sizeof(first),
					 "file %d byte %ld: %s; fsynced was %s %u",
					 f, i * 8, why,
					 k->zero ? "punch" : "write", k->gen);
			/* Any one of these will do, for the host to spoil. */
			if (k->gen && words[i] >> 32 == k->gen &&
			    !below(++durable)) {
				some_file = f;
				some = i;
			}
		}
	}
	if (wrong)
		say("kills: wrong in boot %u: %ld words, the first is %s\n",
		    boot, wrong, first);
	else
		say("kills: right in boot %u: %ld durable words, %ld later ones, %u records\n",
		    boot, durable, later, nr_records);
	if (durable)
		say("kills: durable is file %d byte %ld: %016llx\n", some_file,
		    some * 8, (unsigned long long)
		    htobe64(word_of(place_of(some_file, 0, 0) + some,
				    known[some_file][some / WORDS].gen)));
	return wrong != 0;
}

/* --- write --------------------------------------------------------------- */

static void sync_file(int f)
{
	if (!lies && (below(2) ? fsync(fd[f]) : fdatasync(fd[f])))
		err(1, "fsync");
	if (nr_pending[f])
		append(SYNCED, f, pending[f], nr_pending[f]);
	nr_pending[f] = 0;
}

static void note(int f, enum kind kind, unsigned int first, unsigned int nr)
{
	pending[f][nr_pending[f]++] = (struct op){ gen, first, nr * 2 + kind };
	if (nr_pending[f] == RECORD_OPS)
		sync_file(f);
}

static void write_units(int f, unsigned int first, unsigned int nr)
{
	static uint64_t buf[512 * WORDS];
	ssize_t len = (ssize_t)nr * UNIT;

	gen++;
	for (unsigned int i = 0; i < nr * WORDS; i++)
		buf[i] = word_of(place_of(f, first, 0) + i, gen);
	if (pwrite(fd[f], buf, len, (off_t)first * UNIT) != len)
		err(1, "write");
	note(f, WRITE, first, nr);
}

/* The journal has it before it is done: without an fsync, it may be found or not. */
static void will_punch(int f, unsigned int first, unsigned int nr)
{
	struct op op = { ++gen, first, nr * 2 + PUNCH };

	append(WILL_PUNCH, f, &op, 1);
}

static void punch(int f, unsigned int first, unsigned int nr)
{
	will_punch(f, first, nr);
	if (fallocate(fd[f], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      (off_t)first * UNIT, (off_t)nr * UNIT))
		err(1, "punch");
	note(f, PUNCH, first, nr);
}

static void cut(int f, unsigned int first)
{
	will_punch(f, first, UNITS - first);
	if (ftruncate(fd[f], (off_t)first * UNIT) ||
	    ftruncate(fd[f], (off_t)UNITS * UNIT))
		err(1, "truncate");
	note(f, PUNCH, first, UNITS - first);
}

/* Large clean folios, for a policy to find. */
static void reread(int f)
{
	static char buf[KIT_MIB];

	sync_file(f);
	posix_fadvise(fd[f], 0, 0, POSIX_FADV_DONTNEED);
	for (off_t at = 0; at < (off_t)UNITS * UNIT; at += sizeof(buf))
		if (pread(fd[f], buf, sizeof(buf), at) < 0)
			err(1, "read");
}

static void step(void)
{
	unsigned int first = below(UNITS), nr;
	int f = below(FILES);

	switch (below(100)) {
	case 0 ... 44:		/* a page */
		write_units(f, first & -PAGE_UNITS, PAGE_UNITS);
		break;
	case 45 ... 74:		/* less, or across two pages */
		nr = 1 + below(PAGE_UNITS);
		write_units(f, first < UNITS - nr ? first : 0, nr);
		break;
	case 75 ... 77:
		nr = 64 + below(448);
		write_units(f, first < UNITS - nr ? first : 0, nr);
		break;
	case 78 ... 87:
		sync_file(f);
		break;
	case 88 ... 90:
		nr = 1 + below(128);
		punch(f, first < UNITS - nr ? first : 0, nr);
		break;
	case 91:
		cut(f, UNITS / 2 + first / 2);
		break;
	case 92 ... 95:
		reread(f);
		break;
	default:
		if (sync_file_range(fd[f], 0, 0, SYNC_FILE_RANGE_WRITE))
			err(1, "sync_file_range");
	}
}

/* It ends with the guest. */
static void write_on(const char *policy)
{
	char path[128], acted[32];

	snprintf(path, sizeof(path), "/sys/kernel/mm/" POLICY "/%s/acted", policy);
	for (int f = 0; f < FILES; f++)
		reread(f);
	for (long i = 1;; i++) {
		step();
		if (i % 50 != 1)
			continue;
		if (kit_get(path, acted, sizeof(acted)) <= 0)
			errx(1, "cannot read %s", path);
		say("kills: %ld operations, acted %s.\n", i, acted);
	}
}

int main(int argc, char **argv)
{
	uint32_t boot;
	char path[256];

	if (argc != 7)
		errx(2, "usage: killed check|write|lie SEED BOOT POLICY DIR JOURNAL");
	lies = !strcmp(argv[1], "lie");
	boot = strtoul(argv[3], NULL, 10);
	rng = (strtoull(argv[2], NULL, 10) * 1009 + boot) * 0x9e3779b97f4a7c15;
	gen = boot * BOOT_WRITES;
	journal = open(argv[6], O_RDWR | O_DIRECT | O_DSYNC);
	if (journal < 0)
		err(1, "%s", argv[6]);
	for (int f = 0; f < FILES; f++) {
		snprintf(path, sizeof(path), "%s/file%d", argv[5], f);
		fd[f] = open(path, O_RDWR | O_CREAT, 0600);
		if (fd[f] < 0)
			err(1, "%s", path);
	}
	read_journal();
	if (!strcmp(argv[1], "check"))
		return check(boot);
	write_on(argv[4]);
}
