#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# tests/fstests.sh as far as it needs no guest: what two logs of xfstests differ in, and
# the input that it refuses. The trees here are files of the names that it looks for.
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# log NAME "RAN" "NOT RUN" "FAILED": as ./check writes it
log()
{
	local ran not_run failed

	read -ra ran <<<"$2"
	read -ra not_run <<<"$3"
	read -ra failed <<<"$4"
	{
		printf '\nTue Dec  1 12:00:00 UTC 2026\n'
		[ -z "$2" ] || echo "Ran: ${ran[*]}"
		[ -z "$3" ] || echo "Not run: ${not_run[*]}"
		[ -z "$4" ] || echo "Failures: ${failed[*]}"
		if [ -z "$4" ]; then
			echo "Passed all ${#ran[*]} tests"
		else
			echo "Failed ${#failed[*]} of ${#ran[*]} tests"
		fi
	} >>"$tmp/$1"
}

# differs STATUS NONE POLICY: the difference on stdin must be what is printed.
differs()
{
	local rc=0

	cat >"$tmp/wanted"
	"$top/tests/fstests-diff.sh" "$tmp/$2" "$tmp/$3" split >"$tmp/got" 2>&1 || rc=$?
	[ "$rc" = "$1" ] || { echo "status $rc, expected $1: $(tail -n 1 "$tmp/got")"; return 1; }
	diff "$tmp/wanted" "$tmp/got" | tail -n +2 | grep . && return 1
	return 0
}

everything()
{
	differs 1 none split <<-END
	                 passed  failed  not run
	none                  3       2        1
	split                 4       2        0

	Fails under split, passed under none: 1
	  generic/002

	Passes under split, failed under none: 1
	  generic/004

	Ran under none only: 1
	  xfs/006 (passed)

	Ran under split only: 2
	  generic/003 (passed)
	  xfs/007 (passed)

	Fails under both: 1
	  generic/005-named
	END
}

nothing()
{
	differs 0 none none <<-END
	                 passed  failed  not run
	none                  3       2        1
	split                 3       2        1

	Fails under both: 2
	  generic/004
	  generic/005-named

	No test fails under split that passed under none.
	END
}

# Up to 2019 what was not run had not been tried.
of_old()
{
	differs 0 old split-old <<-END
	                 passed  failed  not run
	none                  1       0        1
	split                 1       0        1

	No test fails under split that passed under none.
	END
}

# What fails in one of several iterations has failed.
iterations()
{
	differs 1 thrice-well thrice <<-END
	                 passed  failed  not run
	none                  2       0        0
	split                 1       1        0

	Fails under split, passed under none: 1
	  generic/002
	END
}

# torn REASON: the log on stdin is not compared, on either side.
torn()
{
	cat >"$tmp/torn"
	refuses "torn: $1" 2 "torn is no whole result: .*$1" \
		"$top/tests/fstests-diff.sh" "$tmp/torn" "$tmp/none" split
	refuses "torn under the policy: $1" 2 "torn is no whole result: .*$1" \
		"$top/tests/fstests-diff.sh" "$tmp/none" "$tmp/torn" split
}

# fstests [NAME=VALUE]...: with the tree that is there
fstests()
{
	env FSTESTS="$tmp/tree" MODE=tcg "$@" "$top/tests/fstests.sh"
}

log none 'generic/001 generic/002 generic/003 generic/004 generic/005-named xfs/006' \
	'generic/003' 'generic/004 generic/005-named'
log split 'generic/001 generic/002 generic/003 generic/004 generic/005-named xfs/007' \
	'' 'generic/002 generic/005-named'
log old 'generic/001' 'generic/003' ''
log split-old 'generic/001' 'generic/003' ''
for result in '' 'generic/002' ''; do
	log thrice 'generic/001 generic/002' '' "$result"
	log thrice-well 'generic/001 generic/002' '' ''
done
check 'what differs' everything
check 'nothing differs' nothing
check 'logs of an old xfstests' of_old
check 'several iterations' iterations
torn 'no line that counts' </dev/null
torn 'no line that counts' <<<'Ran: generic/001 generic/002'
torn 'no line that counts' <<-END
	Ran: generic/001 generic/002
	Passed all 2 tests
	Ran: generic/001 generic/002
END
torn 'no test ran' <<<'Passed all 0 tests'
torn 'it was interrupted' <<-END
	Ran: generic/001
	Interrupted!
	Passed all 1 tests
END
torn 'counts 0 of 2 tests as failed, and names 0 of 1' <<-END
	Ran: generic/001
	Passed all 2 tests
END
torn 'counts 2 of 2 tests as failed, and names 1 of 2' <<-END
	Ran: generic/001 generic/002
	Failures: generic/001
	Failed 2 of 2 tests
END
refuses 'a log that is not there' 2 "cannot read $tmp/nowhere" \
	"$top/tests/fstests-diff.sh" "$tmp/none" "$tmp/nowhere"

refuses 'no tree' 1 'no xfstests tree: .*FSTESTS=DIR' env FSTESTS= "$top/tests/fstests.sh"
refuses 'a tree that is not there' 1 'is not a directory' fstests FSTESTS="$tmp/nowhere"
mkdir -p "$tmp/tree"
refuses 'a directory that is no tree' 1 'is not an xfstests tree: it has no check' fstests
mkdir -p "$tmp/tree/"{common,ltp,tests/generic,tests/xfs}
touch "$tmp/tree/check" "$tmp/tree/common/"{config,rc}
refuses 'a tree that is not built' 1 'is not built: it has no ltp/fsstress: run make' fstests
touch "$tmp/tree/ltp/"{fsstress,fsx}
chmod +x "$tmp/tree/ltp/"{fsstress,fsx}
refuses 'a tree without its groups' 1 'is not built: it has no tests/generic/group.list' fstests
printf '# groups\n\n001 auto quick rw\n' >"$tmp/tree/tests/generic/group.list"
printf '001 auto quick\n' >"$tmp/tree/tests/xfs/group.list"
refuses 'an unknown policy' 1 'unknown policy POLICY=fastest: one of .*split' \
	fstests POLICY=account,fastest
refuses 'none as the policy' 1 'POLICY=none is what the others are compared with' \
	fstests POLICY=none
refuses 'an unknown group' 1 'unknown group nosuch in FSTESTS_ARGS' \
	fstests FSTESTS_ARGS='-g quick,nosuch'
refuses 'an unknown group to leave out' 1 'unknown group nosuch in FSTESTS_ARGS' \
	fstests FSTESTS_ARGS='-g quick -x nosuch'
refuses 'a group of another directory' 1 'unknown group xfs/rw in FSTESTS_ARGS' \
	fstests FSTESTS_ARGS='-g xfs/rw'
refuses 'an unknown test' 1 'unknown test generic/999 in FSTESTS_ARGS' \
	fstests FSTESTS_ARGS='-b generic/999'
refuses 'an unknown mode' 1 'unknown mode MODE=fast' fstests MODE=fast
refuses 'a bad limit' 1 'bad FSTESTS_LIMIT=1h' fstests FSTESTS_LIMIT=1h
refuses 'a small disk' 1 'bad FSTESTS_DISK=299' fstests FSTESTS_DISK=299
refuses 'a disk that memory has no room for' 1 'needs 2002046 MiB and .* choose a smaller' \
	fstests FSTESTS_DISK=999999
mkdir -p "$build"
# If it cannot be taken, it is held already, which is the same.
exec 8>"$build/.fstests.lock"
flock -n 8 || :
refuses 'a second run in a clone' 1 'another run of xfstests is at work' \
	fstests FSTESTS_DISK=300
summary
