# SPDX-License-Identifier: GPL-2.0
# The one door. Everything that is made goes to build/ and results/, and to a
# cache that clones share ($XDG_CACHE_HOME/linux-folio-policy; FWP_CACHE=DIR).

.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL = /bin/sh

help:			## what there is
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*##/\1 #/p' Makefile | \
	awk -F' #' '{ printf "  make %-14s%s\n", $$1, $$2 }'

deps:			## install the packages that are missing
	@bench/deps.sh

source: deps		## fetch and verify the pinned kernel source (or KERNEL_TREE=DIR)
	@bench/source.sh

apply: deps		## make build/linux: the source with the series applied
	@bench/tree.sh patched

kernel: deps		## build the patched kernel
	@bench/kernel.sh bench

compare: deps		## boot every row and print the table (WORKLOAD MODE SCALE SEED SEEDS RUNS POLICY UNPATCHED TRACE)
	@bench/compare.sh

report: deps		## a results folder as mail, CSV, plots and a page (RUN=DIR)
	@bench/report.sh

compare-runs: deps	## what differs between two results folders, and by how much (A=DIR B=DIR)
	@bench/compare-runs.sh

check: deps		## every test; the last line counts them
	@tests/check.sh

check-builds: deps	## other configurations and compilers; boot every prefix (long)
	@tests/builds.sh

check-mutants: deps	## break each place that discharges a charge: the tests must notice
	@kernel=$$(bench/kernel.sh mutants) && tests/guest.sh "mutants=$$kernel/vmlinux"
	@tests/kunit-mutants.sh

check-debug: deps	## the tests in the guest on kernels with KASAN and lockdep, and with KCSAN, and faults (long)
	@debug=$$(bench/kernel.sh debug) && kcsan=$$(bench/kernel.sh kcsan) && \
	tests/guest.sh "debug=$$debug/vmlinux" "races=$$kcsan/vmlinux"

check-kills: deps	## kill guests while they write, and see what their disk has (long)
	@tests/kills.sh

fstests: deps		## what differs under POLICY when your xfstests tree is run (FSTESTS=DIR; long)
	@tests/fstests.sh

check-workloads: deps	## every workload once, at a small scale
	@tests/host/workloads.sh

clean:			## remove what was built here; the cache and results stay
	@rm -rf build

.PHONY: help deps source apply kernel compare report compare-runs check check-builds check-mutants check-debug check-kills fstests check-workloads clean
