#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# boot.sh --kernel VMLINUX --initrd FILE --out DIR [--mode virtual|tcg|kvm]
#	[--mem MIB] [--smp N] [--limit SECONDS] [--boot-limit SECONDS]
#	[--append "..."] [--disk FILE]...
#	Boot one guest, return when it has ended, and leave in DIR: qemu.cmdline,
#	console.log, boot.json and, when the guest sent them whole, results/.
# boot.sh --probe-kvm --kernel VMLINUX --initrd IMAGE
#	Boot an empty row under KVM: 0 if that works, else 1 and one line why.
#
# --disk gives the guest a virtio disk (vda, vdb, ...) that outlives it: a file, or the
# socket of an NBD server. QEMU says that a write is done when the host's page cache, or
# the server, has it. Both outlive a QEMU that is killed, so that what the guest was
# told is written is what the next guest finds. The kernel needs no PCI for it
# (bench/config/disk.config).
#
# virtual: the guest's clock counts its instructions, and two runs are the same
# to the byte. tcg, kvm: real time. A host with other work makes an emulated guest
# slow, which is not a hang: the boot limit is of QEMU's CPU time in virtual and tcg,
# the other in virtual, where a QEMU that has no CPU time for a minute hangs, too.
# Else they are of the host's clock.
#
# Exit: 0 the row succeeded
#	2 usage
#	10 the guest did not boot	11 it panicked	12 it hung
#	13 its OOM killer fired		14 it lost its tracer
#	15 its workload failed		16 QEMU is missing, failed or died
#	17 the results came torn	130 interrupted
# All but 0 and 2 end with one line that says so and the end of the console.
# An INT that the caller ignores (a shell's background job does) cannot be
# caught here: send TERM.
set -eu

qemu='qemu-system-x86_64'
self=$(realpath "$0")
bench=$(dirname "$self")

mode=virtual
kernel=
initrd=
out=
mem=1024
smp=1
limit=900
boot_limit=120
append=
probe=
panic='Kernel panic - not syncing|^\[[ .0-9]*\] (Oops|BUG):|kernel BUG at'
disks=()

die()
{
	echo "boot.sh: $2" >&2
	exit "$1"
}

usage()
{
	die 2 "$1: see the head of bench/boot.sh"
}

parse_args()
{
	while [ $# -gt 0 ]; do
		case $1 in
		--probe-kvm)
			probe=yes
			shift
			continue
			;;
		--mode|--kernel|--initrd|--out|--mem|--smp|--limit|--boot-limit|--append|--disk)
			[ $# -ge 2 ] || usage "$1 needs a value"
			;;
		*)
			usage "unknown argument $1"
			;;
		esac
		case $1 in
		--mode) mode=$2 ;;
		--kernel) kernel=$2 ;;
		--initrd) initrd=$2 ;;
		--out) out=$2 ;;
		--mem) mem=$2 ;;
		--smp) smp=$2 ;;
		--limit) limit=$2 ;;
		--boot-limit) boot_limit=$2 ;;
		--append) append=$2 ;;
		--disk)
			[ -w "$2" ] || usage "cannot write to the disk '$2'"
			disks+=("$(realpath "$2")")
			;;
		esac
		shift 2
	done
	case $mode in
	virtual|tcg|kvm) ;;
	*) usage "unknown mode $mode (virtual, tcg or kvm)" ;;
	esac
	case "$mem$smp$limit$boot_limit" in
	*[!0-9]*) usage '--mem, --smp and the limits are whole numbers' ;;
	esac
	if [ "$mode" = virtual ] && [ "$smp" != 1 ]; then
		usage 'virtual time has one CPU (--smp 1)'
	fi
	[ -r "$kernel" ] || usage "cannot read the kernel '$kernel'"
	[ -r "$initrd" ] || usage "cannot read the initrd '$initrd'"
	[ -n "$out" ] || [ -n "$probe" ] || usage '--out is missing'
}

