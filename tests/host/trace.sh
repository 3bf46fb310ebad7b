#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the scripts of bench/trace, in one boot: each attaches, and counts what
# the kernel's own counters, histogram trigger and limits say of the same writes.
#
#	tests/host/trace.sh VMLINUX
#
# shellcheck disable=SC2317 # the tests are called by check()
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
kernel=$(realpath "${1:?usage: tests/host/trace.sh VMLINUX}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
results=$tmp/out/results

# Folios that are clean, dirty under another policy, or split; then more data than
# the limit lets a writer have at once.
mkdir "$tmp/row"
cp "$top/bench/trace"/*.bt "$top/bench/guest/workload.sh" "$tmp/row"
cat >"$tmp/row/env" <<'END'
FWP_WORKLOAD=trace
FWP_TRACE=yes
FWP_DISK_MB=400
FWP_COMPLETION_NS=4000000
FWP_DIRTY_BG_BYTES=4194304
FWP_DIRTY_BYTES=8388608
END
cat >"$tmp/row/run" <<'END'
#!/bin/sh
. ./workload.sh

# pages FROM COUNT: one page of every hundred is written.
pages()
{
	i=0
	while [ $i -lt "$2" ]; do
		dd if=/dev/zero of=$mnt/file bs=4096 count=1 \
			seek=$(($1 + i * 100)) conv=notrunc 2>/dev/null
		i=$((i + 1))
	done
}

policy()
{
	echo "$1" >/proc/sys/vm/folio_write_policy
}

begin
pauses_on
make_disk
create $mnt/file 32
load $mnt/file 32
folios $mnt/file >$results/folios
pages 7000 5
policy split
pages 7001 5
pages 100 59
policy evict
pages 6000 5
policy account
pages 6500 3
drop_caches
echo 0 >/proc/sys/vm/folio_write_max_order
policy cap
load $mnt/file 2
policy none
policy_counters after
dd if=/dev/zero of=$mnt/much bs=4096 count=8192 2>/dev/null
pauses_off
# Until the last second has been printed.
sleep 2
end
END
chmod 755 "$tmp/row/run"

# What the counters of every policy say, as the script names it.
decisions_are_the_counters()
{
	awk '$2 { sub("refused_", ""); sub("/", " "); if ($2 != "considered") print }' \
		"$results/counters-after" | sort >"$tmp/want"
	sed -n 's/^@decisions\[\(.*\), .*, \(.*\)\]: /\1 \2 /p' \
		"$results/trace/decisions.txt" | sort >"$tmp/got"
	diff "$tmp/want" "$tmp/got"
}

# decided POLICY RESULT COUNT: as the writes were laid out.
decided()
{
	grep -qx "$1 $2 $3" "$tmp/got" || { grep "^$1 " "$tmp/got"; return 1; }
}

# orders POLICY PAGE COUNT: the folios that the writes hit, as they were before.
orders()
{
	jq -r --argjson from "$2" --argjson count "$3" '
		.runs as $runs | range($count) | . * 100 + $from | . as $page |
		$runs | map(select(.[0] <= $page)) | last | .[1]' \
		"$results/folios" | sort -n | uniq -c | awk '{ print $2, $1 }' >"$tmp/want"
	awk -v policy="@order[$1]:" '
		/^@/ { ours = $1 == policy }
		ours && /^\[/ && $3 { print substr($1, 2) + 0, $3 }' \
		"$results/trace/firstorder.txt" | sort -n >"$tmp/got"
	diff "$tmp/want" "$tmp/got"
}

# stats WHAT: "count", "average" or "total" of all orders.
stats()
{
	awk -v what="$1" '/^@split_stats_ns/ {
			for (i = 1; i < NF; i++)
				if ($i == what)
					sum += $(i + 1)
		}
		END { print sum + 0 }' "$results/trace/splitlat.txt"
}

# Folios as they were read have a state to release, so that none is missed.
every_split_is_timed()
{
	local acted

	acted=$(sed -n 's#^split/acted ##p' "$results/counters-after")
	[ "$(stats count)" = "$acted" ] ||
		{ echo "$(stats count) timed of $acted"; return 1; }
	if grep '^@not_timed\[' "$results/trace/splitlat.txt"; then return 1; fi
}

# No less than a copy of a page's worth of pointers, no more than a millisecond.
times_are_of_this_world()
{
	local mean

	mean=$(($(stats total) / $(stats count)))
	echo "a split takes $mean ns"
	[ "$mean" -gt 1000 ] && [ "$mean" -lt 1000000 ]
}

# "PAUSES MS" of the histogram trigger on the same event.
triggered()
{
	sed -n 's/.*hitcount: *\([0-9]*\) *pause: *\([0-9]*\).*/\1 \2/p' \
		"$results/hist-bdp" |
		awk '{ n += $1; ms += $2 } END { print n + 0, ms + 0 }'
}

same_pauses()
{
	echo "$1, and the trigger says $(triggered)"
	[ "$1" != '0 0' ] && [ "$1" = "$(triggered)" ]
}

by_comm()
{
	same_pauses "$(awk '/^@pauses/ { n += $2 } /^@total_ms/ { ms += $2 }
		END { print n + 0, ms + 0 }' "$results/trace/writersleep.txt")"
}

by_second()
{
	same_pauses "$(awk '/^ +[0-9]/ { n += $7; ms += $8 }
		END { print n + 0, ms + 0 }' "$results/trace/dirtylimits.txt")"
}

limits_are_those_set()
{
	awk '/^ +[0-9]/ { n++; if ($5 != 1024 || $6 != 2048) { print; bad++ } }
		END { exit !n || bad }' "$results/trace/dirtylimits.txt"
}

# A writer looks at the limits after 32 pages; the last may be those of a folio.
dirty_is_between_them()
{
	awk '/^ +[0-9]/ && $3 + $4 > max { max = $3 + $4 }
		END { print "at most " max + 0; exit !(max > 1024 && max <= 2048 + 64) }' \
		"$results/trace/dirtylimits.txt"
}

"$top/bench/initramfs.sh" core --with trace "$tmp/core"
"$top/bench/initramfs.sh" row "$tmp/core" "$tmp/row" "$tmp/initrd"
"$top/bench/boot.sh" --kernel "$kernel" --initrd "$tmp/initrd" \
	--out "$tmp/out" --mem 1400 --limit 300

check 'decisions are what the counters say' decisions_are_the_counters
check 'and what was done: split' decided split acted 59
check 'refused by split' decided split dirty 5
check 'evict' decided evict acted 5
check 'account' decided account acted 3
check 'order at the first write, split' orders split 100 59
check 'order at the first write, evict' orders evict 6000 5
check 'order at the first write, account' orders account 6500 3
check 'every split is timed' every_split_is_timed
check 'the times are of this world' times_are_of_this_world
check 'pauses by command' by_comm
check 'pauses by second' by_second
check 'the limits are those that were set' limits_are_those_set
check 'dirty pages reach from one to the other' dirty_is_between_them
summary
