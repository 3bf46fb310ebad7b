#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of bench/initramfs.sh: what goes into an image and that the same inputs
# give the same bytes. Nothing is booted.
#
#	tests/host/initramfs.sh
#
# shellcheck disable=SC2317 # the tests are called by check()
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"
initramfs=$top/bench/initramfs.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
export GUEST_BUILD=$tmp/guest

# names IMAGE [SKIP]: the names in an archive that begins at byte SKIP.
names()
{
	if [ $# -eq 1 ]; then
		zstd -qdc "$1"
	else
		tail -c +$(($2 + 1)) "$1"
	fi | cpio --list --quiet
}

make_row()
{
	mkdir -p "$1"
	printf '#!/bin/sh\nexit 0\n' >"$1/run"
	chmod 755 "$1/run"
	echo FWP_ROW=test >"$1/env"
}

same_bytes()
{
	cmp "$tmp/core" "$tmp/again"
}

owned_by_root()
{
	! zstd -qdc "$tmp/core" | cpio --list --verbose --numeric-uid-gid --quiet |
		awk '$3 != 0 || $4 != 0' | grep .
}

has_its_parts()
{
	local name

	for name in init usr/bin/sample usr/bin/folios usr/bin/writecost \
		usr/bin/busybox usr/bin/sh bin dev proc; do
		grep -qx "$name" "$tmp/names" || {
			echo "no $name in the image"
			return 1
		}
	done
	grep -q 'bin/mkfs.xfs$' "$tmp/names"
}

# A private program before the distribution's in PATH is not what is taken.
path_is_ignored()
{
	mkdir "$tmp/private"
	printf '#!/bin/sh\n' >"$tmp/private/mkfs.xfs"
	chmod 755 "$tmp/private/mkfs.xfs"
	PATH="$tmp/private:$PATH" "$initramfs" core "$tmp/private.img" &&
		cmp "$tmp/core" "$tmp/private.img"
}

# Neither the modes nor the times of a clone are kept, but what may be run.
row_is_reproducible()
{
	make_row "$tmp/row"
	"$initramfs" row "$tmp/core" "$tmp/row" "$tmp/row1"
	touch -d 2001-01-01 "$tmp"/row/*
	chmod 640 "$tmp/row/env"
	chmod 700 "$tmp/row/run"
	"$initramfs" row "$tmp/core" "$tmp/row" "$tmp/row2"
	cmp "$tmp/row1" "$tmp/row2"
}

# The kernel looks for the next archive at a multiple of four bytes.
row_is_aligned()
{
	printf 12345 >"$tmp/five"
	"$initramfs" row "$tmp/five" "$tmp/row" "$tmp/aligned"
	[ "$(names "$tmp/aligned" 8 | tr '\n' ' ')" = 'row row/env row/run ' ]
}

# limited_image: build one where no file may be as large as an image.
limited_image()
{
	mkdir -p "$tmp/full"
	! (ulimit -f 100; trap '' XFSZ; "$initramfs" core "$tmp/full/out") 2>/dev/null ||
		{ echo 'it took a short write for success'; return 1; }
	[ -z "$(ls -A "$tmp/full")" ] || { echo "it left $(ls -A "$tmp/full")"; return 1; }
}

interrupted_image()
{
	local pid rc=0

	mkdir "$tmp/int"
	env --default-signal=INT "$initramfs" core "$tmp/int/out" &
	pid=$!
	while [ -z "$(ls -A "$tmp/int")" ]; do
		sleep 0.05
	done
	kill -INT "$pid"
	wait "$pid" || rc=$?
	[ "$rc" = 130 ] || { echo "status $rc, not 130"; return 1; }
	[ -z "$(ls -A "$tmp/int")" ] || { echo "it left $(ls -A "$tmp/int")"; return 1; }
}

# manifest LINE: an image of this line alone, by a copy of the bench.
manifest()
{
	rm -rf "$tmp/bench"
	mkdir "$tmp/bench"
	cp -r "$initramfs" "$top/bench/guest" "$tmp/bench/"
	printf '%s\n' "$1" >"$tmp/bench/guest/core.manifest"
	"$tmp/bench/initramfs.sh" core "$tmp/one"
}

patterns_are_found()
{
	manifest 'program	/usr/b*/fi[o]' || return 1
	names "$tmp/one" | grep -qx usr/bin/fio || { echo 'no fio'; return 1; }
	manifest 'tree	/usr/share/keyring[s]' || return 1
	names "$tmp/one" | grep -q 'usr/share/keyrings/.*gpg' || { echo 'no tree'; return 1; }
}

# All of it, and no applet of the same name where the guest would find that first.
package_is_whole()
{
	manifest $'applets\tbusybox\npackage\tutil-linux' || return 1
	names "$tmp/one" >"$tmp/one.names"
	[ "$(grep -cxE 'usr/(bin/setsid|sbin/blkid)' "$tmp/one.names")" = 2 ] ||
		{ echo 'not all of it is there'; return 1; }
	! grep -qx usr/bin/blkid "$tmp/one.names" || { echo 'an applet is before it'; return 1; }
}

"$initramfs" core "$tmp/core"
(umask 077; cd /; TZ=Asia/Tokyo LC_ALL=C "$initramfs" core "$tmp/again")
names "$tmp/core" >"$tmp/names"

check 'two builds give the same bytes' same_bytes
check 'everything belongs to root' owned_by_root
check 'the image has its parts' has_its_parts
check 'nothing is taken from a private PATH' path_is_ignored
check 'a row gives the same bytes from any clone' row_is_reproducible
check 'a row begins at a multiple of four bytes' row_is_aligned
check 'a full disk leaves nothing' limited_image
check 'an interrupt leaves nothing' interrupted_image
check 'programs and trees are found by pattern' patterns_are_found
check 'a package is there as a whole' package_is_whole
refuses 'a package that is not installed' 1 'no package nosuch: install it' \
	manifest 'package	nosuch'
refuses 'a pattern that nothing matches' 1 'nothing is /nowhere/.*: install the package' \
	manifest 'program	/nowhere/*/bin/x'
refuses 'no arguments' 2 '^initramfs.sh: usage' "$initramfs"
refuses 'an unknown manifest' 2 'no manifest nosuch' \
	"$initramfs" core --with nosuch "$tmp/out"
refuses 'a row without a program' 2 'no program .*/run' \
	"$initramfs" row "$tmp/core" "$tmp/private" "$tmp/out"
refuses 'a missing base' 2 'cannot read the image' \
	"$initramfs" row "$tmp/nosuch" "$tmp/row" "$tmp/out"
summary
