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
#	POLICY=a,b	only these rows
#	UNPATCHED=1	also the kernel without the patches
#	SERIES=v7.3	which series the patched kernel has
#	JOBS=2		rows side by side
#	RESULTS=results	where the runs are kept
#
# A run that was cut short is taken up again at the rows that are missing, as
# long as nothing that goes into it has changed. One folder a run is left under
# results, and a link to the latest.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

workload=reproducer
MODE=${MODE:-virtual}
SCALE=${SCALE:-64}
SEED=${SEED:-1}
POLICY=${POLICY:-}
UNPATCHED=${UNPATCHED:-}
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
[[ $JOBS =~ ^[1-9][0-9]?$ ]] || die "bad JOBS=$JOBS: the number of rows side by side"

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
	for dir in "$top/bench/workloads/$workload/rows"/* "$top/policies"/*; do
		[ "$(row_value "$dir" kernel)" != unpatched ] ||
			[ -n "$UNPATCHED" ] || continue
		# A policy that only another series has.
		only=$(row_value "$dir" series)
		[ -z "$only" ] || [ "$only" = "$SERIES" ] || continue
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

# What the thread had, divided. Time is not: a writer pauses for at most 200 ms
# whatever the size of the machine, so there are fewer writers rather than
# slower ones, as long as that gives one at least.
file_mb=$((3072 / SCALE))
writers=$((32 / SCALE))
[ "$writers" -ge 1 ] || writers=1
disk_mb=$((16 * file_mb + 256))
mem_mb=$((131072 / SCALE + disk_mb + 128))
background=$((13086228480 / SCALE / 4096 * 4096))
common_env="FWP_SCALE=$SCALE
FWP_FILES=16
FWP_FILE_MB=$file_mb
FWP_JOBS=$writers
FWP_RATE=$((9984 / SCALE / writers))
FWP_RUNTIME=120
FWP_DISK_MB=$disk_mb
FWP_COMPLETION_NS=$((SCALE * 1000000000 / 3000))
FWP_DIRTY_BG_BYTES=$background
FWP_DIRTY_BYTES=$((2 * background))
FWP_SEED=$SEED"

available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
while [ "$((JOBS * mem_mb))" -gt "$available" ] && [ "$JOBS" -gt 1 ]; do
	JOBS=$((JOBS - 1))
done
[ "$mem_mb" -le "$available" ] ||
	die "a guest at SCALE=$SCALE needs $mem_mb MiB and $available MiB are free: choose a larger SCALE"

kernel=$("$top/bench/kernel.sh" bench)
unpatched=
for name in "${rows[@]}"; do
	[ "$(row_value "${row_dir[$name]}" kernel)" != unpatched ] ||
		unpatched=$("$top/bench/kernel.sh" unpatched)
done
make -s -C "$top/bench/report" O="$build/report"
image=$build/base.img
"$top/bench/initramfs.sh" base "$image"

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
		cat "$kernel/sums" "${unpatched:-$kernel}/sums"
		sha256sum <"$image"
		qemu-system-x86_64 --version
		hash_of "$top/bench/boot.sh" "$top/bench/compare.sh" \
			"$top/bench/workloads/$workload"/*.fio \
			"$top/bench/workloads/$workload/run" "$report"
		for name in "${rows[@]}"; do
			hash_of "${row_dir[$name]}"/*
		done
		echo "$MODE $common_env ${rows[*]}"
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
ln -sfn "$(basename "$run")" "$results/latest"

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
		"$workload" "$MODE" "$SCALE" "$SEED"
	printf '  "kernel": %s, "source": %s,\n' \
		"$(quote "$(cat "$kernel/release")")" "$(quote "$(info source)")"
	printf '  "stack_hash": %s, "config_hash": %s, "compiler": %s,\n' \
		"$(quote "$(info stack)")" "$(quote "$(info config)")" \
		"$(quote "$(info compiler)")"
	printf '  "qemu": %s, "fio": %s, "xfsprogs": %s, "busybox": %s,\n' \
		"$(package_version qemu-system-x86)" "$(package_version fio)" \
		"$(package_version xfsprogs)" "$(package_version busybox-static)"
	printf '  "order": %s,\n' "$(quote "${rows[*]}")"
	printf '  "command": "make compare MODE=%s SCALE=%d SEED=%d SERIES=%s%s%s",\n' \
		"$MODE" "$SCALE" "$SEED" "$SERIES" "${UNPATCHED:+ UNPATCHED=1}" \
		"${POLICY:+ POLICY=$POLICY}"
	printf '  "host": { "cpu": %s, "date": "%s", "side_by_side": %d } }\n' \
		"$(quote "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)")" \
		"$(date +%Y-%m-%d)" "$JOBS"
} >"$run/run.json.tmp"
mv "$run/run.json.tmp" "$run/run.json"

# compose NAME DIR: what the guest finds as /row.
compose()
{
	local from=${row_dir[$1]} policy=none load load_hint

	mkdir -p "$2"
	cp "$top/bench/workloads/$workload"/*.fio \
		"$top/bench/workloads/$workload/run" "$2/"
	if [ -e "$from/sysctl.conf" ]; then
		cp "$from/sysctl.conf" "$2/"
		policy=$(sed -n 's/^vm\.folio_write_policy *= *//p' "$2/sysctl.conf")
	fi
	[ "$(row_value "$from" kernel)" != unpatched ] || policy=unpatched
	load=$(row_value "$from" load)
	load_hint=$(row_value "$from" load_hint)
	cat >"$2/env" <<-END
		FWP_ROW=$1
		FWP_POLICY=$policy
		FWP_LOAD=${load:-yes}
		FWP_LOAD_HINT=${load_hint:-none}
		$common_env
	END
}

