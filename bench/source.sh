#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Fetches and verifies the pinned kernel source, into the cache:
#
#	bench/source.sh		prints the path of the verified tarball
#
# Rootless: apt is given a configuration, lists and a cache of its own, and the
# mirror that the system's apt uses already. With KERNEL_TREE=DIR nothing is
# fetched; DIR is checked and its path printed.
set -eu
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel_version()
{
	make -s -C "$1" kernelversion 2>/dev/null
}

if [ -n "${KERNEL_TREE:-}" ]; then
	[ -d "$KERNEL_TREE" ] ||
		die "KERNEL_TREE=$KERNEL_TREE is not a directory: name an unpacked kernel source"
	if [ ! -f "$KERNEL_TREE/Kbuild" ] || [ ! -f "$KERNEL_TREE/mm/filemap.c" ]; then
		die "KERNEL_TREE=$KERNEL_TREE is not a kernel source: it has no Kbuild or no mm/filemap.c"
	fi
	version=$(kernel_version "$KERNEL_TREE") || version=unknown
	case $version in
	"${KERNEL%.*}" | "${KERNEL%.*}".* | "${KERNEL%.*}"-rc*) ;;
	*) die "KERNEL_TREE=$KERNEL_TREE is version $version, and the series is for ${KERNEL%.*}.x: name a tree of that version" ;;
	esac
	if [ -e "$KERNEL_TREE/.config" ] || [ -d "$KERNEL_TREE/include/config" ]; then
		die "KERNEL_TREE=$KERNEL_TREE has been built in: run make mrproper there"
	fi
	if [ -d "$KERNEL_TREE/.pc" ] || [ -e "$KERNEL_TREE/include/linux/folio_write_policy.h" ]; then
		die "KERNEL_TREE=$KERNEL_TREE has patches applied: name an unpatched tree"
	fi
	CDPATH='' cd -- "$KERNEL_TREE" && pwd
	exit 0
fi

dir=$cache/source
deb=$dir/${PACKAGE}_${VERSION}_all.deb

verified()
{
	[ -f "$deb" ] && echo "$SHA256  $deb" | sha256sum --check --status
}

if ! verified; then
	need_space "$dir" 600 "fetching the kernel source"
	rm -f "$deb"
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -f "$keyring" ] ||
		die "$keyring is missing: apt-get install debian-archive-keyring"

	# Any Debian repository that apt knows, but not the security one.
	# shellcheck disable=SC2016 # apt's own format
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		 grep -E '/debian/?$' | head -n 1) || true
	[ -n "$mirror" ] ||
		die "apt knows no Debian mirror: add one to its sources, or name a tree with KERNEL_TREE=DIR"

	apt=$(mktemp -d "$dir/apt.XXXXXX")
	trap 'rm -rf "$apt"' EXIT
	trap 'exit 130' INT TERM
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
	echo "deb [signed-by=$keyring] $mirror $SUITE main" >"$apt/sources.list"
	apt_get()
	{
		apt-get -q -o Dir::Etc::SourceList="$apt/sources.list" \
			-o Dir::Etc::SourceParts="$apt/parts" \
			-o Dir::Etc::Preferences=/dev/null \
			-o Dir::Etc::PreferencesParts="$apt/parts" \
			-o Dir::State::Lists="$apt/lists" \
			-o Dir::Cache="$apt/cache" -o APT::Sandbox::User= \
			-o APT::Update::Error-Mode=any \
			-o Acquire::Retries=2 -o Acquire::Languages=none "$@"
	}
	say "fetching $PACKAGE $VERSION (about 160 MB)" >&2
	apt_get update >"$apt/log" 2>&1 || {
		grep -m 1 '^[EW]:' "$apt/log" >&2 || true
		die "cannot read the package index of $SUITE: check the network, or name a tree with KERNEL_TREE=DIR"
	}
	(cd "$apt" && apt_get download "$PACKAGE=$VERSION") >"$apt/log" 2>&1 || {
		grep -m 1 '^[EW]:' "$apt/log" >&2 || true
		die "cannot fetch $PACKAGE $VERSION from $SUITE: check network and disk; if the mirror has moved on, name a tree of $KERNEL with KERNEL_TREE=DIR"
	}
	mv "$apt/$(basename "$deb" | sed 's/:/%3a/g')" "$deb.tmp"
	mv "$deb.tmp" "$deb"
	verified || {
		rm -f "$deb"
		die "the checksum of $PACKAGE $VERSION is not the pinned one: compare with bench/source.pin"
	}
fi
echo "$deb"
