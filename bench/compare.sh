#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs a workload under every policy, a fresh boot each, and prints the table:
#
#	bench/compare.sh
#
# From the environment:
#	MODE=virtual	virtual (figures exact), tcg or kvm (real time), or auto:
#			kvm if a boot under it works, else tcg
#	SCALE=64	one over the share of the thread's memory, files, rate,
#			volume and limits; a power of two from 16 to 256
#	SEED=1		of the workload's random numbers
#	SEEDS=1		virtual time: how many seeds from SEED on each row is run with
#	RUNS=1		real time: how often each row is run, in random order
#	WORKLOAD=reproducer	a folder of bench/workloads
#	POLICY=a,b	only these rows
#	UNPATCHED=1	also the kernel without the patches
#	TRACE=1		with the scripts of bench/trace attached in the guest, into a
#			run of its own that says so
#	JOBS=2		rows side by side
#	RESULTS=results	where the runs are kept
#
# A run that was cut short is taken up again at the rows that are missing, as
# long as nothing that goes into it has changed. One folder a run is left under
# results, and a link to the latest.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$top/bench/rows.sh"

WORKLOAD=${WORKLOAD:-reproducer}
MODE=${MODE:-virtual}
SCALE=${SCALE:-64}
SEED=${SEED:-1}
SEEDS=${SEEDS:-1}
RUNS=${RUNS:-1}
POLICY=${POLICY:-}
UNPATCHED=${UNPATCHED:-}
TRACE=${TRACE:-}
JOBS=${JOBS:-$(nproc)}
results=${RESULTS:-$top/results}
report=$build/report/fwp-report

case $MODE in
virtual | tcg | kvm | auto) ;;
*) die "unknown mode MODE=$MODE: one of virtual tcg kvm auto" ;;
esac
case $SCALE in
16 | 32 | 64 | 128 | 256) ;;
*) die "unknown scale SCALE=$SCALE: one of 16 32 64 128 256 (64 is one 64th)" ;;
esac
[[ $SEED =~ ^[1-9][0-9]{0,8}$ ]] || die "bad seed SEED=$SEED: a whole number from 1 on"
[[ $SEEDS =~ ^[1-9][0-9]?$ ]] || die "bad SEEDS=$SEEDS: how many seeds, 1 to 99"
[[ $RUNS =~ ^[1-9][0-9]?$ ]] || die "bad RUNS=$RUNS: how often each row is run, 1 to 99"
if [ "$MODE" = virtual ] && [ "$RUNS" != 1 ]; then
	die "RUNS=$RUNS: virtual time repeats to the last digit: use SEEDS=$RUNS, or MODE=tcg or kvm"
elif [ "$MODE" != virtual ] && [ "$SEEDS" != 1 ]; then
	die "SEEDS=$SEEDS is for virtual time: use RUNS=$SEEDS in MODE=$MODE"
fi
# One of them is 1.
times=$((SEEDS * RUNS))
[[ $JOBS =~ ^[1-9][0-9]?$ ]] || die "bad JOBS=$JOBS: the number of rows side by side"
[[ $TRACE =~ ^1?$ ]] || die "bad TRACE=$TRACE: 1, or leave it out"

