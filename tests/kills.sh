#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kills.sh [POLICY...]
#	Under each policy, on blocks of 4 KiB and of 1 KiB, kill a guest (SIGKILL of its
#	QEMU) at a random moment while it writes and fsyncs, boot it again with the
#	same disk, and have it see that the log is replayed, no fsynced byte is
#	missing, none is stale, and xfs_repair -n finds nothing; then it writes on. One
#	kill in eight comes during the replay of the log and what follows it.
#
# The last line counts: "N passed, N failed". Exit 0 only if all passed.
#
# FWP_KILLS is how many kills a policy gets (default 40; a multiple of 4), FWP_SEED
# the seed of the moments and of the writes (default 1). The disk of a policy that
# failed, as the failing boot found it, is kept in build/kills/POLICY-BLOCKSIZE.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

kills=${FWP_KILLS:-40}
seed=${FWP_SEED:-1}
base=$build/kills
pid=
server=
all_kills=0
# What a kernel says that has not died of it.
splats='BUG:|WARNING:|XFS.*(Corruption|Internal error)|blocked for more than'

interrupted()
{
	trap '' INT TERM
	end_guest
	exit 130
}

# boot.sh ends its QEMU itself.
end_guest()
{
	{
		[ -z "$pid" ] || kill "$pid"
		[ -z "$server" ] || kill -KILL "$server"
		wait
	} 2>/dev/null || :
	pid=
	server=
}

console_has()
{
	grep -aqE "$1" "$dir/out/console.log" 2>/dev/null
}

# said PATTERN: the last that the console has of it
said()
{
	grep -aoE "$1" "$dir/out/console.log" 2>/dev/null | tail -n 1 | tr -d '\r'
}

# random_sleep MS: sleep up to so many milliseconds
random_sleep()
{
	local ms=$(((RANDOM * 32768 + RANDOM) % $1))

	sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}

# A disk with a volatile cache: what was written and not flushed is lost when the
# server is killed, or in part, if that is while it flushes.
start_server()
{
	local socket=$sockets/disk

	rm -f "$socket"
	TMPDIR=$dir setpriv --pdeathsig KILL nbdkit -f -U "$socket" --filter=cache \
		file "$dir/disk" cache=writeback cache-min-block-size=4K &
	server=$!
	until [ -S "$socket" ]; do
		kill -0 "$server" 2>/dev/null || die "nbdkit did not start: see above"
		sleep 0.05
	done
}

# boot N THEN [volatile]: start a guest; its boot.sh is "pid"
boot()
{
	local disk=$dir/disk

	rm -rf "$dir/row" "$dir/out"
	mkdir -p "$dir/row" "$dir/out"
	cp "$top/tests/guest/kills" "$dir/row/run"
	cp "$base/bin/killed" "$dir/row/"
	printf '%s\n' "FWP_POLICY=$policy" "FWP_SEED=$seed" "FWP_BOOT=$1" \
		"FWP_THEN=$2" >"$dir/row/env"
	"$top/bench/initramfs.sh" row "$base/kills.img" "$dir/row" "$dir/initrd"
	# The guest replays the log: keep what it was.
	cp --sparse=always "$dir/disk" "$dir/disk.found"
	if [ "${3:-}" = volatile ]; then
		start_server
		disk=$sockets/disk
	fi
	# The kernel drops what a program says in excess of ten lines in five seconds.
	"$top/bench/boot.sh" --mode tcg --mem 512 --kernel "$vmlinux" \
		--initrd "$dir/initrd" --out "$dir/out" --limit 180 \
		--append printk.devkmsg=on --disk "$disk" --disk "$dir/journal" \
		2>"$dir/why" &
	pid=$!
}

# kill_guest FIRST MS: when the console has FIRST, and up to so many ms later, kill the
# guest, and its disk with it. Fails, with the reason in "why", if that found
# anything wrong.
kill_guest()
{
	local qemu=

	until console_has "$1|kills: wrong" || ! kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
	done
	random_sleep "$2"
	qemu=$(pgrep -P "$pid" -x qemu-system-x86) || :
	{
		[ -z "$qemu" ] || kill -KILL "$qemu" ${server:+"$server"}
		wait "$pid"
	} 2>/dev/null || :
	pid=
	end_guest
	why=$(complaint)
	# It must have been ours that ended it.
	grep -q 'QEMU ended with status 137' "$dir/why" ||
		why=${why:-$(head -n 1 "$dir/why")}
	[ -z "$why" ]
}

# What is wrong with what the guest said, if anything.
complaint()
{
	said "kills: wrong.*|.*($splats).*"
}

# last_boot N: one that ends by itself, after the check
last_boot()
{
	boot "$1" end
	wait "$pid" || :
	pid=
	why=$(complaint)
	console_has 'kills: checked' || why=${why:-$(head -n 1 "$dir/why")}
	[ -z "$why" ]
}

