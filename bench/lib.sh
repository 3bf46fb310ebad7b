# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the shell scripts of the bench share: places, messages, progress.
# Sourced with the working directory anywhere inside the project.

top=$(CDPATH='' cd -- "$(dirname -- "$0")" && git rev-parse --show-toplevel 2>/dev/null) ||
	top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# Everything generated in this clone.
build=$top/build
# What clones may share: downloads, compiler output, built kernels.
# shellcheck disable=SC2034 # used where this is sourced
cache=${FWP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/linux-folio-policy}

# shellcheck source=source.pin
. "$top/bench/source.pin"

me=$(basename "$0" .sh)

# die MESSAGE: what is wrong and what to do about it, in one line.
die()
{
	printf '%s: %s\n' "$me" "$*" >&2
	exit 1
}

say()
{
	printf '%s: %s\n' "$me" "$*"
}

# elapsed: seconds since this script began, as m:ss.
script_began=$(date +%s)
elapsed()
{
	elapsed_s=$(($(date +%s) - script_began))
	printf '%d:%02d' $((elapsed_s / 60)) $((elapsed_s % 60))
}

# need_space DIR MIB WHAT: fail early rather than half-way through.
need_space()
{
	mkdir -p "$1" || die "cannot create $1: check its permissions"
	space_mib=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$space_mib" -ge "$2" ] ||
		die "$3 needs $2 MiB in $1 and $space_mib MiB are free: make room there, or name another disk (FWP_CACHE=DIR for the cache)"
}

# The series of this kernel version, without comments.
series_patches()
{
	sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$top/series/$SERIES"
}

# series_sources: the C files that it touches, without ".c".
series_sources()
{
	series_patches | while read -r patch; do
		sed -n 's#^+++ b/\(.*\)\.c$#\1#p' "$top/patches/$patch"
	done | sort -u
}

# hash_of FILE...: one checksum over names and contents.
hash_of()
{
	sha256sum -- "$@" | sed "s#$top/##" | sha256sum | cut -d' ' -f1
}

# take_lock: one build at a time in a clone. Held until the script ends, and by
# what it calls.
take_lock()
{
	[ -z "${FWP_LOCKED:-}" ] || return 0
	mkdir -p "$build"
	exec 9>"$build/.lock"
	flock -n 9 || die "another build is at work in $build: wait for it, or end it"
	FWP_LOCKED=1
	export FWP_LOCKED
}

# progress WHAT EXPECTED COMMAND...: runs COMMAND with its output in a log of
# that name, and says every half a minute how far it is. COMMAND stays in the
# foreground, so that an interrupt reaches it.
progress()
{
	progress_what=$1
	progress_expected=$2
	shift 2
	progress_log=$build/log/$(echo "$progress_what" | tr ' /' '--').log
	mkdir -p "$build/log"
	(
		trap 'kill "$!" 2>/dev/null; exit 0' TERM
		while :; do
			sleep 30 9>&- &
			wait $!
			printf '%s: %s: %s elapsed, about %s expected\n' \
				"$me" "$progress_what" "$(elapsed)" \
				"$progress_expected" >&2
		done
	) 9>&- &
	progress_pid=$!
	trap 'kill $progress_pid 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM
	progress_rc=0
	"$@" >"$progress_log" 2>&1 || progress_rc=$?
	kill "$progress_pid" 2>/dev/null || true
	trap - EXIT INT TERM
	[ "$progress_rc" = 0 ] || {
		grep -E -m 3 'error|Error|\*\*\*|No space' "$progress_log" >&2 ||
			tail -n 5 "$progress_log" >&2
		if grep -q 'No space left' "$progress_log"; then
			die "$progress_what: the disk is full: make room in $build and run again"
		fi
		die "$progress_what failed with $progress_rc: see $progress_log"
	}
}
