#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles what the series touches in the configurations that the bench never
# builds, with W=1, by gcc and clang; then builds and boots every prefix of the
# series. A warning that the unpatched source does not have is a failure.
#
#	tests/builds.sh [NAME...]	only these, of the names below, or prefixes
#
# Installs the compilers that nothing else of the project needs.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

clang='clang-19'
packages="$clang gcc-aarch64-linux-gnu"
configs='bench debug thp-off policy-off sysctl-off small i386 arm64-64k clang allmod'
# All of these directories, and elsewhere the files that the series touches.
directories='mm/ fs/iomap/'
# The kernel refuses a sparse that does not know this. Debian's is told what comes near.
checker_flags='-D__typeof_unqual__=__typeof__'

CCACHE_DIR=$cache/ccache
CCACHE_NOHASHDIR=1
export CCACHE_DIR CCACHE_NOHASHDIR

# What is asked for on top of the configuration of the bench; each option must
# come out as it was asked for.
options_of()
{
	# Filesystems that the series touches and the bench does not use.
	[ "$1" = small ] || echo BLK_DEV_ZONED=y ZONEFS_FS=y
	case $1 in
	debug) echo KUNIT=y KUNIT_ALL_TESTS=y DEBUG_KERNEL=y DEBUG_VM=y \
		FOLIO_WRITE_POLICY_LEDGER=y FOLIO_WRITE_POLICY_KUNIT_TEST=y \
		IOMAP_KUNIT_TEST=y ;;
	thp-off) echo TRANSPARENT_HUGEPAGE=n ;;
	policy-off) echo FOLIO_WRITE_POLICY=n ;;
	sysctl-off) echo PROC_SYSCTL=n SYSCTL=n ;;
	small) echo SMP=n NUMA=n CGROUPS=n SYSFS=n TRACING=n ;;
	arm64-64k) echo ARM64_64K_PAGES=y ;;
	allmod) echo WERROR=n FOLIO_WRITE_POLICY=y FOLIO_WRITE_POLICY_LEDGER=y ;;
	esac
}

arch_of()
{
	case $1 in
	i386) echo i386 ;;
	arm64-*) echo arm64 ;;
	*) echo x86_64 ;;
	esac
}

# make_config CONFIG TREE TARGET...
make_config()
{
	config=$1 tree=$2
	shift 2
	cross='' cc=gcc
	case $config in
	clang) cc=$clang ;;
	arm64-*) cross=aarch64-linux-gnu- ;;
	esac
	make -C "$tree" O="out-$config" -s -j"$(nproc)" ARCH="$(arch_of "$config")" \
		CROSS_COMPILE="$cross" CC="ccache $cross$cc" CF="$checker_flags" "$@"
}

# An unpatched tree has no options of the stack to ask for.
configure()
{
	out=$2/out-$1
	mkdir -p "$out"
	if [ "$1" = allmod ]; then
		make_config "$1" "$2" allmodconfig
	else
		make_config "$1" "$2" tinyconfig
		# What has no trace events has nothing that selects them.
		for fragment in base mm trace stack; do
			[ "$1 $fragment" = 'small trace' ] ||
				cat "$top/bench/config/$fragment.config"
		done >>"$out/.config"
	fi
	for option in $(options_of "$1"); do
		case $option in
		*=n) echo "# CONFIG_${option%=n} is not set" ;;
		*) echo "CONFIG_$option" ;;
		esac
	done >>"$out/.config"
	make_config "$1" "$2" olddefconfig
	[ "$2" != "$unpatched" ] || return 0
	for option in $(options_of "$1"); do
		case $option in
		*=n) ! grep -q "^CONFIG_${option%=n}=" "$out/.config" ;;
		*) grep -qx "CONFIG_$option" "$out/.config" ;;
		esac || {
			echo "$option was asked for and is lost: a dependency is missing from tests/builds.sh"
			return 1
		}
	done
}

# The touched files outside of $directories whose filesystem is configured.
objects()
{
	series_sources | sed 's/$/.o/' | grep -v -e '^mm/' -e '^fs/iomap/' |
	while read -r object; do
		case $object in
		fs/zonefs/*) grep -q '^CONFIG_ZONEFS_FS=' "$1/.config" || continue ;;
		esac
		echo "$object"
	done
}

# compile CONFIG TREE ARGUMENT: what it said is left in TREE/out-CONFIG.log
# shellcheck disable=SC2046,SC2086 # words on purpose
compile()
{
	log=$2/out-$1.log
	if configure "$1" "$2" >"$log" 2>&1 &&
	   make_config "$1" "$2" "$3" $directories $(objects "$2/out-$1") \
		>>"$log" 2>&1; then
		# Without a sparse that it accepts, the kernel goes on.
		if grep -m 1 'but sparse is not' "$log"; then
			return 1
		fi
		return 0
	fi
	grep -m 1 -E 'error:|Error|asked for' "$log" || tail -n 1 "$log"
	return 1
}

# Without the line numbers, which the series changes.
warnings()
{
	grep -E '^(\.\./)?(mm|fs|include)/.*(warning|error):|^Warning: ' "$1" |
		sed -E -e 's#^(Warning: )?\.\./#\1#' -e 's/:[0-9]+(:[0-9]+)?//' |
		sort -u
}

# no_new_warnings CONFIG ARGUMENT: the series against the unpatched source, which
# is compiled only where there is something to compare.
no_new_warnings()
{
	compile "$1" "$patched" "$2" || return 1
	warnings "$patched/out-$1.log" >"$build/log/warnings-$1"
	if [ -s "$build/log/warnings-$1" ]; then
		"$top/bench/tree.sh" unpatched >/dev/null || return 1
		compile "$1" "$unpatched" "$2" || return 1
		warnings "$unpatched/out-$1.log" >"$build/log/warnings-$1-unpatched"
		new=$(comm -23 "$build/log/warnings-$1" \
			"$build/log/warnings-$1-unpatched")
		[ -z "$new" ] || { echo "$new"; return 1; }
	fi
	rm -rf "$patched/out-$1" "$unpatched/out-$1"
}

wanted=${*:-$configs sparse prefixes}
for name in $wanted; do
	case " $configs sparse prefixes " in
	*" $name "*) ;;
	*) die "no build $name: one of $configs sparse prefixes" ;;
	esac
done

# shellcheck disable=SC2086 # words on purpose
"$top/bench/deps.sh" $packages
take_lock
patched=$("$top/bench/tree.sh" patched)
unpatched=$build/unpatched
mkdir -p "$build/log"
n=0
total=$(echo "$wanted" | wc -w)
for name in $wanted; do
	n=$((n + 1))
	say "$n of $total, $name; $(elapsed) elapsed"
	case $name in
	sparse)
		check 'sparse has no new warning' no_new_warnings bench C=2
		;;
	prefixes)
		"$top/tests/prefixes.sh" --boot >"$build/log/prefixes.log" || :
		# Its tests are ours; its last line is its count of them.
		counts=$(tail -n 1 "$build/log/prefixes.log")
		sed '$d' "$build/log/prefixes.log"
		passed=$((passed + ${counts%% *}))
		counts=${counts#*, }
		failed=$((failed + ${counts%% *}))
		;;
	*)
		check "compiles: $name" no_new_warnings "$name" W=1
		;;
	esac
done
summary
