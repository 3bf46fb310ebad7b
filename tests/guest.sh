#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# guest.sh KIND=VMLINUX...
#	Boot each kernel, run in it the tests that its KIND is to pass, and print
#	what they report, a line each. KIND is
#	patched		a kernel with the policies
#	unpatched	one without the patches
#	off		one with the patches and CONFIG_FOLIO_WRITE_POLICY off
#	ledger		one with CONFIG_FOLIO_WRITE_POLICY_LEDGER
#	long		the same kernel, for what takes too long for make check
#	kunit		one with the KUnit tests of the series
#	debug		one with KASAN, lockdep and the like (bench/kernel.sh debug):
#			what the others test, in less depth, and injected faults
#	races		one with KCSAN (bench/kernel.sh kcsan)
#	mutants		the ledger's with tests/mutants: each boot has another place
#			broken, and is ok if the tests notice
#
# Exit 0 only if every boot and every test was ok; 1 if not; 2 usage; 130
# interrupted. What each guest said is kept in build/tests/.
#
# FWP_SEED is the seed of the integrity runs (default 1), FWP_OPS how many
# operations each of their threads does; FWP_ROUNDS is how often a ledger run
# looks at the ledger.
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
bench=$tests/../bench
# shellcheck source=qemu.sh
. "$tests/qemu.sh"
build=$(realpath -m "$tests/../build/tests")
image=$build/core.img
seed=${FWP_SEED:-1}
ops=${FWP_OPS:-1500}
rounds=${FWP_ROUNDS:-20}
passed=0
failed=0
mutant=
noticed=
pid=
dir=

# Enough for a machine that is busy with something else.
limit=900

# What a debug kernel says of a mistake, and what it says when it gives up looking.
splats='KASAN:|BUG:|WARNING:|possible (circular|recursive) locking|inconsistent lock|suspicious RCU|sleeping function|INFO: (task|rcu)|blocked for more than|XFS: Assertion|kmemleak: [0-9]+ new|turning off the locking correctness'

die()
{
	echo "guest.sh: $2" >&2
	exit "$1"
}

interrupted()
{
	trap '' INT TERM
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
	fi
	[ -z "$dir" ] || drop_payload
	exit 130
}

# The guest has read it; it can be made again.
drop_payload()
{
	rm -rf "$dir/row" "$dir/initrd"
}

# Count a line of a test, and print it. Of a mutant, note its failures only.
report()
{
	if [ -n "$mutant" ]; then
		case $2 in
		'not ok '*) noticed=${noticed:-${2#not ok }} ;;
		esac
		return
	fi
	echo "$1: $2"
	case $2 in
	'ok '*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
}

# boot KIND NAME CPUS VMLINUX POLICIES "UNITS" [COMMAND LINE]
boot()
{
	local kind=$1 line reports=0 status=0 mem=1024 append=${7:-}

	case $kind in ledger|long|kunit|mutants|debug|races) mem=3000 ;; esac

	dir=$build/$1-$2
	rm -rf "$dir"
	mkdir -p "$dir/row"
	# The integrity runs turn the others on while no branch is patched.
	qemu_can_patch || append="maxcpus=1 $append"
	cp "$tests/guest/run" "$tests/guest/boot" "$build/bin/"* "$dir/row"
	case $6 in
	*kselftest*) cp -R "$build/selftests/"* "$dir/row" ;;
	esac
	cat >"$dir/row/env" <<-END
	FWP_TESTS=$6
	FWP_POLICIES=$5
	FWP_SEED=$seed
	FWP_OPS=$ops
	FWP_ROUNDS=$rounds
	END
	"$bench/initramfs.sh" row "$image" "$dir/row" "$dir/initrd"
	"$bench/boot.sh" --mode tcg --smp "$3" --kernel "$4" --initrd "$dir/initrd" \
		--mem "$mem" --out "$dir" --limit "$limit" --append "$append" 2>"$dir/why" &
	pid=$!
	wait $pid || status=$?
	pid=
	drop_payload
	if [ -r "$dir/results/tests.log" ]; then
		while read -r line; do
			report "$kind" "$line"
			reports=$((reports + 1))
		done <"$dir/results/tests.log"
	fi
	# A guest that dies has noticed nothing.
	mutant=
	# 15 says that a test failed, which its own line said already.
	if [ "$status" -ne 0 ] && { [ "$status" -ne 15 ] || [ "$reports" -eq 0 ]; }; then
		report "$kind" "not ok $2: $(sed -n '1s/^boot.sh: //p' "$dir/why") ($dir/console.log)"
		sed '1d; s/^/# /' "$dir/why"
	fi
}