# The command line of QEMU, in the array "command".
compose()
{
	local cpu='max,-rdrand,-rdseed' accel cmdline disk nr=${#disks[@]}
	local machine=q35 stream=(-serial chardev:stream)

	# Copies with ERMS are slow in TCG, by a factor of six for long ones.
	case $mode in
	virtual) accel=tcg cpu="$cpu,-erms" ;;
	tcg) accel='tcg,thread=multi' cpu="$cpu,-erms" ;;
	kvm) accel=kvm ;;
	esac
	command=("$qemu" -accel "$accel")
	# A guest ends by a reset, which -no-reboot turns into the end of QEMU.
	cmdline='console=ttyS0 panic=-1 oops=panic null_blk.nr_devices=0'
	# Nothing of the host may reach the guest: no entropy, no clock.
	cmdline="$cmdline nokaslr norandmaps random.trust_cpu=off random.trust_bootloader=off"
	if [ "$mode" = virtual ]; then
		# Recording (to nowhere) is for its lock alone: without it the
		# main loop may see the CPU halt before the last instructions
		# are counted, and skip idle time to a few ns past the deadline.
		command+=(-icount 'shift=0,sleep=off,rr=record,rrfile=/dev/null' -seed 1
			-rtc 'base=2026-01-01T00:00:00,clock=vm')
		# One instruction, one tick, one nanosecond: nothing to calibrate.
		cmdline="$cmdline tsc_early_khz=1000000 tsc=reliable"
	fi
	# The check that its timer ticks fails if the host is busy.
	[ "$mode" != tcg ] || cmdline="$cmdline no_timer_check"
	if [ "$nr" -gt 0 ]; then
		# It has virtio devices without PCI, and one serial port. With
		# ACPI it has no timer that the guest's clock could go by.
		machine=microvm,acpi=off
		stream=(-device 'isa-serial,chardev=stream,index=1')
	fi
	command+=(-machine "$machine" -cpu "$cpu" -smp "$smp" -m "$mem"
		-nodefaults -no-user-config -display none -no-reboot
		-chardev 'file,id=console,path=console.log' -serial chardev:console
		-chardev 'file,id=stream,path=stream.tmp' "${stream[@]}"
		-kernel "$kernel" -initrd "$initrd"
		-append "$cmdline${append:+ $append}")
	# The guest hears of the last bus first.
	for disk in "${disks[@]}"; do
		[ ! -S "$disk" ] || disk=nbd:unix:$disk
		command+=(-drive "file=${disk//,/,,},format=raw,if=none,cache=writeback,id=disk$((--nr))"
			-device "virtio-blk-device,drive=disk$nr,bus=virtio-mmio-bus.$nr")
	done
}

# Nothing of an earlier boot, and nothing half-way, may be taken for a result.
drop_results()
{
	rm -rf results results.tmp results.tgz stream stream.tmp
}

# End QEMU by its pid: it may ignore TERM, not KILL.
end_qemu()
{
	local tries

	[ -n "$pid" ] || return 0
	# The shell itself would report a child that was killed.
	{
		kill "$pid" || :
		for tries in 1 2 3 4 5 6 7 8 9 10; do
			kill -0 "$pid" || break
			[ "$tries" != 10 ] || kill -KILL "$pid" || :
			sleep 0.2
		done
		wait "$pid" || :
	} 2>/dev/null
	pid=
}

console_has()
{
	grep -aqE "$1" console.log 2>/dev/null
}

# Write boot.json, say why on stderr, exit.
finish()
{
	local code=$1 reason=$2

	trap '' INT TERM
	end_qemu
	[ -e results ] || drop_results
	rm -f qemu.err results.tgz
	printf '{"mode":"%s","qemu_version":"%s","exit_code":%d,"reason":"%s","host_seconds":%d}\n' \
		"$mode" "$version" "$code" "$reason" "$SECONDS" >boot.json.tmp
	mv boot.json.tmp boot.json
	if [ "$code" -ne 0 ]; then
		echo "boot.sh: $reason" >&2
		# As long as the trace of a panic.
		tail -n 60 console.log >&2 2>/dev/null || :
	fi
	exit "$code"
}

start()
{
	rm -f console.log boot.json qemu.err
	drop_results
	printf '%q ' "${command[@]}" >qemu.cmdline
	echo >>qemu.cmdline
	# Even if this shell is killed, no QEMU stays behind.
	setpriv --pdeathsig KILL "${command[@]}" </dev/null >/dev/null 2>qemu.err &
	pid=$!
}

# look_at_cpu: sets "cpu", the seconds of CPU time that QEMU has had, and "idle", those
# of the host's clock since it last had any.
look_at_cpu()
{
	local stat ticks

	read -ra stat <"/proc/$pid/stat" || return 0
	ticks=$((stat[13] + stat[14]))
	[ "$ticks" = "$ticks_seen" ] || worked=$SECONDS
	ticks_seen=$ticks
	cpu=$((ticks / hz))
	idle=$((SECONDS - worked))
}

