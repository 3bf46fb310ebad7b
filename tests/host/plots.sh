#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests of the report of a run (mail, CSV, plots, page), of the comparison of two
# and of their statistics, on runs made by hand. fwp-report is built with the
# address and undefined behaviour sanitizers.
#
#	tests/host/plots.sh
#
# shellcheck disable=SC2317 # functions are called by check()
set -eu
# shellcheck source=../../bench/lib.sh
. "$(dirname "$0")/../../bench/lib.sh"
# shellcheck source=../tap.sh
. "$top/tests/tap.sh"

export LC_ALL=C
# Exit codes of sanitizers must not look like those of the tool.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99
sanitize='-O1 -g -fsanitize=address,undefined'
built=$build/tests/report
mkdir -p "$build/tests"
make -s -C "$top/bench/report" O="$built" CFLAGS="$sanitize" >&2
tool=$built/fwp-report

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# make_run DIR [JQ]: a run of four rows, one of them INVALID, changed by JQ.
make_run()
{
	local row

	mkdir -p "$1"
	jq -n '
	def metric($unit; $better): { unit: $unit, source: "by hand", better: $better };
	def row($title; $rank; $policy): { title: $title, rank: $rank,
		policy: $policy, valid: true, invalid_because: [],
		asked: { FWP_SEED: "1" } };
	{ schema: 1,
	  run: { workload: "made", mode: "virtual", scale: 64, seed: 1,
		 kernel: "7.3.4", stack_hash: "0123456789abcdef",
		 config_hash: "fedcba", compiler: "gcc <12> & more",
		 qemu: "7.2", fio: "3.33", xfsprogs: "6.1", times: 1,
		 command: "make compare" },
	  host: { cpu: "made by hand", date: "2026-11-30",
		  rows: { none: { qemu_cmdline: "qemu <none>" } } },
	  metrics: { iops: metric("writes/s"; "higher"),
		     lat_ns: metric("ns"; "lower"),
		     slept: metric("writes"; "lower"),
		     acted: metric("decisions"; "neither"),
		     share: metric("ratio"; "lower"),
		     readback: metric("name"; "neither"),
		     by: metric("decisions"; "neither") },
	  readers: [ "fio", "sampler" ], table: [ [ "lat_ns", "iops" ] ],
	  rows: {
		control: (row("control (no load step)"; 1; "none") +
			{ iops: 300, lat_ns: 1000000, slept: 0, acted: 0 }),
		none: (row("baseline, \"quoted\""; 2; "none") +
			{ iops: 100, lat_ns: 2000000, slept: 0, acted: 0,
			  share: 0.5, by: { busy: 3 } }),
		split: (row("split"; 3; "split") +
			{ iops: 250.5, lat_ns: 3000000, slept: 0, acted: 12,
			  share: 0.25, readback: "split",
			  by: { busy: 1, small: 2 } }),
		evict: (row("evict"; 4; "evict") +
			{ valid: false, rejected: { iops: 7777 },
			  invalid_because: [ "it did not act", "<so>" ] })
	  },
	  repeats: { } }' | jq "${2:-.}" >"$1/result.json"
	for row in control none split evict; do
		mkdir -p "$1/rows/$row/results"
		awk 'BEGIN {
			print "t_ns,nr_dirty,nr_writeback,nr_dirtied,nr_written,dirty_threshold,dirty_background_threshold"
			for (i = 0; i < 50; i++)
				printf "%d000000,%d,7,0,0,2000,1000\n", 5000 + i * 100, i * 30
		}' >"$1/rows/$row/results/sample.csv"
		awk 'BEGIN { for (i = 1; i <= 1000; i++)
			printf "%d, %d, 1, 4096, 0\n", i, i * 1000 }' \
			>"$1/rows/$row/results/write_clat.1.log"
	done
}

# report DIR: its report in DIR/out, and the exit status in $status.
report()
{
	rm -rf "$1/out"
	mkdir "$1/out"
	status=0
	"$tool" report "$1" "$1/out" 2>"$tmp/stderr" || status=$?
}