# The selftest of the series, as it would be installed.
selftests()
{
	local tree

	tree=$("$bench/tree.sh" patched)/tools/testing/selftests
	rm -rf "$build/selftests"
	install -D -t "$build/selftests/mm" "$tree/mm/test_folio_write_policy.sh"
	install -D -t "$build/selftests/kselftest" "$tree/kselftest/ktap_helpers.sh"
}

# Nothing in the console of a debug boot is a splat, and what would have seen one
# was at work.
console_is_clean()
{
	local line

	line=$(grep -aE -m 1 "$splats" "$dir/console.log") || :
	if ! grep -aqF 'KernelAddressSanitizer initialized' "$dir/console.log" ||
	   ! grep -aqF 'Lock dependency validator' "$dir/console.log"; then
		report debug "not ok console-$1: no KASAN or no lockdep in this kernel"
	elif [ -n "$line" ]; then
		report debug "not ok console-$1: $line ($dir/console.log)"
	else
		report debug "ok console-$1"
	fi
}

# debug_boot NAME CPUS VMLINUX "UNITS" [COMMAND LINE]
debug_boot()
{
	boot debug "$1" "$2" "$3" yes "$4" "numa=fake=2${5:+ $5}"
	console_is_clean "$1"
}

# Each operation takes several times as long as on the other kernels.
debug()
{
	local flips

	flips=$(cpus_for_flips 4)
	ops=${FWP_OPS:-400}
	rounds=${FWP_ROUNDS:-5}
	limit=1800
	"$bench/deps.sh" dmsetup
	image=$build/faults.img
	"$bench/initramfs.sh" core --with shells --with faults "$image"
	# kmemleak gives up where one of its own allocations fails.
	debug_boot faults "$flips" "$1" 'faults faults-1k balance' kmemleak=off
	debug_boot ledger "$flips" "$1" 'ledger ledger-1k switch balance kmemleak'
	debug_boot flips "$flips" "$1" 'sysctl integrity-flip cgroup balance kmemleak'
	debug_boot integrity 4 "$1" 'integrity-none integrity-account integrity-split integrity-evict integrity-cap cgroup balance kmemleak'
	debug_boot policy "$flips" "$1" 'boot policy policy-1k account balance kmemleak'
}

# No data race but those of tests/races. That something looked for them, the unit
# kcsan says.
no_new_races()
{
	local new

	new=$(tr -d '\r' <"$dir/console.log" | sed -n 's/.*BUG: KCSAN: //p' |
		sort -u | grep -vxFf "$tests/races") || :
	if [ -n "$new" ]; then
		report races "not ok races-$1: $(head -n 1 <<<"$new") ($dir/console.log)"
	else
		report races "ok races-$1"
	fi
}

# races_boot NAME CPUS VMLINUX "UNITS"
races_boot()
{
	boot races "$1" "$2" "$3" yes "$4 kcsan" numa=fake=2
	no_new_races "$1"
}

races()
{
	local flips

	flips=$(cpus_for_flips 4)
	limit=1800
	races_boot integrity 4 "$1" 'integrity-none integrity-account integrity-split integrity-evict integrity-cap cgroup balance'
	races_boot ledger "$flips" "$1" 'ledger ledger-1k switch balance'
	races_boot flips "$flips" "$1" 'sysctl integrity-flip cgroup balance'
}

