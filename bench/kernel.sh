#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds a kernel and prints the directory that holds its vmlinux and config:
#
#	bench/kernel.sh bench		the series, config fragments of the bench
#	bench/kernel.sh unpatched	the same without the series
#	bench/kernel.sh ext4		the bench's, with ext4
#	bench/kernel.sh off		the series, CONFIG_FOLIO_WRITE_POLICY off
#	bench/kernel.sh ledger		the series, with the ledger of charges
#	bench/kernel.sh kunit		the same with the KUnit tests of the series
#	bench/kernel.sh debug		the ledger's with KASAN, lockdep and the like
#	bench/kernel.sh kcsan		the ledger's with KCSAN, for what the series touches
#	bench/kernel.sh kills		the bench's, with a disk that the host keeps
#	bench/kernel.sh fstests		the bench's, with what xfstests looks for
#	bench/kernel.sh mutants		the ledger with tests/mutants on top
#
# Built kernels are kept in the cache under a key made of all that went in:
# source, patches, fragments, compiler and this script.
set -eu
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

variant=${1:-}
case $variant in
bench) kind=patched fragments='base mm trace stack' ;;
ext4) kind=patched fragments='base mm trace stack ext4' ;;
off) kind=patched fragments='base mm trace' ;;
ledger) kind=patched fragments='base mm trace stack ledger' ;;
kunit) kind=patched fragments='base mm trace stack ledger kunit' ;;
debug) kind=patched fragments='base mm trace stack ledger debug' ;;
kcsan) kind=patched fragments='base mm trace stack ledger kcsan' ;;
kills) kind=patched fragments='base mm trace stack disk' ;;
fstests) kind=patched fragments='base mm trace stack fstests' ;;
mutants) kind=mutants fragments='base mm trace stack ledger' ;;
unpatched) kind=unpatched fragments='base mm trace' ;;
*) die "usage: kernel.sh bench | unpatched | ext4 | off | ledger | kunit | debug | kcsan | kills | fstests | mutants" ;;
esac

take_lock
tree=$("$top/bench/tree.sh" "$kind")
cc=${CC:-gcc}

# A prefix or a changed patch is another kernel.
stack=none
[ "$kind" = unpatched ] || stack=$(sha256sum <"$tree.applied")
files=$top/bench/kernel.sh
for fragment in $fragments; do
	files="$files $top/bench/config/$fragment.config"
done
key=$(
	{
		cat "$tree.source"
		echo "$stack"
		# shellcheck disable=SC2086 # a list of files
		hash_of $files
		$cc --version | head -n 1
		ld --version | head -n 1
	} | sha256sum | cut -c1-32
)
kept=$cache/kernels/$key

intact()
{
	[ -f "$kept/sums" ] && (cd "$kept" && sha256sum --check --status sums)
}

if intact; then
	touch "$kept"
	echo "$kept"
	exit 0
fi
rm -rf "$kept"

out=$tree/out-$variant
need_space "$build" 1500 "building a kernel"
need_space "$cache" 1000 "the cache of built kernels"
mkdir -p "$out"

# The same source and compiler give the same bytes, wherever and whenever: the
# output directory lies inside the tree, so that all paths are relative.
CCACHE_DIR=$cache/ccache
CCACHE_NOHASHDIR=1
KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970'
KBUILD_BUILD_USER=bench
KBUILD_BUILD_HOST=folio-write-policy
KBUILD_BUILD_VERSION=1
export CCACHE_DIR CCACHE_NOHASHDIR KBUILD_BUILD_TIMESTAMP KBUILD_BUILD_USER \
	KBUILD_BUILD_HOST KBUILD_BUILD_VERSION
make_kernel()
{
	make -C "$tree" O="out-$variant" CC="ccache $cc" ${sanitize:+"$sanitize"} "$@"
}

sanitize=
case $variant in
# Accesses in all of a kernel would take it too long: those of these files are looked
# at. Kbuild asks for each object.
kcsan)
	watched=$(series_sources | tr '\n' ' ')
	sanitize="KCSAN_SANITIZE=\$(if \$(filter $watched,\$(obj)/\$(target-stem)),y,n)"
	;;
# The entry by PVH compares strings before KASAN can be asked, by what gcc 14 makes a call
# of memcmp() in a cold function. With AMD_MEM_ENCRYPT the kernel leaves it out itself.
debug) sanitize='KASAN_SANITIZE_string.o=n' ;;
esac

# Configure aside, and replace only what differs, or all would be rebuilt.
wanted=$out/.config.wanted
{
	echo '# made by bench/kernel.sh from:' "$fragments"
	for fragment in $fragments; do
		cat "$top/bench/config/$fragment.config"
	done
} >"$wanted"
if ! cmp -s "$wanted" "$out/.config.from" || [ ! -f "$out/.config" ]; then
	configure()
	{
		make_kernel -s tinyconfig
		cat "$wanted" >>"$out/.config"
		make_kernel -s olddefconfig
	}
	progress "configuring $variant" 0:20 configure
	cp "$wanted" "$out/.config.from"
fi
lost=
for fragment in $fragments; do
	while read -r line; do
		case $line in
		CONFIG_*) grep -qxF "$line" "$out/.config" ;;
		'# CONFIG_'*) ! grep -q "^$(echo "$line" | cut -d' ' -f2)=" "$out/.config" ;;
		esac || lost="$lost $line ($fragment.config);"
	done <"$top/bench/config/$fragment.config"
done
[ -z "$lost" ] || {
	rm -f "$out/.config.from"
	die "options asked for and lost by olddefconfig:$lost a dependency of theirs is missing from the fragments"
}

say "building the $variant kernel" >&2
progress "building the $variant kernel" '11:00 cold or 2:00 with a warm ccache' \
	make_kernel -s -j"$(nproc)" vmlinux

# What was compiled is what the key says only if the tree stayed as it was.
"$top/bench/tree.sh" "$kind" >/dev/null
if [ "$kind" != unpatched ] && [ "$(sha256sum <"$tree.applied")" != "$stack" ]; then
	die "the patches were changed while the kernel was built: run again"
fi

mkdir -p "$cache/kernels"
tmp=$(mktemp -d "$cache/kernels/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
chmod 755 "$tmp"
cp "$out/vmlinux" "$out/System.map" "$tmp/"
cp "$out/.config" "$tmp/config"
cp "$out/include/config/kernel.release" "$tmp/release"
{
	echo "variant=$variant"
	echo "source=$(cat "$tree.source")"
	echo "stack=$(echo "$stack" | cut -c1-16)"
	echo "config=$(sha256sum <"$out/.config" | cut -c1-16)"
	echo "compiler=$($cc --version | head -n 1)"
} >"$tmp/info"
(cd "$tmp" && sha256sum vmlinux System.map config release info >sums)
mv "$tmp" "$kept"
trap - EXIT INT TERM
# The cache holds the dozen that were used last.
# shellcheck disable=SC2012 # names of our own making
ls -dt "$cache"/kernels/*/ | tail -n +13 | while read -r old; do
	rm -rf "$old"
done
echo "$kept"
