#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs every suite and prints what failed, a line a suite, and last one line
# that counts all tests: "N passed, N failed". The suites' own output is kept in
# build/log/check-NAME.log.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"

all_passed=0
all_failed=0
mkdir -p "$build/log"

# suite NAME COMMAND...
suite()
{
	suite=$1
	log=$build/log/check-$suite.log
	shift
	began=$(date +%s)
	rc=0
	"$@" >"$log" 2>&1 || rc=$?
	[ "$rc" != 130 ] || exit 130
	counts=$(tail -n 1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed$') ||
		counts=
	if [ -z "$counts" ]; then
		# It ended before it could count.
		tail -n 5 "$log"
		counts='0 passed, 1 failed'
	fi
	n_passed=${counts%% passed*}
	n_failed=${counts##*, }
	n_failed=${n_failed%% failed}
	if [ "$rc" != 0 ] && [ "$n_failed" = 0 ]; then
		n_failed=1
	fi
	all_passed=$((all_passed + n_passed))
	all_failed=$((all_failed + n_failed))
	# With the end of the console, where a guest died.
	grep -E '^([a-z]+: )?not ok |^# ' "$log" || true
	echo "== $suite: $n_passed ok, $n_failed not ok, $(($(date +%s) - began)) s; $(elapsed) in all"
}

suite style "$top/tests/style.sh"
suite series "$top/tests/series.sh"
suite report "$top/tests/host/report.sh"
suite plots "$top/tests/host/plots.sh"
suite initramfs "$top/tests/host/initramfs.sh"
suite workload "$top/tests/host/workload.sh"
suite rows "$top/tests/host/rows.sh"
suite input "$top/tests/host/input.sh"
suite fstests "$top/tests/host/fstests.sh"
kernel=$("$top/bench/kernel.sh" bench) || exit 1
echo "== the kernel is built; $(elapsed) in all"
suite boot "$top/tests/host/boot.sh" "$kernel/vmlinux"
suite tools "$top/tests/host/guest.sh" "$kernel/vmlinux"
suite trace "$top/tests/host/trace.sh" "$kernel/vmlinux"
suite exact "$top/tests/host/exact.sh"
off=$("$top/bench/kernel.sh" off) || exit 1
# One kernel for the boots of both: the KUnit tests wait to be asked for.
kunit=$("$top/bench/kernel.sh" kunit) || exit 1
suite guest "$top/tests/guest.sh" "patched=$kernel/vmlinux" "off=$off/vmlinux" \
	"ledger=$kunit/vmlinux" "kunit=$kunit/vmlinux"
suite prefixes "$top/tests/prefixes.sh"
echo "$all_passed passed, $all_failed failed"
[ "$all_failed" = 0 ]