# run_row NAME: boots the guest of a row and leaves its row.json, also where the
# guest failed. In the background: ended by TERM, which it hands on.
run_row()
{
	local dir=$run/rows/$1 vmlinux=$kernel/vmlinux rc=0 payload boot=

	# Whatever boot.sh's status is: set -e holds in a trap, too.
	trap '[ -z "$boot" ] || { kill "$boot" || :; wait "$boot" || :; }; rm -rf "$dir"; exit 130' INT TERM
	[ "$(row_value "${row_dir[$1]}" kernel)" != unpatched ] ||
		vmlinux=$unpatched/vmlinux
	rm -rf "$dir"
	mkdir -p "$dir"
	payload=$dir/payload
	compose "$1" "$payload"
	"$top/bench/initramfs.sh" row "$image" "$payload" "$dir/initrd"
	"$top/bench/boot.sh" --mode "$MODE" --kernel "$vmlinux" \
		--initrd "$dir/initrd" --out "$dir" --mem "$mem_mb" \
		--limit 1800 2>"$dir/why" &
	boot=$!
	wait "$boot" || rc=$?
	boot=
	rm -rf "$payload" "$dir/initrd"
	[ "$rc" != 130 ] || { rm -rf "$dir"; exit 130; }
	[ "$rc" = 0 ] || sed "s/^/$1: /" "$dir/why" >&2
	cp "${row_dir[$1]}/row.conf" "$dir/row.conf"
	"$report" row "$dir/row.conf" "${row_dir[$1]}/expect" "$dir" || true
	return "$rc"
}

declare -A running=()
failed=0
finished=0

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
	local pid rc=0

	wait -n -p pid "${!running[@]}" || rc=$?
	finished=$((finished + 1))
	say "$finished of ${#rows[@]}: ${running[$pid]} has ended; $(elapsed) elapsed, about $((2 * ((${#rows[@]} - finished + JOBS - 1) / JOBS))) min to go" >&2
	unset "running[$pid]"
	[ "$rc" = 0 ] || failed=$rc
}

say "${#rows[@]} rows in the order ${rows[*]}, $JOBS side by side, about 2 min each" >&2
for name in "${rows[@]}"; do
	if grep -qs '"valid": true' "$run/rows/$name/row.json"; then
		say "$name is there already" >&2
		finished=$((finished + 1))
		continue
	fi
	[ "${#running[@]}" -lt "$JOBS" ] || reap
	run_row "$name" &
	running[$!]=$name
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
