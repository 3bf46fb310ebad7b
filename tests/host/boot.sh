#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of bench/boot.sh: each way that a guest can end has its own status and
# message, nothing is left behind, and two runs are the same to the byte.
#
#	tests/host/boot.sh VMLINUX
#
# Each boots a guest that does what the test's name says; where the guest would
# have to do what a real one cannot, a script stands in for QEMU.
#
# shellcheck disable=SC2317 # the tests are called by check()
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
boot=$top/bench/boot.sh
initramfs=$top/bench/initramfs.sh
kernel=$(realpath "${1:?usage: tests/host/boot.sh VMLINUX}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# row NAME: make an image with the script on stdin as the row's program.
row()
{
	mkdir -p "$tmp/rows/$1"
	{ echo '#!/bin/sh'; cat; } >"$tmp/rows/$1/run"
	chmod 755 "$tmp/rows/$1/run"
	echo 'GREETING=hello from the row' >"$tmp/rows/$1/env"
	"$initramfs" row "$tmp/core" "$tmp/rows/$1" "$tmp/$1.img"
}

# ends_with NAME STATUS PATTERN [ARGUMENT]...: boot the row NAME, which must end
# with that status, one line that matches, and the end of its console.
ends_with()
{
	local name=$1 status=$2 pattern=$3 rc=0

	shift 3
	"$boot" --kernel "$kernel" --initrd "$tmp/$name.img" --out "$tmp/$name" \
		--mem 256 --limit 60 "$@" 2>"$tmp/$name.err" || rc=$?
	if [ "$rc" != "$status" ]; then
		echo "status $rc, expected $status: $(head -n 1 "$tmp/$name.err")"
		return 1
	fi
	grep -q "\"exit_code\":$status," "$tmp/$name/boot.json" || {
		echo "boot.json: $(cat "$tmp/$name/boot.json")"
		return 1
	}
	[ "$status" = 0 ] || head -n 1 "$tmp/$name.err" | grep -qE "$pattern" || {
		echo "said: $(head -n 1 "$tmp/$name.err")"
		return 1
	}
	nothing_half "$tmp/$name"
}

nothing_half()
{
	local left

	left=$(find "$1" -name '*.tmp' -o -name results.tgz -o -name qemu.err)
	[ -z "$left" ] || { echo "it left $left"; return 1; }
}

no_results()
{
	if [ -e "$tmp/$1/results" ] || [ -e "$tmp/$1/stream" ]; then
		echo 'results were kept'
		return 1
	fi
}

success()
{
	ends_with success 0 '' &&
		[ "$(cat "$tmp/success/results/greeting")" = 'hello from the row' ] &&
		[ -x "$tmp/success/results/dir/program" ]
}

# Idle often, and note the clock each time: the host must not show through.
same_bytes()
{
	ends_with exact 0 '' &&
		mv "$tmp/exact" "$tmp/exact1" &&
		ends_with exact 0 '' &&
		cmp "$tmp/exact/stream" "$tmp/exact1/stream" &&
		cmp "$tmp/exact/console.log" "$tmp/exact1/console.log"
}

keeps_results()
{
	ends_with failure 15 'failed with status 7' &&
		[ "$(cat "$tmp/failure/results/partial")" = partial ]
}

# An older run's results must not survive a boot that fails.
drops_old_results()
{
	mkdir -p "$tmp/torn/results"
	echo old >"$tmp/torn/results/old"
	ends_with torn 17 'came torn' && no_results torn
}

# fake_qemu: a stand-in for QEMU with the script on stdin, in front of PATH.
fake_qemu()
{
	mkdir -p "$tmp/fake"
	cat - >"$tmp/fake/qemu-system-x86_64" <<-END
		#!/bin/sh
		[ "\$1" != --version ] || { echo 'QEMU emulator version 0'; exit; }
		echo \$\$ >"$tmp/fake/pid"
		$(cat)
	END
	chmod 755 "$tmp/fake/qemu-system-x86_64"
}

with_fake()
{
	PATH=$tmp/fake:$PATH ends_with "$@"
}

short_stream()
{
	fake_qemu <<-'END'
		echo 'guest: init up' >console.log
		printf 'FWP1 rc=0 bytes=5 sha256=0\nfour' >stream.tmp
	END
	with_fake success 17 'came torn' && no_results success
}

wrong_checksum()
{
	fake_qemu <<-'END'
		echo 'guest: init up' >console.log
		printf 'FWP1 rc=0 bytes=4 sha256=%064d\nfour' 0 >stream.tmp
	END
	with_fake success 17 'came torn' && no_results success
}

qemu_dies()
{
	fake_qemu <<-'END'
		echo 'no such machine' >&2
		exit 3
	END
	with_fake success 16 'status 3: no such machine'
}

# Dead is enough: an orphan is for process 1 to reap.
qemu_gone()
{
	case $(ps -o stat= -p "$1") in
	''|Z*) ;;
	*) echo 'a QEMU is left'; return 1 ;;
	esac
}

