/* SPDX-License-Identifier: GPL-2.0 */
/* The reason of a failure, carried up to whoever decides what it means. */
#ifndef FWP_WHY_H
#define FWP_WHY_H

struct why {
	char text[512];
};

/**
 * fail - keep the reason of a failure
 * @why: where to keep it; a reason that is too long is cut
 * @fmt: printf format, one line, without a newline. Name files without their
 *	 directory: reasons end up in results, which must not depend on where
 *	 a run was stored.
 *
 * Return: always -1, so that callers can `return fail(...)`.
 */
int fail(struct why *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