# Wait until QEMU has ended; its status is in "status".
supervise()
{
	local up='' cpu=0 idle=0 ticks_seen=0 worked=$SECONDS booted ran of_boot='' of_run=''
	local patience=$((limit < 60 ? limit : 60))

	[ "$mode" = kvm ] || of_boot=' of CPU time'
	[ "$mode" != virtual ] || of_run=' of CPU time'
	while kill -0 "$pid" 2>/dev/null; do
		look_at_cpu 2>/dev/null
		booted=${of_boot:+$cpu} ran=${of_run:+$cpu}
		if [ -z "$up" ] && console_has 'guest: init up'; then
			up=yes
		fi
		if [ -z "$up" ] && [ "${booted:-$SECONDS}" -ge "$boot_limit" ]; then
			explain_death
			finish 10 "the guest did not boot within $boot_limit s$of_boot: is it a vmlinux with PVH, a serial console and RD_ZSTD?"
		fi
		if [ "${ran:-$SECONDS}" -ge "$limit" ]; then
			explain_death
			finish 12 "the guest hung, it was ended after $limit s$of_run: see console.log, or raise --limit"
		fi
		if [ "$mode" = virtual ] && [ "$idle" -ge "$patience" ]; then
			explain_death
			finish 12 "the guest hung, QEMU had no CPU time for $idle s: see console.log"
		fi
		sleep 0.2
	done
	status=0
	wait "$pid" || status=$?
	pid=
}

# What a kernel says first of its end, and where it was, in one line.
panic_says()
{
	{
		grep -aoE -m 1 "($panic).*" console.log | sed 's/^\[[ .0-9]*\] //'
		grep -aoE -m 1 'RIP: .*' console.log
	} | tr -d '"\134\r' | paste -sd ' '
}

# The guest's own account of its end goes before what the host saw of it.
explain_death()
{
	if console_has 'oom-kill:|Out of memory:'; then
		finish 13 'the OOM killer of the guest fired: give it more memory (--mem)'
	elif console_has "$panic"; then
		finish 11 "the kernel of the guest panicked: $(panic_says)"
	fi
}

# Check the stream against its own header and unpack it; "rc" is the row's.
receive()
{
	local magic rc_field bytes_field sha_field size

	read -r magic rc_field bytes_field sha_field <stream.tmp 2>/dev/null || return 1
	case "$magic $rc_field $bytes_field $sha_field" in
	FWP1\ rc=[0-9]*\ bytes=[0-9]*\ sha256=*) ;;
	*) return 1 ;;
	esac
	rc=${rc_field#rc=}
	size=$(stat -c %s stream.tmp)
	[ "$((size - $(head -n 1 stream.tmp | wc -c)))" = "${bytes_field#bytes=}" ] || return 1
	tail -n +2 stream.tmp >results.tgz
	mkdir results.tmp
	echo "${sha_field#sha256=}  results.tgz" | sha256sum --status -c - &&
		tar -xzf results.tgz -C results.tmp --no-same-owner --strip-components 1 ||
		return 1
	mv stream.tmp stream
	mv results.tmp results
}

boot()
{
	local rc='' hz

	mkdir -p "$out"
	hz=$(getconf CLK_TCK)
	cd "$out"
	version=$(command -v "$qemu" >/dev/null && "$qemu" --version | head -n 1 | tr -d '"\134') || version=
	pid=
	trap 'finish 130 "interrupted"' INT TERM
	[ -n "$version" ] || finish 16 "no $qemu: install qemu-system-x86"
	if [ "$mode" = kvm ] && ! { [ -r /dev/kvm ] && [ -w /dev/kvm ]; }; then
		finish 16 'no usable /dev/kvm: use --mode virtual or --mode tcg'
	fi
	compose
	start
	supervise
	explain_death
	if [ "$status" -ne 0 ]; then
		finish 16 "QEMU ended with status $status: $(tail -n 1 qemu.err | tr -d '"\134')"
	fi
	console_has 'guest: init up' ||
		finish 10 'the guest ended before its init began: see console.log'
	if ! receive; then
		drop_results
		finish 17 'the results came torn or not at all: see console.log'
	fi
	case $rc in
	0) finish 0 ok ;;
	14) finish 14 'the tracer in the guest was lost: see console.log' ;;
	*) finish 15 "the workload in the guest failed with status $rc: see console.log" ;;
	esac
}

probe_kvm()
{
	local dir status=0

	dir=$(mktemp -d)
	# shellcheck disable=SC2064 # the directory of now
	trap "rm -rf '$dir'" EXIT
	mkdir "$dir/row"
	printf '#!/bin/sh\nexit 0\n' >"$dir/row/run"
	chmod +x "$dir/row/run"
	"$bench/initramfs.sh" row "$initrd" "$dir/row" "$dir/initrd"
	"$self" --mode kvm --kernel "$kernel" --initrd "$dir/initrd" --out "$dir/out" \
		--limit 60 --boot-limit 60 2>"$dir/why" &
	trap 'kill $! 2>/dev/null; wait $!; exit 130' INT TERM
	wait $! || status=$?
	[ "$status" -eq 0 ] || die 1 "KVM does not work here: $(sed -n 's/^boot.sh: //p' "$dir/why" | head -n 1)"
}

parse_args "$@"
kernel=$(realpath "$kernel")
initrd=$(realpath "$initrd")
if [ -n "$probe" ]; then
	probe_kvm
else
	boot
fi
