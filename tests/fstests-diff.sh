#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# fstests-diff.sh NONE POLICY [NAME]
#	Print what differs between two runs of xfstests, whose check.log NONE and POLICY
#	are, the second under the policy NAME.
#
# Exit: 0 no test fails that passed before, 1 one does, 2 a log is not there or not
# whole, and nothing is compared.
set -eu

die()
{
	echo "fstests-diff.sh: $1" >&2
	exit 2
}

[ $# -ge 2 ] || die 'usage: fstests-diff.sh NONE POLICY [NAME]'
for log in "$1" "$2"; do
	[ -r "$log" ] || die "cannot read $log: is it the check.log of a run?"
done

# A run is a block of its log, or several (./check -i): what ran, what of it was not
# run, what failed, and a line that counts. What failed once has failed.
awk -v name="${3:-policy}" -v first="$1" -v second="$2" '
function torn(why)
{
	printf "fstests-diff.sh: %s is no whole result: %s\n", run == 1 ? first : second, why >"/dev/stderr"
	status = 2
	exit status
}

# note FROM WHAT: of the tests that the line names from a field on
function note(from, what,	i)
{
	for (i = from; i <= NF; i++) {
		if (!seen[$i]++)
			tests[++n] = $i
		if (state[run, $i] != "failed" && (what != "passed" || !state[run, $i]))
			state[run, $i] = what
	}
	named[what] += NF - from + 1
	whole[run] = 0
}

# What the last line counts is what the others name.
function count(bad, all)
{
	if (bad != named["failed"] + 0 || all != named["passed"] + 0)
		torn("it counts " bad " of " all " tests as failed, and names " named["failed"] + 0 " of " named["passed"] + 0)
	if (all == 0)
		torn("no test ran")
	delete named
	whole[run] = 1
}

function row(title, run)
{
	printf "%-16s %6d  %6d  %7d\n", title, total[run, "passed"],
		total[run, "failed"], total[run, "not run"]
}

function list(kind, title)
{
	if (of[kind])
		printf "\n%s: %d\n%s", title, of[kind], lines[kind]
}

run != last { delete named; last = run }
$1 == "Ran:" { note(2, "passed") }
/^Not run:/ { note(3, "not run") }
$1 == "Failures:" { note(2, "failed") }
/^Interrupted!/ { torn("it was interrupted") }
/^Passed all [0-9]+ tests/ { count(0, $3) }
/^Failed [0-9]+ of [0-9]+ tests/ { count($2, $4) }

END {
	if (status)
		exit status
	for (run = 1; run <= 2; run++)
		if (!whole[run])
			torn("it has no line that counts the tests")
	for (i = 1; i <= n; i++) {
		test = tests[i]
		was = state[1, test]
		is = state[2, test]
		total[1, was]++
		total[2, is]++
		ran = was == "passed" || was == "failed"
		runs = is == "passed" || is == "failed"
		if (ran != runs) {
			kind = ran ? "gone" : "new"
			note_of = " (" (ran ? was : is) ")"
		} else {
			kind = was " " is
			note_of = ""
		}
		of[kind]++
		lines[kind] = lines[kind] "  " test note_of "\n"
	}
	printf "%-16s %6s  %6s  %7s\n", "", "passed", "failed", "not run"
	row("none", 1)
	row(name, 2)
	list("passed failed", "Fails under " name ", passed under none")
	list("failed passed", "Passes under " name ", failed under none")
	list("gone", "Ran under none only")
	list("new", "Ran under " name " only")
	list("failed failed", "Fails under both")
	if (!of["passed failed"])
		printf "\nNo test fails under %s that passed under none.\n", name
	exit of["passed failed"] > 0
}' run=1 "$1" run=2 "$2"