# ends STATUS
ends()
{
	[ "$status" = "$1" ] || {
		echo "status $status, not $1: $(tail -n 1 "$tmp/stderr")"
		return 1
	}
}

# has FILE TEXT, has_not FILE TEXT
has()
{
	grep -qF -e "$2" "$1" || {
		echo "no '$2' in $(basename "$1"): $(head -c 200 "$1" | tr '\n' ' ')"
		return 1
	}
}

has_not()
{
	! grep -nF -e "$2" "$1" || return 1
}

narrow()
{
	! awk 'length > 78' "$1" | grep .
}

# Statistics

gsl=$(pkg-config --cflags --libs gsl)
# shellcheck disable=SC2086 # words on purpose
gcc -std=gnu11 -Wall -Wextra -Werror $sanitize -I"$top/bench/report" \
	-o "$build/tests/stats" "$top/tests/host/stats.c" \
	"$top/bench/report/stats.c" $gsl
"$build/tests/stats" >"$tmp/stats" 2>&1 || echo "not ok statistics: status $?" >>"$tmp/stats"
while read -r line; do
	case $line in
	'ok '*) ok "${line#ok }" ;;
	*) not_ok 'statistics' "${line#not ok }" ;;
	esac
done <"$tmp/stats"

# The report of a run

A=$tmp/A
make_run "$A"
report "$A"
check 'a run with an INVALID row: exit 1' ends 1
mail=$A/out/mail.txt
page=$A/out/index.html
check 'the mail is narrow' narrow "$mail"
check 'the baseline is the first column' has "$mail" \
	'                               none               control                split'
check 'better, the best in brackets' has "$mail" \
	'iops                            100        300 (+200.00%)    250.50 [+150.50%]'
check 'a loss in stars, the baseline the best' has "$mail" \
	'lat_ns                           [2]         1 ( +50.00%)         3 * -50.00%*'
check 'no direction, no marks' has "$mail" \
	'acted                             0          0 (  +0.00%)        12 (  from 0)'
check 'a row without the figure' has "$mail" \
	'share                        0.5000          -               0.2500 [ +50.00%]'
check 'what is 0 in every row is named once' has "$mail" '0 in every row:         slept'
check 'figures inside figures' has "$mail" 'by.small'
check 'the order of the table' [ "$(grep -n -m 1 '^lat_ns' "$mail" | cut -d: -f1)" -lt \
	"$(grep -n -m 1 '^iops' "$mail" | cut -d: -f1)" ]
check 'unit and direction' has "$mail" 'lat_ns                  ms; lower is better'
check 'INVALID with its reasons' has "$mail" \
	'evict                   INVALID: it did not act; <so>'
check 'one run is not called tested' has "$mail" 'nothing can be'
check 'provenance in the mail' has "$mail" 'kernel 7.3.4, stack 0123456789ab'
for file in "$mail" "$page" "$A/out/figures.csv"; do
	check "no figure of an INVALID row in $(basename "$file")" has_not "$file" 7777
done

csv=$A/out/figures.csv
check 'CSV head' [ "$(head -n 1 "$csv")" = run,row,seed,metric,value,unit,better,valid ]
check 'CSV figure' grep -qx 'A,split,1,iops,250.5,writes/s,higher,true' "$csv"
check 'CSV name' grep -qx 'A,split,1,readback,split,name,neither,true' "$csv"
check 'CSV of an INVALID row' grep -qx 'A,evict,1,invalid_because,it did not act,,,false' "$csv"
check 'CSV: no other line of an INVALID row' [ "$(grep -c ',evict,' "$csv")" = 2 ]
check 'CSV: eight fields a line' [ "$(awk -F, 'NF != 8' "$csv" | wc -l)" = 0 ]
make_run "$tmp/Q" '.rows.evict.invalid_because = ["a \"b\", c"]'
report "$tmp/Q"
check 'CSV quotes' has "$tmp/Q/out/figures.csv" 'invalid_because,"a ""b"", c",,,false'

for name in latency dirty-control dirty-none dirty-split; do
	check "$name.svg is whole" has "$A/out/$name.svg" '</svg>'
	check "$name.png is a picture" [ "$(head -c 4 "$A/out/$name.png" | tail -c 3)" = PNG ]
