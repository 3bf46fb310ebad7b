/* SPDX-License-Identifier: GPL-2.0 */
/* Reads or writes of a file that are asked for at once, by io_uring. */
#ifndef URING_H
#define URING_H

#include <stdbool.h>
#include <sys/types.h>

#define URING_PARTS	8

struct uring_part {
	void *buf;
	unsigned int len;
	off_t pos;
	int result;	/* bytes, or -errno */
};

/**
 * uring_run - submit the parts as one and wait for all of them
 * @fd: the file
 * @write: else read
 * @async: by a worker of the kernel, without a try in this task first
 * @part: what to do; gets the results
 * @n: how many, at most URING_PARTS
 *
 * Each thread has a ring of its own, from its first call on. Ends the process if
 * there is no io_uring.
 */
void uring_run(int fd, bool write, bool async, struct uring_part *part, int n);

#endif
