#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Bad input to the bench's commands: each gets one clear line and a status, and
# leaves nothing behind.
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

tmp=$(mktemp -d)
trap 'mountpoint -q "$tmp/small" && umount "$tmp/small"; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
bench=$top/bench

# tree VERSION: something that looks like a kernel source of that version.
tree()
{
	mkdir -p "$tmp/$1/mm"
	touch "$tmp/$1/Kbuild" "$tmp/$1/mm/filemap.c"
	printf 'kernelversion:\n\t@echo %s\n' "$1" >"$tmp/$1/Makefile"
}

refuses 'unknown policy' 1 'unknown row POLICY=fastest: one of .*split' \
	env POLICY=fastest "$bench/compare.sh"
refuses 'unknown workload' 1 'unknown workload WORKLOAD=fastest: one of .*reproducer' \
	env WORKLOAD=fastest "$bench/compare.sh"
refuses 'a workload by its path' 1 'unknown workload WORKLOAD=../workloads/reproducer' \
	env WORKLOAD=../workloads/reproducer "$bench/compare.sh"
refuses 'unknown row of a workload' 1 'unknown row POLICY=control: one of .*split' \
	env WORKLOAD=stride POLICY=control "$bench/compare.sh"
refuses 'unknown scale' 1 'unknown scale SCALE=7: one of 16' \
	env SCALE=7 "$bench/compare.sh"
refuses 'unknown mode' 1 'unknown mode MODE=fast: one of' \
	env MODE=fast "$bench/compare.sh"
refuses 'bad seed' 1 'bad seed SEED=-1' env SEED=-1 "$bench/compare.sh"
refuses 'bad number of seeds' 1 'bad SEEDS=0' env SEEDS=0 "$bench/compare.sh"
refuses 'bad number of runs' 1 'bad RUNS=x' env RUNS=x "$bench/compare.sh"
refuses 'runs in virtual time' 1 'RUNS=3: virtual time repeats .*SEEDS=3' \
	env RUNS=3 "$bench/compare.sh"
refuses 'seeds in real time' 1 'SEEDS=3 is for virtual time: use RUNS=3 in MODE=tcg' \
	env SEEDS=3 MODE=tcg "$bench/compare.sh"
refuses 'bad TRACE' 1 'bad TRACE=yes' env TRACE=yes "$bench/compare.sh"
refuses 'bad number of rows side by side' 1 'bad JOBS=0' \
	env JOBS=0 "$bench/compare.sh"
mkdir -p "$build"
refuses 'a second comparison in a clone' 1 'another comparison is at work' \
	flock -n "$build/.compare.lock" "$bench/compare.sh"
refuses 'unknown kernel variant' 1 'usage: kernel.sh' "$bench/kernel.sh" fast
refuses 'unknown tree' 1 'usage: tree.sh' "$bench/tree.sh" fast

refuses 'KERNEL_TREE that is not there' 1 'is not a directory' \
	env KERNEL_TREE="$tmp/nowhere" "$bench/source.sh"
mkdir "$tmp/empty"
refuses 'KERNEL_TREE that is no kernel' 1 'is not a kernel source' \
	env KERNEL_TREE="$tmp/empty" "$bench/source.sh"
tree 6.12.9
refuses 'KERNEL_TREE of another version' 1 'is version 6.12.9, and the series is for 7.3' \
	env KERNEL_TREE="$tmp/6.12.9" "$bench/source.sh"
tree 7.3.4
touch "$tmp/7.3.4/.config"
refuses 'KERNEL_TREE that was built in' 1 'make mrproper' \
	env KERNEL_TREE="$tmp/7.3.4" "$bench/source.sh"
rm "$tmp/7.3.4/.config"
mkdir "$tmp/7.3.4/.pc"
refuses 'KERNEL_TREE with patches applied' 1 'patches applied' \
	env KERNEL_TREE="$tmp/7.3.4" "$bench/source.sh"

# Nobody listens on the discard port of this machine.
refuses 'no network' 1 'cannot read the package index' \
	env FWP_CACHE="$tmp/cache" http_proxy=http://127.0.0.1:9 \
	https_proxy=http://127.0.0.1:9 "$bench/source.sh"
nothing_left()
{
	left=$(find "$tmp/cache" -type f)
	[ -z "$left" ] || { echo "it left $left"; return 1; }
}
check 'no network leaves nothing' nothing_left

# A package whose bytes are not the pinned ones is not believed.
mkdir -p "$tmp/cache/source"
echo rubbish >"$tmp/cache/source/${PACKAGE}_${VERSION}_all.deb"
refuses 'a rotten cache is fetched anew' 1 'cannot read the package index' \
	env FWP_CACHE="$tmp/cache" http_proxy=http://127.0.0.1:9 \
	https_proxy=http://127.0.0.1:9 "$bench/source.sh"

# A full disk, for those who may mount one.
mkdir "$tmp/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=50m none "$tmp/small" 2>/dev/null; then
	refuses 'full disk' 1 'needs 600 MiB in .* and 50 MiB are free' \
		env FWP_CACHE="$tmp/small" "$bench/source.sh"
fi
summary
