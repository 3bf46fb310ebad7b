#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Lints the patches and the series: that each is in the other, headers, names,
# checkpatch, and that all of it applies without fuzz or offset.
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=tap.sh
. "$top/tests/tap.sh"

every_entry_is_a_patch()
{
	series_patches | while read -r patch; do
		[ -f "$top/patches/$patch" ] || {
			echo "series/$SERIES names $patch, which is not in patches/"
			exit 1
		}
	done
}

every_patch_is_in_a_series()
{
	for file in "$top"/patches/*; do
		grep -qxF "$(basename "$file")" "$top"/series/* || {
			echo "$(basename "$file") is in no series"
			return 1
		}
	done
}

no_entry_twice()
{
	twice=$(series_patches | sort | uniq -d)
	[ -z "$twice" ] || { echo "twice in series/$SERIES: $twice"; return 1; }
}

# The header is what stands before the first diff.
header()
{
	sed '/^--- /,$d' "$1"
}

header_is_complete()
{
	file=$top/patches/$1
	for field in From Subject Origin Forwarded References; do
		header "$file" | grep -qE "^$field: [^ ]" || {
			echo "no $field: in the header"
			return 1
		}
	done
	if header "$file" | grep -qiE '^(Signed-off|Reviewed|Acked|Tested|Suggested)-by:'; then
		echo "names a person: nobody has posted this yet"
		return 1
	fi
	words=$(header "$file" | sed '1,/^$/d' | wc -w)
	[ "$words" -ge 40 ] || {
		echo "$words words of changelog: say what, why, what was tried, what it costs"
		return 1
	}
	# The file is named after its subject, in lower case, with dashes.
	name=$(header "$file" | sed -n 's/^Subject: //p' | tr '[:upper:]' '[:lower:]' |
		sed -e 's/[^a-z0-9_]\{1,\}/-/g' -e 's/^-//' -e 's/-$//').patch
	[ "$name" = "$1" ] || { echo "the subject calls for the name $name"; return 1; }
}

# No Signed-off-by until a person posts. The layout of TRACE_EVENT() is the
# one of every other trace header.
checkpatch_is_silent()
{
	# As git would mail it: the changelog ends in a line of dashes.
	found=$(sed '0,/^--- /s/^--- /---\n&/' "$top/patches/$1" |
		"$build/linux/scripts/checkpatch.pl" --no-tree --strict --terse --showfile \
		--show-types --no-summary --no-signoff - |
		grep -vE 'include/trace/events/.*(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT)' |
		grep -E '(ERROR|WARNING|CHECK):') || true
	[ -z "$found" ] || { echo "$found"; return 1; }
}

# Another series for the same kernel, in the tree of the prefixes.
applies()
{
	SERIES=$1
	export SERIES
	"$top/bench/tree.sh" prefix "$(series_patches | wc -l)"
}

check 'series: every entry is a patch' every_entry_is_a_patch
check 'series: every patch is in a series' every_patch_is_in_a_series
check 'series: no entry twice' no_entry_twice
check 'series: applies without fuzz or offset' "$top/bench/tree.sh" patched
for file in "$top"/series/*; do
	[ "$(basename "$file")" = "$SERIES" ] ||
		check "series: $(basename "$file") applies without fuzz or offset" \
			applies "$(basename "$file")"
done
for file in "$top"/patches/*; do
	patch=$(basename "$file")
	check "header of $patch" header_is_complete "$patch"
	check "checkpatch --strict $patch" checkpatch_is_silent "$patch"
done
summary
