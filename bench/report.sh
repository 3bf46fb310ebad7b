#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Makes the report of a run: RUN/report, with a mail, CSV, plots and a page. It
# is there as a whole or not at all, and the run itself is not touched:
#
#	bench/report.sh
#
# From the environment:
#	RUN=results/latest	the run's folder, which may be from another machine
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

RUN=${RUN:-$top/results/latest}
[ -d "$RUN" ] || die "there is no folder RUN=$RUN: run \`make compare\` first, or name another folder"
run=$(realpath "$RUN")
[ -e "$run/result.json" ] ||
	die "RUN=$RUN has no result.json: \`make compare\` writes it when all rows have ended; the same command takes a run up again"

make -s -C "$top/bench/report" O="$build/report"
new=$(mktemp -d "$run/report.XXXXXX") || die "cannot write to $run: copy the folder to where you can"
old=
# In a trap, and whatever fails there.
# shellcheck disable=SC2317
clean()
{
	# Interrupted between the two: the last report comes back.
	if [ -e "$old" ] && [ ! -e "$run/report" ]; then
		mv "$old" "$run/report"
	fi
	rm -rf "$new" "$old"
}
trap clean EXIT
trap 'exit 130' INT TERM

rc=0
"$build/report/fwp-report" report "$run" "$new" || rc=$?
[ "$rc" -le 1 ] || exit "$rc"
chmod 755 "$new"
if [ -e "$run/report" ]; then
	old=$new.old
	mv "$run/report" "$old"
fi
mv "$new" "$run/report"
cat "$run/report/mail.txt"
say "the page is $run/report/index.html" >&2
[ "$rc" = 0 ] || say "a row is INVALID: see above" >&2
exit "$rc"
