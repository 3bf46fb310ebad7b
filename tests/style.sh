#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Lints the tree itself: shell by shellcheck, licence lines, what must not stand
# in it, and that C builds without a warning by gcc and, where it is there, clang.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"
cd "$top"

shell_scripts()
{
	git ls-files -co --exclude-standard | while read -r file; do
		[ -f "$file" ] || continue
		case $file in
		*.sh) echo "$file" ;;
		*) head -n 1 "$file" | grep -aqE '^#!/bin/(ba)?sh' && echo "$file" ;;
		esac
	done || true
}

shellcheck_is_silent()
{
	# shellcheck disable=SC2046 # file names of ours
	shellcheck $(shell_scripts)
}

every_source_has_a_licence()
{
	git ls-files -co --exclude-standard '*.c' '*.h' '*.sh' '*.bt' Makefile '*/Makefile' |
	while read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0' || {
			echo "$file has no SPDX line"
			exit 1
		}
	done
}

builds_without_warning()
{
	for dir in bench/report bench/guest tests/guest; do
		make -s -C "$dir" O="$build/style-$1/$dir" CC="$1" || return 1
	done
}

# fio 3.33 has its own seed for the offsets unless randrepeat is off.
fio_takes_the_seed()
{
	grep -l '^randseed=' bench/workloads/*/*.fio | while read -r file; do
		[ "$(grep -c '^randseed=' "$file")" = \
		  "$(grep -c '^randrepeat=0$' "$file")" ] || {
			echo "$file: a randseed without randrepeat=0 is no seed"
			exit 1
		}
	done
}

check 'shellcheck' shellcheck_is_silent
check 'SPDX lines' every_source_has_a_licence
check 'fio takes the seed' fio_takes_the_seed
for cc in gcc clang; do
	command -v "$cc" >/dev/null || continue
	check "C builds with -Werror by $cc" builds_without_warning "$cc"
done
summary
