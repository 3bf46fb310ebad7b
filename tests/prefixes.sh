#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles, for each prefix of the series, the directories that its last patch
# touches, with W=1; a warning in a file of the stack is a failure.
#
#	tests/prefixes.sh		no more than that
#	tests/prefixes.sh --boot	then builds all of each, and boots it
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

case $* in
'') boot= ;;
--boot) boot=yes ;;
*) die "unknown argument $*: --boot or nothing" ;;
esac

CCACHE_DIR=$cache/ccache
CCACHE_NOHASHDIR=1
export CCACHE_DIR CCACHE_NOHASHDIR
take_lock

# The directories of the C files of a patch; a header is compiled with them, and
# so is what a C file includes.
directories()
{
	sed -n 's#^+++ b/\(.*\)/[^/]*\.c$#\1/#p' "$top/patches/$1" |
		sed 's#/tests/$#/#' | sort -u
}

make_prefix()
{
	make -C "$tree" O=out-prefix CC='ccache gcc' -s -j"$(nproc)" "$@"
}

compile()
{
	tree=$("$top/bench/tree.sh" prefix "$1") || return 1
	out=$tree/out-prefix
	mkdir -p "$out"
	if [ ! -e "$out/.config" ]; then
		make_prefix tinyconfig
		cat "$top"/bench/config/base.config "$top"/bench/config/mm.config \
			"$top"/bench/config/trace.config >>"$out/.config"
	fi
	grep -q '^CONFIG_FOLIO_WRITE_POLICY=y' "$out/.config" ||
		cat "$top/bench/config/stack.config" >>"$out/.config"
	make_prefix olddefconfig
	dirs=$(directories "$2")
	# Without any, make would build all of the kernel.
	[ -n "$dirs" ] || return 0
	# shellcheck disable=SC2086 # words on purpose
	make_prefix W=1 $dirs
}

# why LOG: what went wrong, in one line
why()
{
	grep -m 1 -E 'error:|Error' "$1" || tail -n 1 "$1"
	return 1
}

prefix_compiles()
{
	log=$build/log/prefix-$1.log
	compile "$1" "$2" >"$log" 2>&1 || why "$log" || return 1
	! grep -E 'warning:|^Warning:' "$log" | grep -m 1 -E 'folio_(write|charge)'
}

prefix_boots()
{
	log=$build/log/prefix-$1-boot.log
	tree=$("$top/bench/tree.sh" prefix "$1") || return 1
	make_prefix vmlinux >"$log" 2>&1 || why "$log" || return 1
	"$top/bench/boot.sh" --mode tcg --mem 512 --limit 300 \
		--kernel "$tree/out-prefix/vmlinux" --initrd "$build/prefix-guest/initrd" \
		--out "$build/prefix-guest/boot" >"$log" 2>&1 || why "$log"
}

# An image whose program does nothing but end well.
mkdir -p "$build/log"
if [ -n "$boot" ]; then
	mkdir -p "$build/prefix-guest/row"
	printf '#!/bin/sh\nexit 0\n' >"$build/prefix-guest/row/run"
	chmod +x "$build/prefix-guest/row/run"
	"$top/bench/initramfs.sh" core "$build/prefix-guest/core"
	"$top/bench/initramfs.sh" row "$build/prefix-guest/core" "$build/prefix-guest/row" \
		"$build/prefix-guest/initrd"
fi

n=0
total=$(series_patches | wc -l)
for patch in $(series_patches); do
	n=$((n + 1))
	check "prefix $n compiles ($patch)" prefix_compiles "$n" "$patch"
	[ -n "$boot" ] || continue
	check "prefix $n boots ($patch)" prefix_boots "$n"
	say "$n of $total prefixes; $(elapsed) elapsed" >&2
done
summary
