#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# initramfs.sh base|core [--with NAME]... OUT
#	Build a guest image, without root, from bench/guest/{base,core}.manifest
#	(and NAME.manifest): our own static tools, and programs of the
#	distribution with the libraries they load. The same inputs give the same
#	bytes.
# initramfs.sh row BASE ROWDIR OUT
#	Append ROWDIR to the image BASE as /row.
#
# A manifest has one item a line:
#	include	NAME		the items of NAME.manifest
#	tool	NAME PATH	a program of bench/guest, installed as PATH
#	program	NAME		a program of the distribution, and its libraries; a
#				pattern from / on is the last path that matches
#	tree	PATTERN		a directory of the distribution, likewise
#	package	NAME		all programs of a package of the distribution
#	file	FROM PATH	a file of the distribution, installed as PATH
#	applets	NAME		a static busybox, and a link for each applet that
#				no manifest has a program for
#
# GUEST_BUILD is where bench/guest is built (default build/guest).
set -euo pipefail

bench=$(cd "$(dirname "$0")" && pwd)
build=${GUEST_BUILD:-$bench/../build/guest}
# Never /usr/local or a private directory of PATH: what is measured in the guest
# must be what the distribution ships.
programs='/usr/bin /usr/sbin'
libraries=/usr/lib/$(uname -m)-linux-gnu
applets=

die()
{
	echo "initramfs.sh: $1" >&2
	exit "${2:-1}"
}

usage()
{
	die 'usage: initramfs.sh base|core [--with NAME]... OUT | row BASE ROWDIR OUT' 2
}

# find_pattern PATTERN: the last of what matches, by version.
find_pattern()
{
	compgen -G "$1" | sort -V | tail -n 1 | grep . ||
		die "nothing is $1: install the package that has it"
}

find_program()
{
	local dir

	case $1 in
	/*)
		find_pattern "$1"
		return
		;;
	esac
	for dir in $programs; do
		if [ -x "$dir/$1" ]; then
			echo "$dir/$1"
			return
		fi
	done
	die "no $1 in $programs: install the package that has it"
}

# The libraries that a program loads, one path a line.
libraries_of()
{
	# ldd fails on a static program, which has none.
	env -i PATH=/usr/bin LD_LIBRARY_PATH="$libraries" ldd "$1" 2>&1 |
	awk '/not found/ { print "missing:" $1; next }
	     $2 == "=>" { print $3; next }
	     $1 ~ "^/" { print $1 }'
}

add_program()
{
	local program library dest

	program=$(find_program "$1")
	install -D -m 755 "$program" "$stage$program"
	for library in $(libraries_of "$program"); do
		# Installed where a merged /usr has it: /lib is a link.
		case $library in
		/lib/*|/lib64/*) dest=/usr$library ;;
		/usr/lib/*|/usr/lib64/*) dest=$library ;;
		missing:*) die "$1 needs ${library#missing:}: install it" ;;
		*) die "$1 loads $library, which is not the distribution's: move it away" ;;
		esac
		[ -e "$stage$dest" ] ||
			install -D -m 755 "$library" "$stage$dest"
	done
}

add_package()
{
	local path paths

	paths=$(dpkg-query -L "$1" 2>/dev/null) || die "no package $1: install it"
	while read -r path; do
		add_program "$(basename "$path")"
	done < <(grep -E "^(/usr)?/s?bin/." <<<"$paths")
}

add_tree()
{
	local tree

	tree=$(find_pattern "$1")
	mkdir -p "$stage$tree"
	cp -RL --no-preserve=mode,ownership -T "$tree" "$stage$tree"
}

add_applets()
{
	local program applet

	program=$(find_program "$1")
	[ -z "$(libraries_of "$program")" ] ||
		die "$program is not static: install busybox-static"
	install -D -m 755 "$program" "$stage/usr/bin/$1"
	for applet in $("$program" --list); do
		[ -e "$stage/usr/bin/$applet" ] ||
		[ -e "$stage/usr/sbin/$applet" ] ||
			ln -s "$1" "$stage/usr/bin/$applet"
	done
}

add_manifest()
{
	local manifest=$bench/guest/$1.manifest word name path

	[ -r "$manifest" ] || die "no manifest $1: see bench/guest/*.manifest" 2
	while read -r word name path; do
		case $word in
		''|'#'*) ;;
		include) add_manifest "$name" ;;
		tool) install -D -m 755 "$build/$name" "$stage$path" ;;
		program) add_program "$name" ;;
		package) add_package "$name" ;;
		tree) add_tree "$name" ;;
		file) install -D -m 644 "$name" "$stage$path" ;;
		applets) applets=$name ;;
		*) die "$manifest: no such word: $word" ;;
		esac
	done <"$manifest"
}

# Archive the stage directory: nothing of the time, the user or the file system
# that it was made on is kept.
archive()
{
	cd "$stage"
	find . -mindepth 1 -exec touch -h -d @0 {} +
	find . -mindepth 1 -printf '%P\0' | LC_ALL=C sort -z |
		cpio --null --create --format=newc --owner=0:0 --reproducible --quiet
}

build_image()
{
	local name dir

	make -s -C "$bench/guest" O="$build" >&2
	for dir in bin lib lib64 sbin; do
		mkdir -p "$stage/usr/$dir"
		ln -s "usr/$dir" "$stage/$dir"
	done
	for dir in dev proc sys tmp run mnt results; do
		mkdir "$stage/$dir"
	done
	for name; do
		add_manifest "$name"
	done
	[ -z "$applets" ] || add_applets "$applets"
	archive | zstd -q -10 -T1 >"$out.tmp"
}

append_row()
{
	local base=$1 row=$2

	[ -r "$base" ] || die "cannot read the image $base: build it with 'base'" 2
	[ -x "$row/run" ] || die "no program $row/run: a row is a directory with one" 2
	# Modes are set, not copied: they follow the umask of the clone.
	cp -RL --no-preserve=mode,ownership "$row" "$stage/row"
	chmod -R u=rwX,go=rX "$stage/row"
	(cd "$row" && find -L . -type f -perm -u+x -print0) |
		(cd "$stage/row" && xargs -0 chmod 755)
	# The kernel takes an archive only at a multiple of four bytes.
	cp --no-preserve=mode "$base" "$out.tmp"
	truncate -s %4 "$out.tmp"
	archive >>"$out.tmp"
}

[ $# -ge 2 ] || usage
umask 022
command=$1
shift
case $command in
base|core)
	manifests=("$command")
	while [ "$1" = --with ] && [ $# -ge 3 ]; do
		manifests+=("$2")
		shift 2
	done
	[ $# -eq 1 ] || usage
	;;
row)
	[ $# -eq 3 ] || usage
	;;
*)
	usage
	;;
esac

out=$(realpath -m "${!#}")
mkdir -p "$(dirname "$out")"
stage=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$stage" "$out.tmp"' EXIT
trap 'exit 130' INT TERM

case $command in
base|core) build_image "${manifests[@]}" ;;
row) append_row "$1" "$2" ;;
esac
mv "$out.tmp" "$out"