# ended_by SIGNAL STATUS: send it in the middle; QEMU and results must go.
ended_by()
{
	local pid qemu rc=0

	rm -rf "$tmp/hang"
	env --default-signal=INT "$boot" --kernel "$kernel" \
		--initrd "$tmp/hang.img" --out "$tmp/hang" 2>"$tmp/hang.err" &
	pid=$!
	until grep -qs 'guest: init up' "$tmp/hang/console.log"; do
		sleep 0.2
	done
	qemu=$(cat "/proc/$pid/task/$pid/children")
	qemu=${qemu%% *}
	kill "-$1" "$pid"
	wait "$pid" || rc=$?
	[ "$rc" = "$2" ] || { echo "status $rc, expected $2"; return 1; }
	# The kernel ends an orphan in its own time.
	[ "$1" != KILL ] || sleep 1
	qemu_gone "$qemu" && no_results hang
}

interrupted()
{
	ended_by "$1" 130 && nothing_half "$tmp/hang" &&
		grep -q interrupted "$tmp/hang.err"
}

stubborn_qemu()
{
	fake_qemu <<-'END'
		trap '' TERM
		echo 'guest: init up' >console.log
		while :; do :; done
	END
	with_fake success 12 'hung, it was ended after 2 s of CPU time' --limit 2 &&
		qemu_gone "$(cat "$tmp/fake/pid")"
}

# Idle time is skipped in virtual time: who waits there waits for nothing.
idle_qemu()
{
	fake_qemu <<-'END'
		echo 'guest: init up' >console.log
		exec sleep 1000
	END
	with_fake success 12 'hung, QEMU had no CPU time for 2 s' --limit 2
}

# A loop for a kernel, with the note that makes QEMU enter it.
spinning_kernel()
{
	gcc -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000,--build-id=none \
		-x assembler -o "$tmp/spin" - <<-'END'
		.section .note.pvh, "a", @note
		.long 4, 4, 18
		.asciz "Xen"
		.long _start
		.text
		.globl _start
		_start: jmp _start
	END
	ends_with success 10 'did not boot within 5 s of CPU time' --kernel "$tmp/spin" --boot-limit 5
}

# A host with other work to do gives the guest little of a CPU: no reason to end it.
slow_host()
{
	fake_qemu <<-'END'
		sleep 4
		echo 'guest: init up' >console.log
		exit 3
	END
	with_fake success 16 'QEMU ended with status 3' --boot-limit 2 || return
	fake_qemu <<-'END'
		echo 'guest: init up' >console.log
		for round in 1 2 3 4 5 6 7 8 9; do
			sleep 0.5
			n=0
			while [ "$n" -lt 50000 ]; do n=$((n + 1)); done
		done
		exit 3
	END
	with_fake success 16 'QEMU ended with status 3' --limit 3
}

