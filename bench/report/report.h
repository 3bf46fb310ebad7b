/* SPDX-License-Identifier: GPL-2.0 */
/* The report of a run: mail, CSV, pictures and a page. */
#ifndef FWP_REPORT_H
#define FWP_REPORT_H

/**
 * report_make - make the report of a run
 * @run: path of a RUNDIR that has a table
 * @out: path of an empty directory that it goes to
 *
 * Writes mail.txt, figures.csv, NAME.gp, NAME.svg and NAME.png of each
 * picture, and index.html.
 *
 * Return: the exit status: 0 well, 1 well but a row is INVALID, 2 the report is
 * not whole.
 */
int report_make(const char *run, const char *out);

#endif
