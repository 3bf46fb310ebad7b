/* SPDX-License-Identifier: GPL-2.0 */
/* Public reports about large folios, each as a test that holds for every policy. */
#ifndef REPORTS_H
#define REPORTS_H

#include "policy.h"

#define FOLIO_256K	(KIT_PAGE << ORDER_256K)

/* All policies, for a test that changes them; set before any test runs. */
extern char reports_policies[KIT_POLICIES][KIT_NAME];
extern int reports_nr_policies;

/* report_io.c: what is read ahead, what a write costs, what the device gets */
void b02_readahead_ramp(void);
void b03_write_amplification(void);
void b12_small_overwrite_cost(void);
void b14_min_order(void);
void b20_no_cost_elsewhere(void);

/* report_eof.c: the end of the file */
void b09_sigbus_past_eof(void);
void b10_eof_pollution(void);

/* report_charge.c: what is charged while policies change */
void b04_store_and_msync(void);
void b16_dontcache(void);

#endif
