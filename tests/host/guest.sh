#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the guest's own tools, in one boot: folios against folios FILE and
# against what was read and written, the sampler, and the write cost.
#
#	tests/host/guest.sh VMLINUX
#
# shellcheck disable=SC2317 # the tests are called by check()
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
kernel=$(realpath "${1:?usage: tests/host/guest.sh VMLINUX}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
results=$tmp/out/results

mkdir "$tmp/row"
cat >"$tmp/row/run" <<'END'
#!/bin/sh
set -e
nullb=/sys/kernel/config/nullb/disk
mkdir $nullb
for attr in size=512 memory_backed=1 irqmode=2 completion_nsec=1000000 \
	hw_queue_depth=1 max_sectors=512; do
	echo "${attr#*=}" >"$nullb/${attr%%=*}"
done
echo 1 >$nullb/power
mkfs.xfs -q -K /dev/disk
mount -t xfs /dev/disk /mnt
for file in large read hole; do
	dd if=/dev/zero of=/mnt/$file bs=1M count=4
done
sync
echo 3 >/proc/sys/vm/drop_caches
for page in 7 3 5 1 6 0 2 4; do
	dd if=/dev/zero of=/mnt/small bs=4096 count=1 seek=$page conv=notrunc
done
dd if=/dev/zero of=/mnt/large bs=1M count=4 conv=notrunc
cat /mnt/read >/dev/null
dd if=/mnt/hole of=/dev/null bs=4096 count=1 skip=512
cd /mnt
folios >/results/before
for file in small large read hole; do
	folios $file >/results/$file
done
for file in small large read hole; do
	folios $file >/results/$file.again
done
folios >/results/after
writecost /mnt >/results/writecost
if folios /mnt/none 2>/results/none.err; then exit 1; fi
sample /results/samples 50 &
sleep 1
dd if=/dev/zero of=/mnt/dirty bs=4096 count=100
sleep 1
kill $!
wait $!
END
chmod 755 "$tmp/row/run"

folios_of_files_add_up()
{
	jq -s '[.[].orders | to_entries[]] | group_by(.key) |
		map({(.[0].key): (map(.value) | add)}) | add' \
		"$results"/{small,large,read,hole} >"$tmp/sum"
	jq .orders "$results/before" | diff - "$tmp/sum"
}

nothing_changes()
{
	local file

	cmp "$results/before" "$results/after" || return 1
	for file in small large read hole; do
		cmp "$results/$file" "$results/$file.again" || return 1
	done
}

# is FILE FILTER: what jq makes of a result must be true.
is()
{
	jq -e "$2" "$results/$1" >"$tmp/is" || { cat "$tmp/is" "$results/$1"; return 1; }
}

runs_cover_the_file='[.runs[] | pow(2; .[1])] | add == 1024'
runs_are_in_order='[.runs[][0]] | . == (sort | unique)'

samples_show_the_writes()
{
	awk -F, 'NR == 1 { if ($2 != "nr_dirty" || $4 != "nr_dirtied") exit 1; next }
		NR == 2 { first = $4 }
		NR > 2 && ($1 - t < 49000000 || $1 - t > 51000000) { odd++ }
		{ t = $1; last = $4; if ($2 > max) max = $2 }
		END {
			printf "%d rows, %d uneven, %d dirtied, at most %d dirty\n",
				NR - 1, odd, last - first, max
			# The last row is taken when the sampler is told to end.
			exit !(NR > 35 && odd <= 1 && last - first >= 100 && max >= 100)
		}' "$results/samples"
}

"$top/bench/initramfs.sh" core "$tmp/core"
"$top/bench/initramfs.sh" row "$tmp/core" "$tmp/row" "$tmp/initrd"
"$top/bench/boot.sh" --kernel "$kernel" --initrd "$tmp/initrd" \
	--out "$tmp/out" --limit 120

check 'the folios of all files are those of each' folios_of_files_add_up
check 'looking changes nothing' nothing_changes
check '4 KiB writes make single pages' \
	is small '.orders == {"0": 8} and .max_bytes == 4096 and .resident_pages == 8'
check '1 MiB writes make large folios' is large '.max_bytes > 4096'
check 'a file written whole is resident' is large '.resident_pages == 1024'
check 'a sequential read makes large folios' is read '.max_bytes > 4096'
check 'the folios of a file cover it' is large "$runs_cover_the_file"
check 'the folios of a file are in order' is read "$runs_are_in_order"
check 'a page not cached stays so' is hole '.resident_pages < 1024 and .runs[0][0] > 0'
check 'a missing file is an error' grep -q '/mnt/none: No such file' "$results/none.err"
check 'a write costs something, and less to a dirty folio' is writecost \
	'.max_order_seen == 0 and .clean.n == 16384 and 0 < .dirty.min and
	 .dirty.median < .clean.median and .clean.min <= .clean.median'
check 'the sampler sees the writes, evenly' samples_show_the_writes
summary
