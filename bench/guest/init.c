// SPDX-License-Identifier: GPL-2.0
/*
 * Process 1 of a bench guest: run /row/run, then hand its results to the host.
 *
 * The row is a directory of the initramfs, /row. Its environment is /row/env
 * (key=value lines), its work is /row/run, and what it leaves in /results is
 * sent over the second serial port as
 *
 *	FWP1 rc=<exit status> bytes=<n> sha256=<of the n bytes>\n
 *	<n bytes: a gzipped tar of results/>
 *
 * The host takes a stream that does not match its own header for torn, so a
 * guest that dies half-way cannot be taken for one that succeeded.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define CONSOLE		"/dev/console"
#define STREAM		"/dev/ttyS1"
#define PAYLOAD		"/run/results.tgz"
#define SHA256_LEN	64
#define RC_NO_RUN	127

static const struct {
	const char *type;
	const char *dir;
} mounts[] = {
	{ "proc",	"/proc" },
	{ "sysfs",	"/sys" },
	{ "devtmpfs",	"/dev" },
	{ "tmpfs",	"/tmp" },
	{ "tmpfs",	"/run" },
	{ "tmpfs",	"/results" },
	{ "configfs",	"/sys/kernel/config" },
	{ "debugfs",	"/sys/kernel/debug" },
	{ "tracefs",	"/sys/kernel/tracing" },
	{ "cgroup2",	"/sys/fs/cgroup" },
};

/* A kernel built without one of these is no error: the row knows its needs. */
static void mount_all(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].dir, 0755);
		if (mount(mounts[i].type, mounts[i].dir, mounts[i].type, 0,
			  NULL) && errno != ENODEV && errno != ENOENT)
			warn("guest: mount %s on %s", mounts[i].type,
			     mounts[i].dir);
	}
}

/*
 * Lines for the host go through the kernel's log: what is written to the console
 * itself may be cut in two by a kernel message.
 */
static void say(const char *line)
{
	int fd = open("/dev/kmsg", O_WRONLY);
	ssize_t len = strlen(line);

	/* One write is one line: stdio would seek first, which kmsg refuses. */
	if (fd < 0 || write(fd, line, len) != len)
		warn("guest: /dev/kmsg");
	if (fd >= 0)
		close(fd);
}

/* The kernel opened its own console before there was a devtmpfs. */
static void open_console(void)
{
	int fd = open(CONSOLE, O_RDWR | O_NOCTTY);

	if (fd < 0)
		return;
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static void load_env(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (!f)
		return;
	while ((len = getline(&line, &size, f)) > 0) {
		char *value = strchr(line, '=');

		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (line[0] == '#' || !value)
			continue;
		*value++ = '\0';
		setenv(line, value, 1);
	}
	free(line);
	fclose(f);
}

static int exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

/*
 * Run argv[0] in @dir and wait for it, reaping on the way whatever else
 * process 1 inherits. Returns the exit status, 128 + signal, or 127.
 */
static int run(const char *dir, char *const argv[])
{
	pid_t child = fork(), pid;
	int status;

	if (child < 0) {
		warn("guest: fork");
		return RC_NO_RUN;
	}
	if (!child) {
		setsid();
		if (chdir(dir))
			err(RC_NO_RUN, "guest: %s", dir);
		execv(argv[0], argv);
		err(RC_NO_RUN, "guest: %s", argv[0]);
	}
	do {
		pid = wait(&status);
	} while (pid != child);
	return exit_code(status);
}

/* What the row left running must not write into /results any more. */
static void end_stragglers(void)
{
	kill(-1, SIGKILL);
	while (wait(NULL) > 0)
		;
}

static int open_stream(void)
{
	int fd = open(STREAM, O_WRONLY | O_NOCTTY);
	struct termios t;

	if (fd < 0 || tcgetattr(fd, &t))
		return -1;
	cfmakeraw(&t);
	cfsetspeed(&t, B115200);
	return tcsetattr(fd, TCSANOW, &t) ? -1 : fd;
}

static int write_all(int fd, const char *buf, size_t len)
{
	while (len) {
		ssize_t n = write(fd, buf, len);

		if (n < 0)
			return -1;
		buf += n;
		len -= n;
	}
	return 0;
}

static int sha256(const char *path, char hex[SHA256_LEN + 1])
{
	char cmd[128];
	FILE *p;
	int n;

	snprintf(cmd, sizeof(cmd), "exec sha256sum %s", path);
	p = popen(cmd, "r");
	if (!p)
		return -1;
	n = fscanf(p, "%64[0-9a-f]", hex);
	return pclose(p) || n != 1 || strlen(hex) != SHA256_LEN ? -1 : 0;
}

/* Send /results and @rc. On failure the host sees a torn stream. */
static int send_results(int rc)
{
	char *const tar[] = { "/bin/tar", "-czf", PAYLOAD, "results", NULL };
	char hex[SHA256_LEN + 1], buf[4096];
	struct stat st;
	ssize_t n;
	int in, out;

	if (run("/", tar) || sha256(PAYLOAD, hex))
		return -1;
	in = open(PAYLOAD, O_RDONLY);
	out = open_stream();
	if (in < 0 || out < 0 || fstat(in, &st))
		return -1;
	n = snprintf(buf, sizeof(buf), "FWP1 rc=%d bytes=%lld sha256=%s\n", rc,
		     (long long)st.st_size, hex);
	do {
		if (write_all(out, buf, n))
			return -1;
		n = read(in, buf, sizeof(buf));
	} while (n > 0);
	return n < 0 || tcdrain(out) ? -1 : 0;
}

int main(void)
{
	struct rlimit files = { 65536, 65536 };
	char *const row[] = { "/row/run", NULL };
	char done[64];
	int rc;

	mount_all();
	open_console();
	say("guest: init up\n");
	setrlimit(RLIMIT_NOFILE, &files);
	setenv("PATH", "/bin:/sbin", 1);
	setenv("HOME", "/tmp", 1);
	load_env("/row/env");
	rc = run("/row", row);
	end_stragglers();
	if (send_results(rc))
		warn("guest: cannot send the results");
	snprintf(done, sizeof(done), "guest: done rc=%d\n", rc);
	say(done);
	tcdrain(STDOUT_FILENO);
	/* QEMU ends at a reset (-no-reboot), and a reset needs no ACPI. */
	reboot(RB_AUTOBOOT);
	return 1;
}