done
check 'no plot of an INVALID row' [ ! -e "$A/out/dirty-evict.gp" ]
check 'no plot without its metrics' [ -z "$(find "$A/out" -name 'size-*' -o -name 'stride-*')" ]
check 'a percentile of the log' grep -qx '1.00 0.900000000' "$A/out/latency.gp"
check 'the longest write' grep -qx '3.0000 1.000000000' "$A/out/latency.gp"
check 'dirty memory in MiB' grep -qx '4.900 5.742 5.770 3.906 7.812' "$A/out/dirty-none.gp"
check 'nothing else is left' [ -z "$(find "$A/out" -name '*.tmp' -o -name '*.err')" ]
remake()
{
	cp "$A/out/latency.svg" "$tmp/latency.svg"
	(cd "$A/out" && gnuplot -d latency.gp) || return 1
	cmp "$tmp/latency.svg" "$A/out/latency.svg"
}
check 'a script makes its plot again' remake

check 'the page has the figures' has "$page" '250.50<small>[+150.50%]</small>'
check 'the page has the reasons' has "$page" 'it did not act; &lt;so&gt;'
check 'the page has QEMU, escaped' has "$page" 'qemu &lt;none&gt;'
check 'the page has the tools, escaped' has "$page" 'gcc &lt;12&gt; &amp; more'
check 'the page has the command' has "$page" 'make compare'
check 'the page has all plots' [ "$(grep -c '<svg' "$page")" = 4 ]
needs_nothing()
{
	! grep -nE '(src|href)="?[^#"]|@import|url\((http|/)|<script' "$page" |
		grep -v 'xlink:href='
}
check 'the page needs no other file' needs_nothing
ids_are_unique()
{
	[ -z "$(grep -oE " id=['\"][^'\"]*" "$page" | sort | uniq -d)" ] || {
		grep -oE " id=['\"][^'\"]*" "$page" | sort | uniq -d
		return 1
	}
}
check 'ids are unique' ids_are_unique
uses_are_there()
{
	grep -oE "href='#[^']*" "$page" | sed "s/.*#//" | sort -u |
		while read -r id; do
			grep -q "id='$id'" "$page" || { echo "no $id"; exit 1; }
		done
}
check 'what is referred to is there' uses_are_there
twice()
{
	cp -r "$A/out" "$tmp/first"
	report "$A"
	diff -r "$tmp/first" "$A/out"
}
check 'made twice, the same bytes' twice

# Without what it would like to have

make_run "$tmp/S"
rm "$tmp/S/rows/none/results/sample.csv"
sed -i '9s/.*/1,1/' "$tmp/S/rows/split/results/sample.csv"
rm "$tmp/S/rows/none/results/write_clat.1.log"
report "$tmp/S"
check 'without sample.csv: no failure' ends 1
check 'a missing sample.csv is said' has "$tmp/stderr" \
	'no plot of dirty memory for none: sample.csv is missing'
check 'a torn sample.csv is said' has "$tmp/stderr" \
	'no plot of dirty memory for split: sample.csv: line 9'
