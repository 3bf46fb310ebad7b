// SPDX-License-Identifier: GPL-2.0
/* What fio says of the write phase. */
#include "file.h"
#include "latlog.h"
#include "number.h"
#include "row.h"

static void add_asked(struct row *row)
{
	json_int_t jobs, rate, asked;

	if (!row_env_count(row, "FWP_JOBS", &jobs) ||
	    !row_env_count(row, "FWP_RATE", &rate))
		return;
	if (__builtin_mul_overflow(jobs, rate, &asked))
		row_reject(row, "env: FWP_JOBS * FWP_RATE is absurd");
	else
		row_set_count(row, "iops_asked", asked);
}

static void add_latlog(struct row *row, json_int_t writes, json_int_t max)
{
	struct latlog log;
	struct why why;

	if (latlog_read(row->results, &log, &why)) {
		row_reject(row, "%s", why.text);
		return;
	}
	if (log.writes != writes) {
		row_reject(row, "latency logs hold %lld writes, fio did %lld",
			   (long long)log.writes, (long long)writes);
		return;
	}
	if (log.max_ns != max) {
		row_reject(row, "latency logs end at %lld ns, fio saw %lld",
			   (long long)log.max_ns, (long long)max);
		return;
	}
	row_set_count(row, "lat_p99_ns", log.p99_ns);
	row_set_count(row, "lat_max_ns", max);
	row_set_count(row, "writes_slept", log.slept);
	if (row->in_virtual_time && log.writes > log.slept)
		row_set_real(row, "insns_per_write",
			     (double)log.awake_ns / (log.writes - log.slept));
}

static void add_write(struct row *row, const json_t *job)
{
	const json_t *wr = json_object_get(job, "write");
	const json_t *clat = json_object_get(wr, "clat_ns");
	json_int_t writes, bytes, ms, asked_s, max;
	double iops;

	if (!json_count(wr, "total_ios", &writes) ||
	    !json_count(wr, "io_bytes", &bytes) ||
	    !json_count(wr, "runtime", &ms) || !json_amount(wr, "iops", &iops)) {
		row_reject(row, "fio.json lacks a sound total_ios, io_bytes, runtime or iops of the writes");
		return;
	}
	if (!writes || bytes < PAGE_BYTES) {
		row_reject(row, "fio wrote nothing");
		return;
	}
	if (!json_count(clat, "max", &max)) {
		row_reject(row, "fio.json lacks a sound max of clat_ns of the writes");
		return;
	}
	/* A write may be under way at the end, so longer is well. */
	if (row_env_count(row, "FWP_RUNTIME", &asked_s) &&
	    ms / 990 < asked_s)
		row_reject(row, "fio wrote for %lld ms, asked %lld s",
			   (long long)ms, (long long)asked_s);
	row_set_real(row, "iops", iops);
	row_set_count(row, "pages_written_by_app", bytes / PAGE_BYTES);
	add_latlog(row, writes, max);
}

void fio_add(struct row *row)
{
	struct why why;
	json_int_t error;
	json_t *fio, *jobs, *job;

	add_asked(row);
	fio = json_file_read(row->results, "fio.json", &why);
	if (!fio) {
		row_reject(row, "%s", why.text);
		return;
	}
	/* group_reporting makes one entry of all writers. */
	jobs = json_object_get(fio, "jobs");
	job = json_array_get(jobs, 0);
	if (json_array_size(jobs) != 1)
		row_reject(row, "fio.json has %zu jobs, not one group",
			   json_array_size(jobs));
	else if (!json_count(job, "error", &error))
		row_reject(row, "fio.json lacks the job's error");
	else if (error)
		row_reject(row, "fio failed with error %lld",
			   (long long)error);
	else
		add_write(row, job);
	json_decref(fio);
}
