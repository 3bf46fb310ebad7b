#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Makes a source tree and prints its path:
#
#	bench/tree.sh patched		build/linux, with the series applied by quilt
#	bench/tree.sh prefix N		build/prefix, with its first N patches
#	bench/tree.sh unpatched		build/unpatched
#	bench/tree.sh mutants		build/mutants, patched and tests/mutants on top
#
# A tree that is as it should be is left alone, so that make finds its objects
# up to date. Beside it, build/NAME.source says what it was made from.
set -eu
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

variant=${1:-}
upto=${2:-}
case $variant$upto in
patched) tree=$build/linux ;;
mutants) tree=$build/mutants ;;
unpatched) tree=$build/unpatched ;;
prefix[1-9]*) tree=$build/prefix ;;
*) die "usage: tree.sh patched | unpatched | prefix N | mutants" ;;
esac

take_lock
source=$("$top/bench/source.sh")

# A cached package was verified by its checksum; a tree of the user's own is
# taken for what its files say.
if [ -d "$source" ]; then
	id=tree-$(cd "$source" && find . -name .git -prune -o -type f -print0 |
		  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
else
	id=$PACKAGE-$VERSION-$SHA256
fi

unpack()
{
	rm -rf "$tree" "$tree.tmp" "$tree.source" "$tree.applied" "$tree.applying"
	need_space "$build" 4000 "a kernel tree and its objects"
	trap 'rm -rf "$tree.tmp"' EXIT
	trap 'exit 130' INT TERM
	mkdir -p "$tree.tmp"
	if [ -d "$source" ]; then
		rsync -a --exclude=/.git "$source/" "$tree.tmp/" ||
			die "copying $source failed: is the disk full?"
	else
		dpkg-deb --fsys-tarfile "$source" |
			tar -xO "./usr/src/$PACKAGE.tar.xz" |
			tar -xJ --strip-components=1 -C "$tree.tmp" ||
			die "unpacking $(basename "$source") failed: is the disk full?"
	fi
	mv "$tree.tmp" "$tree"
	echo "$id" >"$tree.source"
	trap - EXIT INT TERM
}

# A tree in which quilt was interrupted is in no state that it knows of.
if [ ! -d "$tree" ] || [ -e "$tree.applying" ] ||
   [ "$(cat "$tree.source" 2>/dev/null)" != "$id" ]; then
	say "unpacking $(basename "$source") into build/$(basename "$tree")" >&2
	unpack
fi

# touched STAMP: a source file that is newer than what the tree was made by.
touched()
{
	find "$tree" \( -name .pc -o -name 'out-*' -o -name __pycache__ \) \
		-prune -o -type f -newer "$1" -print | head -n 1
}

# untouched STAMP: there is none.
untouched()
{
	newer=$(touched "$1")
	[ -z "$newer" ] ||
		die "${newer#"$top"/} was changed by hand and is in no patch: make it part of one (quilt refresh), or remove build/$(basename "$tree")"
}

if [ "$variant" = unpatched ]; then
	untouched "$tree.source"
	echo "$tree"
	exit 0
fi

QUILT_PATCHES=$top/patches
QUILT_SERIES=$top/series/$SERIES
LC_ALL=C
export QUILT_PATCHES QUILT_SERIES LC_ALL

series=$(series_patches)
if [ "$variant" = mutants ]; then
	# quilt takes patches from one directory only.
	QUILT_PATCHES=$build/mutants.patches
	QUILT_SERIES=$QUILT_PATCHES/series
	rm -rf "$QUILT_PATCHES"
	mkdir -p "$QUILT_PATCHES"
	cp "$top"/patches/* "$top/tests/mutants/folio-charge-mutants.patch" \
		"$QUILT_PATCHES/"
	series=$(echo "$series"; echo folio-charge-mutants.patch)
	echo "$series" >"$QUILT_SERIES"
fi
total=$(echo "$series" | wc -l)
upto=${upto:-$total}
[ "$upto" -le "$total" ] 2>/dev/null ||
	die "no prefix $upto: series/$SERIES has $total patches"
wanted=$(
	echo "$series" | head -n "$upto" | while read -r patch; do
		# What a patch says of itself changes no kernel.
		echo "$(sed -n '/^--- /,$p' "$QUILT_PATCHES/$patch" |
			sha256sum | cut -d' ' -f1) $patch"
	done
)
if [ "$(cat "$tree.applied" 2>/dev/null)" = "$wanted" ]; then
	untouched "$tree.applied"
	echo "$tree"
	exit 0
fi

# No rc file of the user's may change how patches are applied.
quilt()
{
	command quilt --quiltrc=- "$@"
}

cd "$tree"
log=$build/log/apply.log
mkdir -p "$build/log"

# What is applied already and unchanged stays, so that files keep their times.
# That is believed only where quilt's own record says the same.
common=
if [ -s "$tree.applied" ] &&
   [ "$(cut -d' ' -f2 "$tree.applied")" = "$(cat .pc/applied-patches 2>/dev/null)" ]; then
	echo "$wanted" >"$tree.wanted"
	common=$(awk 'NR == FNR { had[FNR] = $0; next }
		      $0 != had[FNR] { exit }
		      { last = $2 }
		      END { print last }' "$tree.applied" "$tree.wanted")
	rm -f "$tree.wanted"
fi
# With newer patches than those that were applied, quilt only takes these off by
# force. That loses nothing where nobody has changed a file since.
force=
[ ! -e "$tree.applied" ] || [ -n "$(touched "$tree.applied")" ] || force=-f
rm -f "$tree.applied"
if [ -s .pc/applied-patches ] && [ "$(tail -n 1 .pc/applied-patches)" != "$common" ]; then
	touch "$tree.applying"
	quilt pop -q $force "${common:--a}" >"$log" 2>&1 || {
		rm -f "$tree.applying"
		die "build/$(basename "$tree") has changes that are in no patch: quilt refresh them, or remove it"
	}
fi
if [ "$(tail -n 1 .pc/applied-patches 2>/dev/null)" != "$(echo "$wanted" | tail -n 1 | cut -d' ' -f2)" ]; then
	touch "$tree.applying"
	quilt push --fuzz=0 "$(echo "$wanted" | tail -n 1 | cut -d' ' -f2)" >"$log" 2>&1 || {
		grep -E 'FAILED|does not apply|No file' "$log" >&2 || true
		die "series/$SERIES does not apply to $(basename "$source"): see $log"
	}
	if grep -E 'fuzz|offset' "$log" >&2; then
		[ -n "${KERNEL_TREE:-}" ] ||
			die "series/$SERIES applies to the pinned $KERNEL only with an offset: refresh the patch named in $log"
		say "the series applies to this tree with offsets (see $log)" >&2
	fi
fi
echo "$wanted" >"$tree.applied"
rm -f "$tree.applying"
echo "$tree"
