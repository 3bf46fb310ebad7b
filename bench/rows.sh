# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Boots the guests of rows, for bench/compare.sh, which sources it and whose
# variables it uses: top, workload_dir, row_dir, kernels, run, report, image, trace,
# common_env, MODE, SEED, SEEDS, mem_mb.
# shellcheck disable=SC2154

# dir_of N NAME: where what the Nth run of a row leaves is kept.
dir_of()
{
	if [ "$1" = 1 ]; then
		echo "$run/rows/$2"
	else
		echo "$run/repeats/$1/$2"
	fi
}

is_there()
{
	grep -qs '"valid": true' "$(dir_of "$1" "$2")/row.json"
}

# compose NAME DIR SEED: what the guest finds as /row. What a row's row.conf says
# of the workload's settings is said instead of them.
compose()
{
	local from=${row_dir[$1]} policy=none own

	mkdir -p "$2"
	find "$workload_dir" -maxdepth 1 -name '*.fio' -exec cp -t "$2" {} +
	cp "$workload_dir/run" "$top/bench/guest/workload.sh" "${trace[@]}" "$2/"
	if [ -e "$from/sysctl.conf" ]; then
		cp "$from/sysctl.conf" "$2/"
		policy=$(sed -n 's/^vm\.folio_write_policy *= *//p' "$2/sysctl.conf")
	fi
	[ "$(variant_of "$1")" != unpatched ] || policy=unpatched
	own=$(grep '^FWP_' "$from/row.conf" || true)
	{
		echo "FWP_ROW=$1"
		echo "FWP_POLICY=$policy"
		grep -vxE "($(cut -d= -f1 <<<"$own" | paste -sd'|'))=.*" \
			<<<"${common_env/FWP_SEED=$SEED/FWP_SEED=$3}"
		[ -z "$own" ] || echo "$own"
	} >"$2/env"
}

# expects NAME: the files that say what the row must show, a line each.
expects()
{
	local file

	for file in "${row_dir[$1]}/expect" "$workload_dir/expect/all" \
		"$workload_dir/expect/$1"; do
		[ ! -e "$file" ] || echo "$file"
	done
}

# say_row CONSOLE ROWS: where a boot with so many rows is, if that is new.
say_row()
{
	local rows

	mapfile -t rows < <(sed -n 's/^interleave: row \([a-z0-9-]*\).*/\1/p' "$1" 2>/dev/null)
	[ ${#rows[@]} -gt "$said" ] || return 0
	said=${#rows[@]}
	say "row ${rows[-1]}, $said of $2 in this boot; $(elapsed) elapsed" >&2
}

# boot_guest VARIANT DIR ROWS: boot DIR/payload, as a job that is ended by TERM and
# hands it on, then leaving no DIR.
boot_guest()
{
	local dir=$2 boot='' rc=0 said=0

	# Whatever boot.sh's status is: set -e holds in a trap, too.
	trap '[ -z "$boot" ] || { kill "$boot" || :; wait "$boot" || :; }; rm -rf "$dir"; exit 130' INT TERM
	"$top/bench/initramfs.sh" row "$image" "$dir/payload" "$dir/initrd"
	"$top/bench/boot.sh" --mode "$MODE" --kernel "${kernels[$1]}/vmlinux" \
		--initrd "$dir/initrd" --out "$dir" --mem "$mem_mb" \
		--limit $((1800 * $3)) 2>"$dir/why" &
	boot=$!
	while [ "$3" -gt 1 ] && kill -0 "$boot" 2>/dev/null; do
		sleep 2
		say_row "$dir/console.log" "$3"
	done
	wait "$boot" || rc=$?
	boot=
	rm -rf "$dir/payload" "$dir/initrd"
	[ "$rc" != 130 ] || { rm -rf "$dir"; exit 130; }
	return "$rc"
}

# report_row NAME DIR: make row.json of what its guest left, also if that failed.
report_row()
{
	local expects

	cp "${row_dir[$1]}/row.conf" "$2/row.conf"
	mapfile -t expects < <(expects "$1")
	"$report" row "$run/metrics.json" "$2/row.conf" "$2" "${expects[@]}" || true
}

# run_row N NAME: boots the guest of a row for the Nth time.
run_row()
{
	local dir rc=0 seed=$SEED

	dir=$(dir_of "$1" "$2")
	[ "$SEEDS" = 1 ] || seed=$((SEED + $1 - 1))
	rm -rf "$dir"
	mkdir -p "$dir"
	compose "$2" "$dir/payload" "$seed"
	boot_guest "$(variant_of "$2")" "$dir" 1 || rc=$?
	[ "$rc" = 0 ] || sed "s/^/$2: /" "$dir/why" >&2
	report_row "$2" "$dir"
	return "$rc"
}

# hand_over N NAME BOOT: what a row has of the boot that it shared with others. If
# it ended well, so did the boot as far as it goes.
hand_over()
{
	local dir

	dir=$(dir_of "$1" "$2")
	rm -rf "$dir"
	mkdir -p "$dir"
	cp "$3"/{boot.json,console.log,qemu.cmdline} "$dir/"
	[ ! -d "$3/results/rows/$2" ] || mv "$3/results/rows/$2" "$dir/results"
	if grep -qsx "$2 0" "$3/results/ended"; then
		sed -i -E 's/"exit_code":[0-9]+,"reason":"[^"]*"/"exit_code":0,"reason":"ok"/' \
			"$dir/boot.json"
	fi
	report_row "$2" "$dir"
}

# run_round N VARIANT NAME...: boots one guest for these rows, for the Nth time of
# each. Where one fails, it has ended the boot, and the rest gets another.
run_round()
{
	local n=$1 variant=$2 boot=$run/boot name culprit rc failed=0 left

	shift 2
	while [ $# -gt 0 ]; do
		rm -rf "$boot"
		mkdir -p "$boot/payload/rows"
		cp "$top/bench/guest/interleave" "$boot/payload/run"
		printf '%s\n' "$@" >"$boot/payload/order"
		for name; do
			compose "$name" "$boot/payload/rows/$name" "$SEED"
		done
		rc=0
		boot_guest "$variant" "$boot" $# || rc=$?
		culprit=
		if [ "$rc" != 0 ]; then
			failed=$rc
			culprit=$(sed -n 's/^interleave: row \([a-z0-9-]*\).*/\1/p' \
				"$boot/console.log" | tail -n 1)
			sed "s/^/${culprit:-$*}: /" "$boot/why" >&2
		fi
		left=()
		for name; do
			# One that did not get as far as its first row fails for all.
			if [ -z "$culprit" ] || [ "$name" = "$culprit" ] ||
			   grep -qsx "$name 0" "$boot/results/ended"; then
				hand_over "$n" "$name" "$boot"
			else
				left+=("$name")
			fi
		done
		set -- "${left[@]}"
	done
	rm -rf "$boot"
	return "$failed"
}
