#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles, for each prefix of the series, the directories that its last patch
# touches, with W=1; a warning in a file of the stack is a failure.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

CCACHE_DIR=$cache/ccache
CCACHE_NOHASHDIR=1
export CCACHE_DIR CCACHE_NOHASHDIR
take_lock

# The directories of the C files of a patch; a header is compiled with them.
directories()
{
	sed -n 's#^+++ b/\(.*\)/[^/]*\.c$#\1/#p' "$top/patches/$1" | sort -u
}

compile()
{
	tree=$("$top/bench/tree.sh" prefix "$1") || return 1
	out=$tree/out-prefix
	mkdir -p "$out"
	make_prefix()
	{
		make -C "$tree" O=out-prefix CC='ccache gcc' -s -j"$(nproc)" "$@"
	}
	if [ ! -e "$out/.config" ]; then
		make_prefix tinyconfig
		cat "$top"/bench/config/base.config "$top"/bench/config/mm.config \
			"$top"/bench/config/trace.config >>"$out/.config"
	fi
	grep -q '^CONFIG_FOLIO_WRITE_POLICY=y' "$out/.config" ||
		cat "$top/bench/config/stack.config" >>"$out/.config"
	make_prefix olddefconfig
	# shellcheck disable=SC2046 # words on purpose
	make_prefix W=1 $(directories "$2")
}

prefix_compiles()
{
	log=$build/log/prefix-$1.log
	mkdir -p "$build/log"
	compile "$1" "$2" >"$log" 2>&1 || {
		grep -m 1 -E 'error:|Error' "$log" || tail -n 1 "$log"
		return 1
	}
	! grep -E 'warning:|^Warning:' "$log" | grep -m 1 folio_write
}

n=0
for patch in $(series_patches); do
	n=$((n + 1))
	check "prefix $n compiles ($patch)" prefix_compiles "$n" "$patch"
done
summary