workloads=()
for dir in "$top/bench/workloads"/*/; do
	workloads+=("$(basename "$dir")")
done
[[ " ${workloads[*]} " = *" $WORKLOAD "* ]] ||
	die "unknown workload WORKLOAD=$WORKLOAD: one of ${workloads[*]}"
workload_dir=$top/bench/workloads/$WORKLOAD

# Every row is a folder: of the workload's own, or of a policy.
declare -A row_dir=()
rows=()

# row_value DIR KEY: a value of DIR/row.conf, or nothing.
row_value()
{
	sed -n "s/^$2='\{0,1\}\([^']*\)'\{0,1\}\$/\1/p" "$1/row.conf"
}

while read -r _ name dir; do
	rows+=("$name")
	row_dir[$name]=$dir
done < <(
	for dir in "$workload_dir/rows"/*/ "$top/policies"/*/; do
		dir=${dir%/}
		[ -e "$dir/row.conf" ] || continue
		[ "$(row_value "$dir" kernel)" != unpatched ] ||
			[ -n "$UNPATCHED" ] || continue
		echo "$(row_value "$dir" rank) $(basename "$dir") $dir"
	done | sort -n
)
if [ -n "$POLICY" ]; then
	chosen=()
	for name in ${POLICY//,/ }; do
		[ -n "${row_dir[$name]:-}" ] ||
			die "unknown row POLICY=$name: one of ${rows[*]}"
		chosen+=("$name")
	done
	rows=("${chosen[@]}")
fi

# What the workload asks for: the memory of its guest, the disk, the limits.
common_env="FWP_WORKLOAD=$WORKLOAD
FWP_SCALE=$SCALE
FWP_SEED=$SEED
$(SCALE=$SCALE "$workload_dir/settings")"
mem_mb=$(sed -n 's/^FWP_MEM_MB=//p' <<<"$common_env")
[[ $mem_mb =~ ^[1-9][0-9]*$ ]] ||
	die "bench/workloads/$WORKLOAD/settings prints no FWP_MEM_MB, a number of MiB"
trace=()
if [ -n "$TRACE" ]; then
	common_env+=$'\nFWP_TRACE=yes'
	trace=("$top/bench/trace"/*.bt)
	# What bpftrace and its compiler take: no less for the page cache.
	mem_mb=$((mem_mb + 384))
fi

available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
while [ "$((JOBS * mem_mb))" -gt "$available" ] && [ "$JOBS" -gt 1 ]; do
	JOBS=$((JOBS - 1))
done
[ "$mem_mb" -le "$available" ] ||
	die "a guest at SCALE=$SCALE needs $mem_mb MiB and $available MiB are free: choose a larger SCALE"

# Two at a time would use one image, and could take up the same run.
mkdir -p "$build"
exec 8>"$build/.compare.lock"
flock -n 8 || die "another comparison is at work in $build: wait for it, or end it"

# The bench kernel, and those that rows have instead of it.
declare -A kernels=()
kernel=$("$top/bench/kernel.sh" bench)
kernels[bench]=$kernel

# variant_of NAME: which kernel a row has.
variant_of()
{
	local variant

	variant=$(row_value "${row_dir[$1]}" kernel)
	echo "${variant:-bench}"
}

for name in "${rows[@]}"; do
	variant=$(variant_of "$name")
	[ -n "${kernels[$variant]:-}" ] ||
		kernels[$variant]=$("$top/bench/kernel.sh" "$variant")
done
make -s -C "$top/bench/report" O="$build/report"
# What the image has beside a bench row's own: bpftrace, the workload's programs.
image=$build/base
with=()
for extra in ${TRACE:+trace} "$WORKLOAD"; do
	[ -e "$top/bench/guest/$extra.manifest" ] || continue
	with+=(--with "$extra")
	image+=-$extra
done
image+=.img
"$top/bench/initramfs.sh" base "${with[@]}" "$image"

if [ "$MODE" = kvm ] || [ "$MODE" = auto ]; then
	say "trying KVM with a real boot, 60 s at the most" >&2
	if why=$("$top/bench/boot.sh" --probe-kvm --kernel "$kernel/vmlinux" --initrd "$image" 2>&1); then
		MODE=kvm
	elif [ "$MODE" = kvm ]; then
		die "$why: use MODE=virtual or MODE=tcg"
	else
		say "$why: falling back to MODE=tcg" >&2
		MODE=tcg
	fi
fi
# In real time, rows side by side would disturb each other.
[ "$MODE" = virtual ] || JOBS=1

# The same key, the same work: all that decides what a row's figures are.
key=$(
	{
		for variant in "${!kernels[@]}"; do
			echo "$variant $(sha256sum <"${kernels[$variant]}/sums")"
		done | sort
		sha256sum <"$image"
		qemu-system-x86_64 --version
		hash_of "$top/bench/boot.sh" "$top/bench/compare.sh" "$top/bench/rows.sh" \
			"$top"/bench/guest/{workload.sh,interleave} "$report" "${trace[@]}"
		find "$workload_dir" -type f ! -name README.rst -print0 | sort -z |
			xargs -0 sha256sum | sed "s#$top/##"
		for name in "${rows[@]}"; do
			hash_of "${row_dir[$name]}"/*
		done
		echo "$MODE $SEEDS $RUNS $common_env ${rows[*]}"
	} | sha256sum | cut -c1-12
)

mkdir -p "$results"
need_space "$results" 200 "a run's results"
run=$(find "$results" -maxdepth 1 -name "*-$key" -type d | sort | tail -n 1)
if [ -n "$run" ] && [ ! -e "$run/table.txt" ]; then
	say "taking up the interrupted run $(basename "$run")" >&2
else
	run=$results/$(date +%Y%m%d-%H%M%S)-$key
fi
mkdir -p "$run/rows"
cp "$workload_dir/metrics.json" "$run/"
ln -sfn "$(basename "$run")" "$results/latest"

# What is run in which order, "N NAME" a line: all rows once, then all again. In
# real time each time in another random order, so that what changes in the host or in
# the guest meanwhile does not always meet the same rows. Drawn once for a run.
draw_order()
{
	local n

	for ((n = 1; n <= times; n++)); do
		printf "$n %s\n" "${rows[@]}" |
			if [ "$MODE" = virtual ]; then cat; else shuf; fi
	done
}
[ -e "$run/order" ] || draw_order >"$run/order.tmp"
[ -e "$run/order" ] || mv "$run/order.tmp" "$run/order"
mapfile -t order <"$run/order"

quote()
{
	printf '"%s"' "$(printf '%s' "$1" | tr -d '"\\\n' | tr '\t' ' ')"
}

info()
{
	sed -n "s/^$1=//p" "$kernel/info"
}

package_version()
{
	# shellcheck disable=SC2016 # dpkg-query's own format
	quote "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown)"
}

{
	printf '{ "workload": "%s", "mode": "%s", "scale": %d, "seed": %d,\n' \
		"$WORKLOAD" "$MODE" "$SCALE" "$SEED"
	printf '  "kernel": %s, "source": %s,\n' \
		"$(quote "$(cat "$kernel/release")")" "$(quote "$(info source)")"
	printf '  "stack_hash": %s, "config_hash": %s, "compiler": %s,\n' \
		"$(quote "$(info stack)")" "$(quote "$(info config)")" \
		"$(quote "$(info compiler)")"
	printf '  "qemu": %s, "fio": %s, "xfsprogs": %s, "busybox": %s,\n' \
		"$(package_version qemu-system-x86)" "$(package_version fio)" \
		"$(package_version xfsprogs)" "$(package_version busybox-static)"
	[ -z "$TRACE" ] || printf '  "traced_by": %s,\n' \
		"$(quote "bpftrace $(dpkg-query -W -f '${Version}' bpftrace)")"
	printf '  "order": %s, "times": %d,\n' \
		"$(quote "$(sed 's/^1 //; s/ /:/' "$run/order" | paste -sd' ')")" "$times"
	printf '  "command": "make compare WORKLOAD=%s MODE=%s SCALE=%d SEED=%d%s%s%s%s%s",\n' \
		"$WORKLOAD" "$MODE" "$SCALE" "$SEED" "${UNPATCHED:+ UNPATCHED=1}" \
		"${POLICY:+ POLICY=$POLICY}" "$([ "$SEEDS" = 1 ] || echo " SEEDS=$SEEDS")" \
		"$([ "$RUNS" = 1 ] || echo " RUNS=$RUNS")" "${TRACE:+ TRACE=1}"
	printf '  "host": { "cpu": %s, "date": "%s", "side_by_side": %d } }\n' \
		"$(quote "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)")" \
		"$(date +%Y-%m-%d)" "$JOBS"
} >"$run/run.json.tmp"
mv "$run/run.json.tmp" "$run/run.json"

declare -A running=() rows_of=()
failed=0
finished=0
ended=0
rows_began=$(date +%s)

# shellcheck disable=SC2317 # called by the trap
stop_all()
{
	trap '' INT TERM
	[ "${#running[@]}" = 0 ] || kill "${!running[@]}" 2>/dev/null || true
	wait
	say "interrupted after $(elapsed): the same command takes it up again" >&2
	exit 130
}
trap stop_all INT TERM

reap()
{
	local pid rc=0 left

	wait -n -p pid "${!running[@]}" || rc=$?
	finished=$((finished + rows_of[$pid]))
	ended=$((ended + rows_of[$pid]))
	left=$((${#order[@]} - finished))
	say "$finished of ${#order[@]}: ${running[$pid]} has ended; $(elapsed) elapsed, about $((($(date +%s) - rows_began) * left / ended / 60 + 1)) min to go" >&2
	unset "running[$pid]"
	[ "$rc" = 0 ] || failed=$rc
}

# start TITLE ROWS COMMAND...: in the background, as soon as there is room.
start()
{
	[ "${#running[@]}" -lt "$JOBS" ] || reap
	"${@:3}" &
	running[$!]=$1
	rows_of[$!]=$2
}

took=', 1 to 2 min each'
[ "$MODE" = virtual ] || took=" in a random order, as long each as the workload's own time"
say "workload $WORKLOAD: ${#rows[@]} rows, ${rows[*]}, $times times each, $JOBS side by side$took" >&2
# In real time, the rows of a round that have the same kernel share a boot.
declare -A round=()
for ((i = 0; i < ${#order[@]}; i++)); do
	n=${order[i]%% *}
	name=${order[i]#* }
	title=$name
	[ "$times" = 1 ] || title="$name ($n of $times)"
	if is_there "$n" "$name"; then
		say "$title is there already" >&2
		finished=$((finished + 1))
	elif [ "$MODE" = virtual ]; then
		start "$title" 1 run_row "$n" "$name"
	else
		round[$(variant_of "$name")]+=" $name"
	fi
	next=${order[i + 1]:-}
	if [ "${next%% *}" != "$n" ]; then
		for variant in "${!round[@]}"; do
			read -ra names <<<"${round[$variant]}"
			start "${names[*]} ($n of $times)" "${#names[@]}" \
				run_round "$n" "$variant" "${names[@]}"
		done
		round=()
	fi
done
while [ "${#running[@]}" -gt 0 ]; do
	reap
done
trap - INT TERM

rc=0
"$report" table "$run" || rc=$?
say "the whole of it is in $(basename "$results")/$(basename "$run"), after $(elapsed)" >&2
# A guest's own failure says more than that its row is invalid.
[ "$failed" = 0 ] || exit "$failed"
exit "$rc"
