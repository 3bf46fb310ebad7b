#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Lints the patches and the series: that each is in the other, headers, names,
# checkpatch, and that all of it applies without fuzz or offset, and the mutants to it.
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
		"$tree/scripts/checkpatch.pl" --no-tree --strict --terse --showfile \
		--show-types --no-summary --no-signoff - |
		grep -vE 'include/trace/events/.*(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT)' |
		grep -E '(ERROR|WARNING|CHECK):') || true
	[ -z "$found" ] || { echo "$found"; return 1; }
}

# What kernel-doc says of a file, without where in the file.
kernel_doc()
{
	PYTHONDONTWRITEBYTECODE=1 python3 scripts/kernel-doc -none -Wall "$1" 2>&1 |
		sed 's/^Warning: [^ ]* //' | sort -u
}

# quilt has each file as it was before the first patch that touches it.
kernel_doc_is_silent()
{
	cd "$tree" || return 1
	series_patches | while read -r patch; do
		sed -n 's#^+++ b/\(.*\.[ch]\)$#\1#p' "$top/patches/$patch" |
			sed "s#\$# $patch#"
	done | sort -s -u -k 1,1 | while read -r file patch; do
		kernel_doc ".pc/$patch/$file" >"$build/log/kernel-doc"
		new=$(kernel_doc "$file" | comm -13 "$build/log/kernel-doc" -)
		[ -z "$new" ] || { echo "$file: $new"; exit 1; }
	done
}

# What make check-mutants breaks is where the series has it.
mutants_apply()
{
	said=$(patch -p1 --dry-run -F0 -d "$tree" \
		<"$top/tests/mutants/folio-charge-mutants.patch") || {
		echo "$said" | grep FAILED
		return 1
	}
	! echo "$said" | grep offset
}

check 'series: every entry is a patch' every_entry_is_a_patch
check 'series: every patch is in a series' every_patch_is_in_a_series
check 'series: no entry twice' no_entry_twice
check 'series: applies without fuzz or offset' "$top/bench/tree.sh" patched
# Where it does not apply, nothing can be said of the patches.
tree=$("$top/bench/tree.sh" patched) || { summary; exit 1; }
check 'series: the mutants apply to it' mutants_apply
check 'series: kernel-doc has nothing to say' kernel_doc_is_silent
for file in "$top"/patches/*; do
	patch=$(basename "$file")
	check "header of $patch" header_is_complete "$patch"
	check "checkpatch --strict $patch" checkpatch_is_silent "$patch"
done
summary