check 'a missing log is said' has "$tmp/stderr" "no latencies of none: fio's latency log is missing"
check 'the other rows have theirs' [ -e "$tmp/S/out/dirty-control.svg" ]
check 'those have none' [ ! -e "$tmp/S/out/dirty-none.gp" ]
check 'no half script' [ ! -e "$tmp/S/out/dirty-split.gp" ]
make_run "$tmp/S" '.readers = ["counters"]'
rm "$tmp/S/rows/none/results"/*
report "$tmp/S"
check 'a workload without such files lacks none' [ "$(grep -c . "$tmp/stderr")" = 0 ]
check 'and has no such plots' [ -z "$(find "$tmp/S/out" -name '*.svg')" ]
make_run "$tmp/S"
rm -r "$tmp/S/rows"
report "$tmp/S"
check 'without any raw file: no failure' ends 1
check 'and no plot' [ -z "$(find "$tmp/S/out" -name '*.svg')" ]
check 'but a page' has "$tmp/S/out/index.html" '</html>'

make_run "$tmp/N" '.rows.worse = .rows.split + { iops: 200 } | del(.rows.none)'
report "$tmp/N"
check 'without a baseline' has "$tmp/N/out/mail.txt" 'There is no valid row none'
check 'without a baseline the best is marked' has "$tmp/N/out/mail.txt" '250.50 ['
make_run "$tmp/I" '.rows |= map_values(.valid = false)'
report "$tmp/I"
check 'all INVALID: a report' ends 1
check 'all INVALID: no figure' has_not "$tmp/I/out/mail.txt" 250
check 'all INVALID: no plot' [ -z "$(find "$tmp/I/out" -name '*.svg')" ]
make_run "$tmp/V" 'del(.rows.evict)'
report "$tmp/V"
check 'all valid: exit 0' ends 0

# refused NAME PATTERN JQ
refused()
{
	make_run "$tmp/R" "$3"
	report "$tmp/R"
	check "$1" ends 2
	check "$1: why" has "$tmp/stderr" "$2"
	rm -r "$tmp/R"
}

refused 'another schema' 'result.json is not of schema 1' '.schema = 2'
refused 'no rows' 'result.json has no rows' '.rows = {}'
refused 'no metrics' 'result.json has no metrics' 'del(.metrics)'
refused 'no provenance' 'does not say where it comes from' 'del(.host)'
refused 'a row that may be anything' 'row none does not say whether it is valid' 'del(.rows.none.valid)'
refused 'a row that is a path' 'a row has a name or title that no row' '.rows["../x"] = .rows.none'
refused 'a title of two lines' 'a row has a name or title that no row' '.rows.none.title = "a\nsystem(1)"'
refused 'a title for the terminal' 'a row has a name or title that no row' '.rows.none.title = "\u001b[31m"'
refused 'a metric that is a path' 'a metric has a name or unit' '.metrics["../x_4k"] = .metrics.iops'
refused 'a part that is a path' 'a metric has a name or unit' '.rows.none.by["/etc/x"] = 1'
refused 'no direction' 'iops does not say which direction is better' 'del(.metrics.iops.better)'
refused 'a unit of two lines' 'a metric has a name or unit' '.metrics.iops.unit = "a\nsystem(1)"'

# make report: as a whole or not at all

script=$top/bench/report.sh
make_run "$tmp/M" 'del(.rows.evict)'
check 'make report' env RUN="$tmp/M" "$script"
check 'it is in the results folder' has "$tmp/M/report/index.html" '</html>'
check 'others may read it' [ "$(stat -c %a "$tmp/M/report")" = 755 ]
cp -r "$tmp/M/report" "$tmp/kept"
whole()
{
	diff -r "$tmp/kept" "$tmp/M/report" || return 1
	find "$tmp/M" -maxdepth 1 -name 'report.*' | grep . && return 1
	return 0
}
check 'made again' env RUN="$tmp/M" "$script"
check 'it replaces the last' whole
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "line 0: out of ink" >&2\nexit 1\n' >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
refuses 'gnuplot fails' 2 'gnuplot refused latency.gp: line 0: out of ink' \
	env RUN="$tmp/M" PATH="$tmp/bin:$PATH" "$script"
check 'the last report is still whole' whole
refuses 'no gnuplot' 2 'cannot run gnuplot: .*install gnuplot-nox' \
	env PATH="$tmp/M" "$tool" report "$tmp/M" "$tmp/kept"
interrupt()
{
	printf '#!/bin/sh\n: >%s/began\nexec sleep 60\n' "$tmp" >"$tmp/bin/gnuplot"
	RUN=$tmp/M PATH=$tmp/bin:$PATH setsid "$script" >/dev/null 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		[ ! -e "$tmp/began" ] || break
		sleep 0.1
	done
	# As Ctrl-C does: to all of them.
	kill -TERM -- "-$pid"
	rc=0
	wait "$pid" || rc=$?
	[ "$rc" = 130 ] || { echo "status $rc"; return 1; }
}
rm -rf "$tmp/kept"
cp -r "$tmp/M/report" "$tmp/kept"
check 'an interrupt' interrupt
check 'leaves the last report whole' whole
refuses 'no folder' 1 'there is no folder RUN=.*make compare' env RUN="$tmp/nowhere" "$script"
mkdir "$tmp/half"
refuses 'a run that has not ended' 1 'has no result.json: .*takes a run up again' env RUN="$tmp/half" "$script"
cp "$A/result.json" "$tmp/half"
truncate -s 700 "$tmp/half/result.json"
refuses 'a half-written result.json' 2 'result.json is not whole' env RUN="$tmp/half" "$script"
check 'nothing is written then' [ "$(ls "$tmp/half")" = result.json ]

# Sizes and strides

# shellcheck disable=SC2016 # jq's own variables
families='
	def family($name; $values): $values | to_entries |
		map({ key: "\($name)_\(.key)", value }) | from_entries;
	.metrics += (["4k", "8k", "64k", "1m"] |
		map({ key: "charge_\(.)", value: { unit: "pages/page", better: "lower" } },
		    { key: "device_\(.)", value: { unit: "bytes/byte", better: "lower" } },
		    { key: "whole_\(.)", value: { unit: "pages/page", better: "neither" } }) |
		from_entries)
	| .rows.none += family("charge"; { "4k": 1.5, "8k": 2, "64k": 16, "1m": 60 })
		+ family("whole"; { "4k": 1, "8k": 2, "64k": 16, "1m": 64 })
	| .rows.split += family("charge"; { "4k": 1, "8k": 1.25 })
		+ family("device"; { "4k": 1.1, "8k": 1.2 })
	| .rows.evict += family("charge"; { "4k": 8888 })'
make_run "$tmp/Z" "$families"
report "$tmp/Z"
z=$tmp/Z/out
check 'a surface' ends 1
check 'surface: a picture' has "$z/size-charge.svg" '</svg>'
check 'surface: a cell, with what is predicted' grep -qx '0 1 0.584963 1.5000 (1)' "$z/size-charge.gp"
check 'surface: a cell without' grep -qx '1 0 0.321928 1.2500' "$z/size-charge.gp"
check 'surface: the darkest is the largest' grep -qx 'set cbrange \[0.000000:5.906891\]' "$z/size-charge.gp"
check 'surface: small differences stay pale' grep -qx 'set cbrange \[0.137504:1.137504\]' "$z/size-device.gp"
check 'surface: no prediction of another unit' grep -qx '1 0 0.263034 1.2000' "$z/size-device.gp"
check 'surface: the smallest is left' has "$z/size-charge.gp" "'4k' 0, '8k' 1, '64k' 2, '1m' 3"
check 'surface: rows without figures are left out' has_not "$z/size-charge.gp" control
check 'surface: nothing of an INVALID row' has_not "$z/size-charge.gp" 8888
check 'surface: none of what is predicted' [ ! -e "$z/size-whole.gp" ]
check 'the page has them' [ "$(grep -c '<svg' "$z/index.html")" = 6 ]
make_run "$tmp/Z" "$families | .run.workload = \"stride\""
report "$tmp/Z"
check 'strides' ends 1
check 'strides: a picture' has "$z/stride-charge.svg" '</svg>'
check 'strides: no surface of them' [ ! -e "$z/size-charge.gp" ]
check 'strides: measured and predicted' grep -qx '1024 60 64' "$z/stride-charge.gp"
check 'strides: not predicted' grep -qx '8 1.25 NaN' "$z/stride-charge.gp"
check 'strides: nothing of an INVALID row' has_not "$z/stride-charge.gp" 8888

# Repeats

repeated='.run.times = 3
	| .repeats.none = [.rows.none + { iops: 101 }, .rows.none + { iops: 102, asked: { FWP_SEED: "3" } }]
	| .repeats.split = [.rows.split + { iops: 251.5 }, .rows.split + { iops: 249.5 }]
	| .repeats.control = [.rows.control, .rows.control + { iops: 50 }]
	| del(.rows.evict)'
make_run "$tmp/T" "$repeated"
report "$tmp/T"
mail=$tmp/T/out/mail.txt
check 'repeats: narrow' narrow "$mail"
check 'repeats: the mean is shown' has "$mail" \
	'iops                            101     216.67 (+114.52%)    250.50 [+148.02%]'
# By hand: t(0.975; 2) / sqrt(3) = 2.4841; g = 0.79788 * 149.5 = 119.28.
check 'repeats: n, mean, CV, min, max, interval' has "$mail" \
	'  none          3       101   0.9901       100       102    2.4841         -'
check 'repeats: effect size and significance' has "$mail" \
	'  split         3    250.50   0.3992    249.50    251.50    2.4841    119.28 s'
check 'repeats: no significance where there is none' grep -qE '^  control .* 0\.9042$' "$mail"
check 'repeats: what is the same is named once' has "$mail" 'The same in all repeats:'
check 'repeats: each in the CSV' [ "$(grep -c ',none,.*,iops,' "$tmp/T/out/figures.csv")" = 3 ]
check 'repeats: with its seed' has "$tmp/T/out/figures.csv" 'T,none,3,iops,102,'
check 'repeats: in the page, with median and both ends of the interval' \
	has "$tmp/T/out/index.html" '<td>3</td><td>101</td><td>101</td><td>0.9901</td><td>100</td><td>102</td><td>98.516</td><td>103.48</td>'
make_run "$tmp/L" "$repeated | .repeats.split[1].iops = 90 | .repeats.split[0].iops = 110 | .rows.split.iops = 92"
report "$tmp/L"
check 'repeats: a loss that may be chance is not marked' has "$tmp/L/out/mail.txt" '97.333 (  -3.63%)'
make_run "$tmp/W" "$repeated | .repeats.split[1].iops = 90 | .repeats.split[0].iops = 90.5 | .rows.split.iops = 89"
report "$tmp/W"
check 'repeats: a loss that is none is' has "$tmp/W/out/mail.txt" '89.833 * -11.06%*'
make_run "$tmp/W" "$repeated | (.rows.none, .repeats.none[]) |= . + { lat_ns: 2990000 }"
report "$tmp/W"
check 'repeats: without a spread, a loss below 1% is not marked' has "$tmp/W/out/mail.txt" '(  -0.33%)'
make_run "$tmp/H" "$repeated"' | (.rows.split, .repeats.split[]) |= (.iops *= 1e300) |
	(.rows.none, .repeats.none[]) |= (.iops = 1e8 + .iops * 1e-6) | .rows.control.iops = 1e-200'
report "$tmp/H"
check 'repeats: huge and tiny figures' ends 0
check 'repeats: narrow with huge and tiny figures' narrow "$tmp/H/out/mail.txt"
apart()
{
	! grep -nE '^  .*[0-9][.][0-9]*(e[-+][0-9]+)?-?[0-9]+[.]' "$tmp/H/out/mail.txt"
}
check 'repeats: columns stay apart' apart
make_run "$tmp/J" "$repeated"' | .repeats.split[1] |= (.valid = false | .invalid_because = ["it hung"])'
report "$tmp/J"
check 'an INVALID repeat makes the row INVALID' has "$tmp/J/out/mail.txt" \
	'split                   INVALID: repeat 3: it hung'
check 'and hides its figures' has_not "$tmp/J/out/mail.txt" 250

# make compare-runs

compare_runs=$top/bench/compare-runs.sh
# compares NAME STATUS TEXT A B: stdout has TEXT
compares()
{
	status=0
	"$tool" cmp -v "$4" "$5" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	check "$1" ends "$2"
	check "$1: what is said" has "$tmp/stdout" "$3"
}

# against NAME STATUS TEXT JQ: A without the INVALID row, and the same changed
against()
{
	make_run "$tmp/B" "del(.rows.evict) | $4"
	compares "$1" "$2" "$3" "$tmp/M" "$tmp/B"
}

against 'the same' 0 'split: 8 of 8 figures are the same to the last digit' .
check 'make compare-runs' env A="$tmp/M" B="$tmp/B" "$compare_runs"
check 'not a word without -v' [ -z "$("$tool" cmp "$tmp/M" "$tmp/B")" ]
against 'better' 1 'split.iops: 250.5 and 501, +100.00%, better' '.rows.split.iops = 501'
against 'worse' 1 'split.lat_ns: 3000000 and 6000000, +100.00%, worse' '.rows.split.lat_ns = 6000000'
against 'no direction' 1 'split.acted: 12 and 3, -75.00%, less' '.rows.split.acted = 3'
against 'from 0' 1 'none.slept: 0 and 1, from 0, worse' '.rows.none.slept = 1'
against 'the last digit' 1 'split.share: 0.25 and 0.25000000000001, +0.00%, worse' '.rows.split.share = 0.25000000000001'
sed 's/"iops": 100,/"iops": 100.0,/' "$tmp/M/result.json" >"$tmp/B/result.json"
check 'a figure with a decimal' has "$tmp/B/result.json" '"iops": 100.0,'
check '1 and 1.0 are the same' "$tool" cmp "$tmp/M" "$tmp/B"
against 'a figure less' 1 'none.share: 0.5 and (none)' 'del(.rows.none.share)'
against 'a metric more' 1 'none.new: (none) and 5' '.metrics.new = .metrics.iops | .rows.none.new = 5'
against 'a row less' 1 'split: only in A' 'del(.rows.split)'
against 'a row more' 1 'extra: only in B' '.rows.extra = .rows.none'
against 'an INVALID row' 1 'none: INVALID in B: torn' '.rows.none |= (.valid = false | .invalid_because = ["torn"])'
check 'an INVALID row is not compared' has_not "$tmp/stdout" 'none.iops'
against 'another kernel is said first' 0 'kernel differs: "7.3.4" and "7.4"' '.run.kernel = "7.4"'
against 'another machine, in virtual time' 0 'none: 6 of 6 figures are the same' '.host.cpu = "other"'

refuses 'one folder' 1 'two folders are needed: make compare-runs A=DIR B=DIR' env A="$tmp/M" B= "$compare_runs"
refuses 'a folder that is not there' 2 'nowhere: cannot open directory' env A="$tmp/M" B="$tmp/nowhere" "$compare_runs"
for key in workload mode scale seed; do
	make_run "$tmp/B" ".run.$key = 7"
	refuses "another $key" 2 "not comparable: $key is .* and 7\$" "$tool" cmp "$tmp/M" "$tmp/B"
done

real='del(.rows.evict) | .run.mode = "tcg"'
make_run "$tmp/K" "$real"
make_run "$tmp/B" "$real | .rows.split.iops = 501"
compares 'real time, one host' 1 'split.iops: 250.5 and 501, +100.00%, better, not tested' "$tmp/K" "$tmp/B"
make_run "$tmp/B" "$real"' | .host.cpu = "other" | (.rows[] | .iops) *= 10 | .rows.split.share = 0.75'
compares 'real time, two hosts: ratios' 1 'divided by that of none in its own run' "$tmp/K" "$tmp/B"
check 'ratios that are the same' has_not "$tmp/stdout" split.iops
check 'ratios are not divided' has "$tmp/stdout" 'split.share: 0.25 and 0.75, +200.00%, worse'
make_run "$tmp/B" "$real"' | .host.cpu = "other" | del(.rows.none)'
refuses 'two hosts without a baseline' 2 'not comparable: .*ratios to the row none' "$tool" cmp "$tmp/K" "$tmp/B"
make_run "$tmp/K" "$repeated | .run.mode = \"tcg\""
make_run "$tmp/B" "$repeated | .run.mode = \"tcg\" | .repeats.split[0].iops = 300"
compares 'real time, repeated' 1 "split.iops: 250.5 and 266.667, +6.45%, better, Welch's p 0.43" "$tmp/K" "$tmp/B"
make_run "$tmp/B" "$repeated | .repeats.none[1].iops = 103"
compares 'virtual time, repeated: each against its own' 1 'none (repeat 3).iops: 102 and 103, +0.98%, better' "$tmp/T" "$tmp/B"
make_run "$tmp/B" "$repeated | del(.repeats.none[1])"
compares 'repeated less often' 1 'none: run 3 times in A and 2 times in B' "$tmp/T" "$tmp/B"
summary
