// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

/*
 * The latency log of the unscaled workload, 1.2 million writes, is 40 MB.
 * Anything beyond this is not a result.
 */
#define FILE_MAX_MIB 256

static volatile sig_atomic_t tmp_live;
static int tmp_dir;
static char tmp_name[256];

static void remove_tmp(int sig)
{
	if (tmp_live)
		unlinkat(tmp_dir, tmp_name, 0);
	raise(sig);
}

static void remove_tmp_on_signals(void)
{
	/* RESETHAND: raise() in the handler then ends us by that signal. */
	struct sigaction sa = {
		.sa_handler = remove_tmp,
		.sa_flags = SA_RESETHAND,
	};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
}

int dir_open(int at, const char *path, struct why *why)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return fail(why, "cannot open directory %s: %s", path,
			    strerror(errno));
	return fd;
}

static char *read_all(int fd, const char *name, size_t *len, struct why *why)
{
	const size_t max = (size_t)FILE_MAX_MIB << 20;
	size_t room = 64 << 10, have = 0;
	char *buf = malloc(room + 1);

	while (buf) {
		ssize_t n = read(fd, buf + have, room - have);
		char *bigger;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fail(why, "cannot read %s: %s", name, strerror(errno));
			free(buf);
			return NULL;
		}
		have += n;
		if (have > max) {
			fail(why, "%s is larger than %d MiB, not a result",
			     name, FILE_MAX_MIB);
			free(buf);
			return NULL;
		}
		if (n == 0) {
			buf[have] = '\0';
			*len = have;
			return buf;
		}
		if (have < room)
			continue;
		room *= 2;
		bigger = realloc(buf, room + 1);
		if (!bigger)
			free(buf);
		buf = bigger;
	}
	fail(why, "no memory to read %s", name);
	return NULL;
}

char *file_read(int dir, const char *name, size_t *len, struct why *why)
{
	/* NONBLOCK: a fifo in place of a result must not hang us. */
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *buf;

	if (fd < 0) {
		if (errno == ENOENT)
			fail(why, "%s is missing", name);
		else
			fail(why, "cannot open %s: %s", name, strerror(errno));
		return NULL;
	}
	buf = read_all(fd, name, len, why);
	close(fd);
	return buf;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= n;
	}
	/* Without it a crash could leave the new name on an empty file. */
	return fsync(fd);
}

int file_write(int dir, const char *name, const char *data, size_t len,
	       struct why *why)
{
	int fd, err;

	if (snprintf(tmp_name, sizeof(tmp_name), "%s.tmp", name) >=
	    (int)sizeof(tmp_name))
		return fail(why, "file name %s is too long", name);
	tmp_dir = dir;
	remove_tmp_on_signals();
	tmp_live = 1;
	fd = openat(dir, tmp_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0666);
	err = fd < 0 || write_all(fd, data, len) ? errno : 0;
	if (fd >= 0 && close(fd) && !err)
		err = errno;
	if (!err && renameat(dir, tmp_name, dir, name))
		err = errno;
	if (err)
		unlinkat(dir, tmp_name, 0);
	tmp_live = 0;
	if (err)
		return fail(why, "cannot write %s: %s", name, strerror(err));
	return 0;
}

json_t *json_file_read(int dir, const char *name, struct why *why)
{
	json_error_t err;
	json_t *json;
	size_t len;
	char *buf = file_read(dir, name, &len, why);

	if (!buf)
		return NULL;
	json = json_loadb(buf, len, JSON_REJECT_DUPLICATES, &err);
	free(buf);
	if (!json) {
		fail(why, "%s is not whole or not JSON: line %d: %s", name,
		     err.line, err.text);
		return NULL;
	}
	if (!json_is_object(json)) {
		fail(why, "%s is not a JSON object", name);
		json_decref(json);
		return NULL;
	}
	return json;
}

int json_file_write(int dir, const char *name, const json_t *json,
		    struct why *why)
{
	char *text = json_dumps(json, JSON_INDENT(2) | JSON_SORT_KEYS |
				JSON_REAL_PRECISION(REAL_DIGITS));
	size_t len;
	int ret;

	if (!text)
		return fail(why, "cannot make the text of %s", name);
	len = strlen(text);
	text[len++] = '\n';	/* in place of the NUL */
	ret = file_write(dir, name, text, len, why);
	free(text);
	return ret;
}
