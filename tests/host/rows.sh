#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Rows that share a boot (bench/rows.sh): which of them has what of it, if one fails,
# takes the guest along, or does not even begin. The boots are made up here.
#
# shellcheck disable=SC2317 # functions are called by check()
# shellcheck disable=SC2034 # rows.sh uses them
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
# shellcheck source=../../bench/rows.sh
. "$top/bench/rows.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
run=$tmp/run
SEED=1

compose() { mkdir -p "$2"; }

# What was handed over of a row, instead of what it means.
report_row()
{
	local code

	code=$(sed 's/.*"exit_code":\([0-9]*\).*/\1/' "$2/boot.json")
	echo "$1 $code $(cat "$2/results/left" 2>/dev/null || echo nothing)" >>"$tmp/handed"
}

# boot_guest VARIANT DIR ROWS: as the guest does, a row after the other, up to one
# that is to fail; of a guest that died nothing comes.
boot_guest()
{
	local dir=$2 name rc=0

	echo "boot $(paste -sd' ' "$dir/payload/order")" >>"$tmp/handed"
	mkdir -p "$dir/results/rows"
	touch "$dir/console.log" "$dir/qemu.cmdline"
	echo "boot.sh: $fails" >"$dir/why"
	if [ "$fails" = start ]; then
		rm -rf "$dir/results"
		rc=10
	else
		while read -r name; do
			printf 'interleave: row %s\r\n' "$name" >>"$dir/console.log"
			[ "$fails $name" != "panic split" ] || { rc=11; break; }
			mkdir "$dir/results/rows/$name"
			echo "of-$name" >"$dir/results/rows/$name/left"
			[ "$fails $name" != "row split" ] || rc=15
			echo "$name $rc" >>"$dir/results/ended"
			[ "$rc" = 0 ] || break
		done <"$dir/payload/order"
		[ "$rc" != 11 ] || rm -rf "$dir/results"
	fi
	printf '{"mode":"tcg","exit_code":%d,"reason":"%s"}\n' "$rc" "$fails" \
		>"$dir/boot.json"
	return "$rc"
}

# round WHAT STATUS: with three rows, of which one may fail; what must be handed over
# comes on the standard input.
round()
{
	local rc=0

	fails=$1
	rm -rf "$run" "$tmp/handed"
	run_round 2 bench none split cap 2>"$tmp/said" || rc=$?
	[ "$rc" = "$2" ] || { echo "status $rc, expected $2"; return 1; }
	[ ! -e "$run/boot" ] || { echo 'the boot is left'; return 1; }
	[ -e "$run/repeats/2/cap/boot.json" ] || { echo 'not in its place'; return 1; }
	diff "$tmp/handed" - >"$tmp/diff" || { sed -n '2p' "$tmp/diff"; return 1; }
}

all_well()
{
	round nothing 0 <<-END
		boot none split cap
		none 0 of-none
		split 0 of-split
		cap 0 of-cap
	END
}

# The row after it gets a boot of its own, what it left itself is kept.
one_fails()
{
	round row 15 <<-END
		boot none split cap
		none 0 of-none
		split 15 of-split
		boot cap
		cap 0 of-cap
	END
	grep -q '^split: ' "$tmp/said" || { echo 'it does not say which'; return 1; }
}

# What came before is lost with the guest, and run again.
guest_dies()
{
	round panic 11 <<-END
		boot none split cap
		split 11 nothing
		boot none cap
		none 0 of-none
		cap 0 of-cap
	END
}

no_start()
{
	round start 10 <<-END
		boot none split cap
		none 10 nothing
		split 10 nothing
		cap 10 nothing
	END
}

check 'rows of a boot' all_well
check 'a row that fails' one_fails
check 'a guest that dies' guest_dies
check 'a guest that does not start' no_start
summary
