/* SPDX-License-Identifier: GPL-2.0 */
/* The faults that are injected. Each test is a function without arguments. */
#ifndef FAULTS_H
#define FAULTS_H

#include "policy.h"

#define DM_NAME		"faults"

/* The null_blk that the device-mapper's DM_NAME, which has the XFS, is all of. */
extern const char *backing;

/* fault_disk.c */
void io_error(void);
void shutdowns(void);
void no_space(void);

#endif
