// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <liburing.h>
#include <string.h>

#include "uring.h"

static struct io_uring *thread_ring(void)
{
	static _Thread_local struct io_uring ring;
	static _Thread_local bool ready;
	int ret;

	if (ready)
		return &ring;
	ret = io_uring_queue_init(URING_PARTS, &ring, 0);
	if (ret)
		errx(1, "io_uring: %s", strerror(-ret));
	ready = true;
	return &ring;
}

void uring_run(int fd, bool write, bool async, struct uring_part *part, int n)
{
	struct io_uring *ring = thread_ring();
	struct io_uring_cqe *cqe;
	int ret;

	for (int i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

		if (write)
			io_uring_prep_write(sqe, fd, part[i].buf, part[i].len,
					    part[i].pos);
		else
			io_uring_prep_read(sqe, fd, part[i].buf, part[i].len,
					   part[i].pos);
		io_uring_sqe_set_data(sqe, &part[i]);
		if (async)
			io_uring_sqe_set_flags(sqe, IOSQE_ASYNC);
	}
	ret = io_uring_submit(ring);
	if (ret != n)
		errx(1, "io_uring: %d of %d submitted", ret, n);
	for (int i = 0; i < n; i++) {
		ret = io_uring_wait_cqe(ring, &cqe);
		if (ret)
			errx(1, "io_uring: %s", strerror(-ret));
		((struct uring_part *)io_uring_cqe_get_data(cqe))->result =
			cqe->res;
		io_uring_cqe_seen(ring, cqe);
	}
}