# run_boot N: a boot, and its end
run_boot()
{
	local volatile='' acted n_ops

	[ $(($1 % 2)) -ne 0 ] || volatile=volatile
	boot "$1" write $volatile
	# By what the guest has done, for hosts are slow or fast.
	if [ $((RANDOM % 8)) -eq 0 ]; then
		kill_guest 'XFS .vda.: Mounting' 1500 || return
	else
		kill_guest "kills: $((1 + RANDOM % 12 * 50)) operations" 500 || return
	fi
	console_has 'kills: checked' && checked=$((checked + 1))
	acted=$(said 'kills: [0-9]+ operations, acted [0-9]+\.') || :
	if [ -n "$acted" ]; then
		writing=$((writing + 1))
		read -r _ n_ops _ _ acted <<<"${acted%.}"
		ops=$((ops + n_ops))
		actions=$((actions + acted))
	fi
}

new_disk()
{
	rm -rf "$dir"
	mkdir -p "$dir"
	truncate -s 320M "$dir/disk"
	truncate -s 64M "$dir/journal"
	mkfs.xfs -q -f -b "size=$1" "$dir/disk"
}

drop_disk()
{
	rm -rf "$dir/row" "$dir/initrd" "$dir/disk" "$dir/disk.found" "$dir/journal"
}

run_policy()
{
	local n name=kills.$policy-$1

	dir=$base/$policy-$1
	checked=0 writing=0 ops=0 actions=0 why=''
	new_disk "$1"
	for ((n = 1; n <= kills / 2; n++)); do
		run_boot "$n" || break
		all_kills=$((all_kills + 1))
		[ $((n % 10)) -ne 0 ] || say "$policy-$1: $n of $((kills / 2)) kills, $(elapsed)" >&2
	done
	if [ -n "$why" ] || ! last_boot "$n"; then
		not_ok "$name" "boot $n, seed $seed: $why ($dir)"
	elif [ "$policy" != none ] && [ "$actions" -eq 0 ]; then
		not_ok "$name" "the policy never acted"
	else
		ok "$name: $((kills / 2)) kills, $writing while it wrote, $checked checks before them; $ops operations, the policy acted $actions times; at last $(said '[0-9]+ durable words.*')"
		drop_disk
	fi
}

# spoil FILE HEX N: change one bit in the Nth of the bytes HEX, in FILE
spoil()
{
	perl -e '
		my ($file, $hex, $n) = @ARGV;
		open(my $disk, "+<:raw", $file) or die "$file: $!";
		local $/;
		my $data = <$disk>;
		my $at = index($data, pack("H*", $hex));
		die "$hex is not in $file" if $at < 0;
		seek($disk, $at + $n, 0);
		print $disk chr(ord(substr($data, $at + $n, 1)) ^ 1);
		close($disk) or die "$file: $!"' "$@"
}

# What the checks must notice, or all that they found right proves nothing.
run_lies()
{
	local durable

	policy=none dir=$base/lies
	new_disk 4096
	boot 1 write
	kill_guest 'kills: 201 operations' 500 || :
	[ -n "$why" ] || last_boot 2 || :
	durable=$(said 'kills: durable is .*') || :
	if [ -n "$why" ] || [ -z "$durable" ]; then
		not_ok lies.setup "${why:-nothing was fsynced} ($dir)"
		return
	fi

	spoil "$dir/disk" "${durable##* }" $((RANDOM % 8))
	last_boot 3 || :
	durable=${durable#*is }
	case $why in
	*" 1 words, the first is ${durable%: *}: "*) ok 'lies: one wrong byte is noticed' ;;
	*) not_ok 'lies: one wrong byte' "${why:-it was not noticed} ($dir)" ;;
	esac

	new_disk 4096
	boot 1 lie
	kill_guest 'kills: 201 operations' 500 || :
	[ -n "$why" ] || last_boot 2 || :
	case $why in
	*'fsynced was'*) ok 'lies: an fsync that was not done is noticed' ;;
	*) not_ok 'lies: no fsync' "${why:-it was not noticed} ($dir)" ;;
	esac

	new_disk 4096
	boot 1 unflushed volatile
	kill_guest 'kills: 201 operations' 500 || :
	[ -n "$why" ] || last_boot 2 || :
	case $why in
	*'kills: wrong in boot 2'*) ok 'lies: a disk that is not flushed loses data' ;;
	*) not_ok 'lies: no flush' "${why:-it was not noticed} ($dir)" ;;
	esac
	drop_disk
}

case $kills in
''|*[!0-9]*|0) die "FWP_KILLS=$kills: a multiple of 4" ;;
esac
[ $((kills % 4)) -eq 0 ] || die "FWP_KILLS=$kills: a multiple of 4"
"$top/bench/deps.sh" nbdkit
vmlinux=$("$top/bench/kernel.sh" kills)/vmlinux
mkdir -p "$base/bin"
make -s -C "$top/tests/guest" O="$base/bin" "$base/bin/killed"
"$top/bench/initramfs.sh" core --with kills "$base/kills.img"
[ $# -gt 0 ] || set -- none account split evict cap
sockets=$(mktemp -d)
trap 'rm -rf "$sockets"' EXIT
trap interrupted INT TERM
RANDOM=$seed
run_lies
for policy; do
	run_policy 4096
	run_policy 1024
done
echo "# $all_kills kills in $(elapsed), seed $seed"
summary
