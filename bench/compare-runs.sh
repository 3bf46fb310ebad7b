#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Compares two results folders, also of other machines:
#
#	A=DIR B=DIR bench/compare-runs.sh
#
# Exit: 0 the figures are the same, 1 they are not, 2 not comparable.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ -z "${A:-}" ] || [ -z "${B:-}" ]; then
	die "two folders are needed: make compare-runs A=DIR B=DIR"
fi
make -s -C "$top/bench/report" O="$build/report"
exec "$build/report/fwp-report" cmp -v "$A" "$B"
