#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every workload once, at a small scale, under the policy with the most to do:
# its row must be valid. About a minute each.
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

mkdir -p "$build"
tmp=$(mktemp -d "$build/workloads.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

workload()
{
	WORKLOAD=$1 RESULTS=$tmp/$1 MODE=virtual SCALE=256 SEED=1 POLICY=split \
		"$top/bench/compare.sh" >"$tmp/$1.out" 2>&1 || {
		grep INVALID "$tmp/$1.out" || tail -n 1 "$tmp/$1.out"
		return 1
	}
}

for dir in "$top"/bench/workloads/*/; do
	name=$(basename "$dir")
	# Its package would start a server: nobody installs that for a test.
	if [ "$name" = pgbench ] && ! dpkg-query -W postgresql >/dev/null 2>&1; then
		echo "skipped: the workload pgbench: postgresql is not installed"
		continue
	fi
	check "the workload $name runs" workload "$name"
done
summary
