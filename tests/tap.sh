# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the shell tests share. A test says "ok NAME" or "not ok NAME: why", and a
# suite ends with one line "N passed, N failed" and fails if a test of it did.

passed=0
failed=0

ok()
{
	passed=$((passed + 1))
	echo "ok $1"
}

not_ok()
{
	failed=$((failed + 1))
	echo "not ok $1: $2"
}

# check NAME COMMAND...: the command's first line of output is the reason.
check()
{
	check_name=$1
	shift
	if check_out=$("$@" 2>&1); then
		ok "$check_name"
	else
		not_ok "$check_name" "$(printf '%s\n' "$check_out" | head -n 1)"
	fi
}

# refuses NAME STATUS PATTERN COMMAND...: the command fails as it should: with
# that status and one line, matching the pattern.
refuses()
{
	refuses_name=$1 refuses_status=$2 refuses_pattern=$3
	shift 3
	refuses_rc=0
	refuses_out=$("$@" 2>&1 </dev/null) || refuses_rc=$?
	if [ "$refuses_rc" != "$refuses_status" ]; then
		not_ok "$refuses_name" "status $refuses_rc, expected $refuses_status: $refuses_out"
	elif ! printf '%s\n' "$refuses_out" | grep -qE "$refuses_pattern"; then
		not_ok "$refuses_name" "said: $refuses_out"
	else
		ok "$refuses_name"
	fi
}

summary()
{
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}