no_qemu()
{
	local tool

	mkdir "$tmp/bin"
	for tool in /usr/bin/*; do
		case $tool in
		*/qemu-*) ;;
		*) ln -s "$tool" "$tmp/bin/" ;;
		esac
	done
	PATH=$tmp/bin ends_with success 16 'no qemu-system-x86_64: install'
}

probe_fails_in_one_line()
{
	local rc=0

	fake_qemu <<<'exit 1'
	PATH=$tmp/fake:$PATH "$boot" --probe-kvm --kernel "$kernel" \
		--initrd "$tmp/core" 2>"$tmp/probe.err" || rc=$?
	[ "$rc" = 1 ] || { echo "status $rc, expected 1"; return 1; }
	[ "$(sed '/^boot.sh: KVM does not work here: ./d' "$tmp/probe.err" | wc -l)" = 0 ] ||
		{ echo "said: $(cat "$tmp/probe.err")"; return 1; }
}

"$initramfs" core "$tmp/core"
cp "$tmp/core" "$tmp/no-row.img"
row success <<'END'
echo "$GREETING" >/results/greeting
mkdir /results/dir
cp run /results/dir/program
(sleep 1000 &)
END
row exact <<'END'
sample /results/samples 1 &
sleep 20
kill $!
wait $!
END
row failure <<'END'
echo partial >/results/partial
exit 7
END
row tracer <<<'exit 14'
row panic <<<'echo c >/proc/sysrq-trigger'
row hang <<<'while :; do :; done'
row oom <<<'tail /dev/zero'
row torn <<<'echo FWP1 >/dev/ttyS1'

check 'a row that succeeds' success
check 'two runs give the same bytes' same_bytes
check 'a row that fails, and what it left' keeps_results
check 'a row without a program' ends_with no-row 15 'failed with status 127'
check 'a lost tracer' ends_with tracer 14 'tracer in the guest was lost'
check 'a panic' ends_with panic 11 'panicked: Kernel panic - not syncing: sysrq triggered crash'
check 'a kernel without an init' \
	ends_with success 11 'panicked: Kernel panic - not syncing: VFS: Unable to mount root' --append 'rdinit=/none root=none'
check 'a hang' ends_with hang 12 'hung, it was ended after 15 s of CPU time' --limit 15
check 'a hang in real time' ends_with hang 12 'hung, it was ended after 15 s:' \
	--limit 15 --mode tcg
check 'the OOM killer' ends_with oom 13 'OOM killer' --mem 128
check 'a kernel that never boots' spinning_kernel
check 'a host that is slow' slow_host
check 'a kernel that is none' ends_with success 16 'QEMU ended' --kernel "$tmp/core"
check 'a torn stream, and results of an older run' drops_old_results
check 'a stream that ends early' short_stream
check 'a stream with a wrong checksum' wrong_checksum
check 'a QEMU that dies' qemu_dies
check 'a QEMU that ignores TERM' stubborn_qemu
check 'a QEMU that does nothing' idle_qemu
check 'no QEMU' no_qemu
check 'INT in the middle' interrupted INT
check 'TERM in the middle' interrupted TERM
check 'KILL in the middle leaves no QEMU' ended_by KILL 137
check 'a probe for KVM that fails' probe_fails_in_one_line
refuses 'two CPUs in virtual time' 2 'one CPU' \
	"$boot" --kernel "$kernel" --initrd "$tmp/core" --out "$tmp/out" --smp 2
refuses 'a disk that is not there' 2 "cannot write to the disk '/none'" \
	"$boot" --kernel "$kernel" --initrd "$tmp/core" --out "$tmp/out" --disk /none
refuses 'an unknown mode' 2 'unknown mode warp' \
	"$boot" --kernel "$kernel" --initrd "$tmp/core" --out "$tmp/out" --mode warp
refuses 'a missing kernel' 2 'cannot read the kernel' \
	"$boot" --kernel "$tmp/none" --initrd "$tmp/core" --out "$tmp/out"
refuses 'a limit that is no number' 2 'whole numbers' \
	"$boot" --kernel "$kernel" --initrd "$tmp/core" --out "$tmp/out" --limit 1h
summary
