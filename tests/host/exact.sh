#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# In virtual time two runs of a comparison give the same figures to the last
# digit and the same bytes from the guest, and a run that is cut short is taken
# up again. Another seed gives other figures. At a small scale, so that it takes
# about a minute a run.
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

tmp=$(mktemp -d "$build/exact.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
report=$build/report/fwp-report

compare()
{
	RESULTS=$tmp/$1 MODE=virtual SCALE=256 SEED=1 POLICY=none,split \
		"$top/bench/compare.sh" >"$tmp/$1.out" 2>&1 || {
		tail -n 1 "$tmp/$1.out"
		return 1
	}
}

rows_are_valid()
{
	for row in none split; do
		grep -q '"valid": true' "$tmp/$1/latest/rows/$row/row.json" || {
			echo "row $row is INVALID: $(grep -A 1 invalid_because "$tmp/$1/latest/rows/$row/row.json" | tail -n 1)"
			return 1
		}
	done
}

streams_are_the_same()
{
	for row in none split; do
		cmp "$tmp/a/latest/rows/$row/stream" "$tmp/b/latest/rows/$row/stream" ||
			return 1
	done
}

# Ended by its pid as soon as the first row is there; nothing of the row that
# was cut may remain, nor a QEMU.
interrupt()
{
	RESULTS=$tmp/c MODE=virtual SCALE=256 SEED=1 POLICY=none,split JOBS=1 \
		"$top/bench/compare.sh" >"$tmp/c.out" 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		[ ! -e "$tmp/c/latest/rows/none/row.json" ] || break
		sleep 0.5
	done
	sleep 3
	kill "$pid"
	rc=0
	wait "$pid" || rc=$?
	[ "$rc" = 130 ] || { echo "status $rc, expected 130: $(tail -n 1 "$tmp/c.out")"; return 1; }
	[ ! -e "$tmp/c/latest/table.txt" ] || { echo 'a cut run has a table'; return 1; }
	[ ! -e "$tmp/c/latest/rows/split" ] || { echo 'half a row remains'; return 1; }
	if pgrep -f "$tmp/c" >/dev/null; then
		echo 'a process remains'
		return 1
	fi
}

resume()
{
	before=$(stat -c %Y "$tmp/c/latest/rows/none/row.json")
	run=$(readlink "$tmp/c/latest")
	RESULTS=$tmp/c MODE=virtual SCALE=256 SEED=1 POLICY=none,split JOBS=1 \
		"$top/bench/compare.sh" >"$tmp/c.out" 2>&1 || return 1
	[ "$(readlink "$tmp/c/latest")" = "$run" ] || { echo 'it began another run'; return 1; }
	[ "$(stat -c %Y "$tmp/c/latest/rows/none/row.json")" = "$before" ] ||
		{ echo 'it repeated a row that was there'; return 1; }
	cmp "$tmp/a/latest/figures.json" "$tmp/c/latest/figures.json"
}

# Of the first of two seeds the figures are those of that seed alone; of the other
# seed they are not.
seeds()
{
	RESULTS=$tmp/d MODE=virtual SCALE=256 SEED=1 POLICY=none SEEDS=2 \
		"$top/bench/compare.sh" >"$tmp/d.out" 2>&1 || {
		tail -n 1 "$tmp/d.out"
		return 1
	}
	cmp "$tmp/a/latest/rows/none/stream" "$tmp/d/latest/rows/none/stream" ||
		return 1
	if cmp -s "$tmp/d/latest/rows/none/results/write_clat.log" \
		"$tmp/d/latest/repeats/2/none/results/write_clat.log"; then
		echo 'another seed did the same work'
		return 1
	fi
	grep -q '^  none  *2 ' "$tmp/d/latest/table.txt" ||
		{ echo 'the table has no spread'; return 1; }
}

check 'a comparison runs' compare a
check 'its rows are valid' rows_are_valid a
check 'and runs again' compare b
check 'the same bytes from the guests' streams_are_the_same
check 'the same figures' "$report" cmp "$tmp/a/latest" "$tmp/b/latest"
check 'an interrupted run leaves nothing half' interrupt
check 'it is taken up again, with the same figures' resume
check 'another seed is other work' seeds

# write_size RUN: a workload that hands over figures of its own, under the policy
# with the most to do.
write_size()
{
	WORKLOAD=write-size RESULTS=$tmp/$1 MODE=virtual SCALE=256 SEED=1 POLICY=split \
		"$top/bench/compare.sh" >"$tmp/$1.out" 2>&1 || {
		grep INVALID "$tmp/$1.out" || tail -n 1 "$tmp/$1.out"
		return 1
	}
}

check 'another workload runs' write_size e
check 'and runs again' write_size f
check 'the same bytes from its guest' cmp \
	"$tmp/e/latest/rows/split/stream" "$tmp/f/latest/rows/split/stream"
summary
