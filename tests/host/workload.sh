#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the workloads share in the guest (bench/guest/workload.sh), as far as it
# needs no guest, and that every folder of bench/workloads has what makes it one.
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# guest COMMAND...: in the guest's shell, with its awk, results in $tmp/results.
guest()
{
	mkdir -p "$tmp/results"
	sed "s#^results=.*#results=$tmp/results#" "$top/bench/guest/workload.sh" \
		>"$tmp/workload.sh"
	cat >"$tmp/run" <<-END
		. $tmp/workload.sh
		awk() { busybox awk "\$@"; }
		sed() { busybox sed "\$@"; }
		folios() { cat $tmp/folios; }
		$*
	END
	FWP_WORKLOAD="test" busybox sh "$tmp/run"
}

# hit WANT START STEP LEN COUNT: of folios of 4 pages at 0, 8 at 4, 16 at 16.
hit()
{
	local want=$1 got

	shift
	got=$(guest "folios_hit file $*")
	[ "$got" = "$want" ] || { echo "$got pages, expected $want"; return 1; }
}
echo '{"file":"f","runs":[[0,2],[4,3],[16,4]],"resident_pages":28,"orders":{},"max_bytes":65536}' \
	>"$tmp/folios"

hands_over()
{
	# shellcheck disable=SC2016 # for the guest's shell
	guest 'metric a 1; metric b "$(ratio 1 3)"; end' >/dev/null || return 1
	diff "$tmp/results/metrics" - <<-END
		a 1
		b 0.333333
		end 2
	END
}

# A script that fails has handed nothing over that looks whole.
hands_nothing_over()
{
	rm -rf "$tmp/results"
	if guest 'metric a 1; false; end' >/dev/null; then
		echo 'the script went on'
		return 1
	fi
	[ ! -e "$tmp/results/metrics" ] || cat "$tmp/results/metrics"
	[ ! -e "$tmp/results/metrics" ]
}

# tracer BPFTRACE: a row whose tracer is the shell code BPFTRACE.
tracer()
{
	rm -rf "$tmp/results"
	(cd "$tmp" && guest "bpftrace() { $1; }; trace_on; trace_off")
}
: >"$tmp/some.bt"

lives()
{
	tracer 'echo Tracing; sleep 1'
}

# whole DIR: for every scale, settings that compare.sh and the guest can use.
whole()
{
	local scale key

	for file in README.rst run settings metrics.json; do
		[ -s "$1/$file" ] || { echo "$file is missing"; return 1; }
	done
	for file in run settings; do
		[ -x "$1/$file" ] || { echo "$file is no program"; return 1; }
	done
	for scale in 16 32 64 128 256; do
		SCALE=$scale "$1/settings" >"$tmp/settings" || return 1
		if grep -vE '^FWP_[A-Z_]+=[a-z0-9]+$' "$tmp/settings"; then
			return 1
		fi
		for key in MEM_MB DISK_MB COMPLETION_NS DIRTY_BYTES DIRTY_BG_BYTES; do
			grep -qE "^FWP_$key=[1-9][0-9]*$" "$tmp/settings" ||
				{ echo "no FWP_$key at scale $scale"; return 1; }
		done
	done
}

check 'a tracer that lives until the end' lives
refuses 'a tracer that does not attach' 14 'some.bt cannot be attached: no such event' \
	tracer 'echo no such event >&2; exit 1'
refuses 'a tracer that dies' 14 'a script of bench/trace failed' \
	tracer 'echo Tracing; exit 1'
refuses 'a tracer that lost something' 14 'some.err: Lost 3 events' \
	tracer 'echo Tracing; echo Lost 3 events >&2; sleep 1'
check 'each folio that is hit counts once' hit 28 0 4 1 7
check 'writes end after their number' hit 12 0 4 1 2
check 'a write between folios hits none' hit 0 12 100 1 1
check 'a write that ends in a folio hits it' hit 16 15 16 2 1
check 'a write across two folios hits both' hit 12 3 100 2 1
check 'the largest folio' [ "$(guest 'largest f')" = 65536 ]
check 'what is resident' [ "$(guest 'resident f')" = 114688 ]
check 'figures are handed over with their number' hands_over
check 'a script that fails hands nothing over' hands_nothing_over
for dir in "$top"/bench/workloads/*/; do
	check "$(basename "$dir") is whole" whole "${dir%/}"
done
summary