# The kernel as it is must pass what each mutant of it must fail.
mutants()
{
	local number name units cpus

	cpus=$(cpus_for_flips 2)
	boot mutants none "$cpus" "$1" yes 'account switch expire-account lookup reclaim-account reports reports-16k balance' numa=fake=2
	while read -r number name units <&3; do
		case $number in '#'*) continue ;; esac
		mutant=$number
		noticed=
		boot mutants "$number" "$cpus" "$1" yes "$units" \
			"numa=fake=2 folio_charge_mutant=$number"
		if [ -n "$noticed" ]; then
			report mutants "ok $number $name: $noticed"
		else
			report mutants "not ok $number $name: nothing noticed it"
		fi
	done 3<"$tests/mutants/list"
}

run_kind()
{
	case $1 in
	patched)
		boot patched policy "$(cpus_for_flips 2)" "$2" yes 'boot policy policy-1k policy-16k writeback'
		boot patched integrity 2 "$2" yes 'integrity-none integrity-account integrity-split integrity-evict integrity-cap cgroup spoiled'
		boot patched flips "$(cpus_for_flips 2)" "$2" yes 'sysctl integrity-flip cgroup'
		boot patched parameter 1 "$2" yes boot folio_write_policy=evict
		boot patched wrong-parameter 1 "$2" yes boot folio_write_policy=shred
		;;
	ledger)
		boot ledger deltas "$(cpus_for_flips 2)" "$2" yes 'account account-1k account-16k expire-account lookup reclaim-account memory zonefs fuse balance' numa=fake=2
		boot ledger reports "$(cpus_for_flips 2)" "$2" yes 'reports reports-512 reports-1k reports-16k integrity-1k-account integrity-1k-flip integrity-16k-account integrity-16k-flip cgroup sysctl:user_namespaces balance' numa=fake=2
		boot ledger stress "$(cpus_for_flips 2)" "$2" yes 'ledger ledger-1k switch balance' numa=fake=2
		;;
	long)
		# Under every policy: the boots of ledger have one.
		boot long expire "$(cpus_for_flips 2)" "$2" yes 'expire-none expire-split expire-evict expire-cap balance' numa=fake=2
		boot long lru "$(cpus_for_flips 2)" "$2" yes 'reclaim-none reclaim-split reclaim-evict reclaim-cap balance' numa=fake=2
		boot long mglru "$(cpus_for_flips 2)" "$2" yes 'reclaim-mglru-none reclaim-mglru-account reclaim-mglru-split reclaim-mglru-evict reclaim-mglru-cap balance' numa=fake=2
		boot long v1 "$(cpus_for_flips 2)" "$2" yes 'reclaim-v1-none reclaim-v1-account reclaim-v1-split reclaim-v1-evict reclaim-v1-cap balance' numa=fake=2
		limit=1800
		boot long flips "$(cpus_for_flips 4)" "$2" yes 'flips-1khz cgroup balance' numa=fake=2
		;;
	kunit)
		# The selftest changes policies under a writer.
		boot kunit all "$(cpus_for_flips 2)" "$2" yes 'kunit kselftest' kunit.enable=1
		;;
	mutants) mutants "$2" ;;
	debug) debug "$2" ;;
	races) races "$2" ;;
	unpatched|off)
		boot "$1" all 2 "$2" no 'boot policy policy-1k policy-16k integrity-none cgroup spoiled kselftest-skips' folio_write_policy=split
		;;
	esac
}

[ $# -ge 1 ] || die 2 'no kernel: guest.sh KIND=VMLINUX..., KIND one of patched unpatched off ledger long kunit debug races mutants'
for arg; do
	case $arg in
	patched=*|unpatched=*|off=*|ledger=*|long=*|kunit=*|debug=*|races=*|mutants=*) ;;
	*) die 2 "unknown argument $arg: give patched=, unpatched=, off=, ledger=, long=, kunit=, debug=, races= or mutants= and a vmlinux" ;;
	esac
	[ -r "${arg#*=}" ] || die 2 "cannot read the kernel ${arg#*=}: build it first"
done

trap interrupted INT TERM
mkdir -p "$build/bin"
make -s -C "$tests/guest" O="$build/bin"
selftests
"$bench/initramfs.sh" core --with shells "$image"
for arg; do
	run_kind "${arg%%=*}" "$(realpath "${arg#*=}")"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
