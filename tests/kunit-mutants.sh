#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit-mutants.sh [PATTERN]
#	Put the faults of tests/mutants/kunit (those whose line matches PATTERN) into
#	the patched source, build the kernel with the KUnit tests, boot it, and
#	see that the test that is named for each fails. One fault of each group
#	of files at a time, whose tests know nothing of each other.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

pattern=${1:-.}
work=$build/kunit-mutants

# The tests of the page counts look for records, too.
group_of()
{
	case $1 in
	include/linux/folio_charge.h|fs/iomap/*) echo iomap ;;
	*) echo "$1" ;;
	esac
}

# The sources as they were: with a time of now, or the objects would stay as they
# are. As far as the tree is concerned, nothing has happened to it.
restore()
{
	[ -d "$work/saved" ] || return 0
	(cd "$work/saved" && find . -type f -exec cp {} "$tree/{}" \;)
	touch "$tree.applied"
	rm -rf "$work/saved"
}

# mutate FILE FROM TO
mutate()
{
	mkdir -p "$(dirname "$work/saved/$1")"
	cp "$tree/$1" "$work/saved/$1"
	FROM=$2 TO=$3 python3 - "$tree/$1" <<-'END'
	import os, sys
	path, old, new = sys.argv[1], os.environ["FROM"], os.environ["TO"]
	text = open(path).read()
	if text.count(old) != 1:
	    sys.exit(f"'{old}' stands {text.count(old)} times in {path}")
	open(path, "w").write(text.replace(old, new))
	END
}

make_mutant()
{
	make -C "$tree" O=out-kunit-mutants CC='ccache gcc' -s -j"$(nproc)" "$@" \
		>"$work/build.log" 2>&1
}

# run: what the tests say of the faults that are in is left in $work/said
run()
{
	rm -rf "$work/out"
	make_mutant vmlinux || {
		grep -m 1 error: "$work/build.log" >"$work/said"
		return
	}
	"$top/bench/boot.sh" --mode tcg --mem 512 --append kunit.enable=1 --limit 300 --initrd "$work/initrd" \
		--kernel "$tree/out-kunit-mutants/vmlinux" --out "$work/out" \
		2>"$work/said" || :
	[ ! -r "$work/out/results/tests.log" ] ||
		cp "$work/out/results/tests.log" "$work/said"
}

# found SUITE.TEST: by that test?
found()
{
	grep -q "^not ok kunit\.[a-z_]*_${1%.*}[a-z_]*\.${1#*.}: " "$work/said" && return
	grep -q '^ok ' "$work/said" && echo 'survived' && return 1
	head -n 1 "$work/said"
	return 1
}

export CCACHE_DIR=$cache/ccache CCACHE_NOHASHDIR=1
config=$("$top/bench/kernel.sh" kunit)/config
take_lock
mkdir -p "$work/row"
# Of a run that was killed.
[ ! -e "$work/tree" ] || { tree=$(cat "$work/tree"); restore; }
tree=$("$top/bench/tree.sh" patched)
echo "$tree" >"$work/tree"
trap restore EXIT
trap 'exit 130' INT TERM

cp "$top/tests/guest/run" "$work/row"
cat >"$work/row/env" <<-END
FWP_TESTS=kunit
FWP_POLICIES=yes
FWP_SEED=1
FWP_OPS=1
END
"$top/bench/initramfs.sh" core "$work/core"
"$top/bench/initramfs.sh" row "$work/core" "$work/row" "$work/initrd"
mkdir -p "$tree/out-kunit-mutants"
cp "$config" "$tree/out-kunit-mutants/.config"
make_mutant olddefconfig vmlinux || die "the kernel does not build: see $work/build.log"

declare -A nr_of=() batches=()
while IFS= read -r line; do
	mapfile -t field <<<"${line// | /$'\n'}"
	group=$(group_of "${field[1]}")
	nr=${nr_of[$group]:-0}
	nr_of[$group]=$((nr + 1))
	batches[$nr]+=$line$'\n'
done < <(grep -v -e '^#' -e '^$' "$top/tests/mutants/kunit" | grep -e "$pattern")

for ((nr = 0; nr < ${#batches[@]}; nr++)); do
	say "batch $((nr + 1)) of ${#batches[@]}; $(elapsed) elapsed" >&2
	tests=() names=()
	while IFS= read -r line; do
		mapfile -t field <<<"${line// | /$'\n'}"
		field=("${field[@]//\\|/|}")
		mutate "${field[@]:1:3}"
		tests+=("${field[0]}")
		names+=("${field[1]}: ${field[2]} -> ${field[3]}")
	done <<<"${batches[$nr]%$'\n'}"
	run
	restore
	for i in "${!tests[@]}"; do
		check "${tests[i]} finds ${names[i]}" found "${tests[i]}"
	done
done
rm -rf "$tree/out-kunit-mutants"
summary
