#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds the debug kernel and runs on it what tests/guest.sh has for it. The last
# line counts: "N passed, N failed".
set -eu
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"

kernel=$("$top/bench/kernel.sh" debug) || exit 1
exec "$top/tests/guest.sh" "debug=$kernel/vmlinux"
