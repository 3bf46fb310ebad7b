#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of bench/report on results made by hand, built with the address and
# undefined behaviour sanitizers.
#
#	tests/host/report.sh
#
# O=DIR is where the build goes (default build/tests/report). Prints `ok NAME`
# or `not ok NAME: why` a test and `N passed, N failed`; fails if one failed.
#
# A dollar in single quotes is sed's last line, here as everywhere:
# shellcheck disable=SC2016
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
data=$here/data/report
O=${O:-$top/build/tests/report}
export LC_ALL=C
# Exit codes of sanitizers must not look like those of the tool.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99

make -s -C "$top/bench/report" O="$O" \
	CFLAGS="-O1 -g -fsanitize=address,undefined" >&2
tool=$O/fwp-report

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

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

# test_run NAME STATUS COMMAND...: run it, keep stdout and stderr in $tmp.
test_run()
{
	name=$1
	want=$2
	shift 2
	status=0
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" || status=$?
	if [ "$status" -ne "$want" ]; then
		not_ok "$name" "exit status $status, not $want: $(tail -n 1 "$tmp/stderr")"
		return 1
	fi
}

# expect_text NAME FILE TEXT
expect_text()
{
	if grep -qF -e "$3" "$2"; then
		ok "$1"
	else
		not_ok "$1" "no '$3' in $(basename "$2"): $(head -c 300 "$2" | tr '\n' ' ')"
	fi
}

hist_bdp()
{
	cat <<-'EOF'
	# event histogram
	#
	# trigger info: hist:keys=common_pid:vals=hitcount,pause:sort=hitcount:size=2048 if pause > 0 [active]
	#

	{ common_pid:        201 } hitcount:          2  pause:         12
	{ common_pid:        202 } hitcount:          3  pause:         30

	Totals:
	    Hits: 5
	    Entries: 2
	    Dropped: 0
	EOF
}

hist_fwp()
{
	cat <<-'EOF'
	# event histogram
	#
	# trigger info: hist:keys=policy,action,result:vals=hitcount:sort=hitcount:size=2048 [active]
	#

	{ policy: split                                             , action: split                                             , result: busy                                               } hitcount:          7
	{ policy: split                                             , action: split                                             , result: acted                                              } hitcount:       8556

	Totals:
	    Hits: 8563
	    Entries: 2
	    Dropped: 0
	EOF
}

# make_out DIR ROW POLICY: what the guest of a good row leaves.
make_out()
{
	r=$1/results
	mkdir -p "$r"
	echo '{"mode":"virtual","qemu_version":"7.2","exit_code":0,"reason":"ok","host_seconds":88}' >"$1/boot.json"
	echo 'qemu-system-x86_64 -accel tcg,icount' >"$1/qemu.cmdline"
	cat >"$1/row.conf" <<-EOF
	# made by hand
	title='$2'
	rank=10
	EOF
	cat >"$r/env" <<-EOF
	FWP_ROW=$2
	FWP_POLICY=$3
	FWP_SCALE=64
	FWP_JOBS=1
	FWP_RATE=156
	FWP_RUNTIME=120
	FWP_DIRTY_BG_BYTES=204472320
	FWP_DIRTY_BYTES=408944640
	FWP_SEED=1
	EOF
	echo "$3" >"$r/policy"
	cat >"$r/sysctls" <<-EOF
	vm.folio_write_policy = $3
	vm.folio_write_ratio = 4
	vm.dirty_background_bytes = 204472320
	vm.dirty_bytes = 408944640
	EOF
	cp "$data/fio.json" "$r/fio.json"
	cp "$tmp/lat_clat.1.log" "$tmp/sample.csv" "$r"
	echo '{"max_bytes":262144,"orders":{"0":3,"6":3072}}' >"$r/folios-before.json"
	echo '{"max_bytes":131072,"orders":{"0":9000,"5":3072}}' >"$r/folios-after.json"
	echo '{"clean":{"n":4096,"min":4000,"mean":4100.25,"median":4100},"dirty":{"n":4096,"min":2000,"mean":2050.5,"median":2050},"max_order_seen":0}' >"$r/writecost.json"
	printf 'nr_dirty 3\nnr_dirtied 1000\n' >"$r/vmstat-before"
	printf 'nr_dirty 9\nnr_dirtied 20094\n' >"$r/vmstat-after"
	cat >"$r/counters-before" <<-EOF
	none/considered 0
	none/acted 0
	split/considered 100
	split/acted 90
	split/refused_busy 4
	split/refused_ratio 6
	EOF
	cat >"$r/counters-after" <<-EOF
	none/considered 0
	none/acted 0
	split/considered 8663
	split/acted 8646
	split/refused_busy 11
	split/refused_ratio 6
	EOF
	hist_bdp >"$r/hist-bdp"
	if [ "$3" = split ]; then
		hist_fwp >"$r/hist-fwp"
	else
		printf '\nTotals:\n    Hits: 0\n    Entries: 0\n    Dropped: 0\n' >"$r/hist-fwp"
	fi
	if [ "$3" = unpatched ]; then
		rm "$r/policy" "$r/hist-fwp" "$r"/counters-*
	fi
}

awk 'BEGIN { for (i = 0; i < 18720; i++)
	printf "%d, %d, 1, 4096, 0\n", i * 6.41, i < 20 ? 2000000 : 30000 }' \
	>"$tmp/lat_clat.1.log"
awk 'BEGIN {
	print "t_ns,nr_dirty,nr_writeback,nr_dirtied,nr_written,dirty_threshold,dirty_background_threshold"
	for (i = 0; i < 1203; i++)
		printf "%d000000,%d,0,%d,0,99840,49920\n", 5000 + i * 100,
		       i == 700 ? 13600 : i, i }' >"$tmp/sample.csv"

metrics=$top/bench/workloads/reproducer/metrics.json
good=$tmp/good
make_out "$good" split split
cat >"$tmp/expect" <<'EOF'
# METRIC OP VALUE  # why
folio_before_max == 262144	# the load must build large folios
acted > 0  # split must act
refused_by.busy <= 100
policy_readback == split
EOF

row()
{
	"$tool" row "$metrics" "$1/row.conf" "$1" "${2:-$tmp/expect}"
}

# good rows

if test_run good-row 0 row "$good"; then
	expect_text good-row "$good/row.json" '"valid": true'
fi
for want in '"iops": 156.0' '"iops_asked": 156' '"lat_p99_ns": 30000' \
	'"lat_max_ns": 2000000' '"writer_sleep_ms": 42' \
	'"dirty_max_bytes": 55705600' '"pages_charged": 19094' \
	'"pages_written_by_app": 18720' '"overcharge": 1.01997863247863' \
	'"folio_after_max": 131072' '"insns_per_write": 30000.0' \
	'"writes_slept": 20' '"acted": 8556' '"refused": 7' '"busy": 7' \
	'"write_cost_clean": 4100.25' '"mode": "virtual"'; do
	expect_text "figure $want" "$good/row.json" "$want"
done
if ls "$good"/*.tmp >/dev/null 2>&1; then
	not_ok no-temporary-left "$(ls "$good")"
else
	ok no-temporary-left
fi

copy()
{
	rm -rf "$tmp/bad"
	cp -r "$good" "$tmp/bad"
	bad=$tmp/bad/results
}

copy
sed -i 's/virtual/tcg/' "$tmp/bad/boot.json"
echo 'insns_per_write < 5  # does not apply' >"$tmp/virtual-expect"
if test_run tcg-row 0 row "$tmp/bad" "$tmp/virtual-expect"; then
	if grep -Eq 'insns_per_write|write_cost' "$tmp/bad/row.json"; then
		not_ok tcg-row "instructions outside virtual time"
	else
		ok tcg-row
	fi
fi

# none decides nothing, so the kernel may keep no counters for it.
make_out "$tmp/none" none none
sed -i '/^none/d' "$tmp/none/results/counters-before" \
	"$tmp/none/results/counters-after"
if test_run none-without-counters 0 row "$tmp/none" /dev/null; then
	if grep -q '"acted"' "$tmp/none/row.json"; then
		not_ok none-without-counters "it acted"
	else
		ok none-without-counters
	fi
fi

# A policy's name at the start of another's must not mix their counters.
copy
printf 'split2/considered 9\nsplit2/acted 1\n' >>"$bad/counters-after"
test_run counters-of-others 0 row "$tmp/bad" && ok counters-of-others

# invalid NAME REASON: the results in $tmp/bad must be refused for it, and no
# figure may stand where a figure of a valid row stands.
invalid()
{
	test_run "$1" 1 row "$tmp/bad" || return 0
	if ! grep -qF -e "$2" "$tmp/stderr" ||
	   ! grep -qF '"valid": false' "$tmp/bad/row.json"; then
		not_ok "$1" "reason is not '$2': $(head -n 3 "$tmp/stderr" | tr '\n' ' ')"
	elif grep -q '^  "iops' "$tmp/bad/row.json"; then
		not_ok "$1" "an INVALID row has figures"
	else
		ok "$1"
	fi
}

# edit NAME FILE SED REASON
edit()
{
	copy
	sed -i "$3" "$bad/$2"
	if cmp -s "$bad/$2" "$good/results/$2"; then
		not_ok "$1" "the test changes nothing"
		return
	fi
	invalid "$1" "$4"
}

# each precondition broken in turn

edit policy-readback policy 's/split/none/' "policy read back is 'none', asked 'split'"
edit policy-control-bytes policy 's/split/\x1b[31m\xff/' "policy read back is '?[31m?'"
edit dirty-limit sysctls 's/408944640/0/' 'vm.dirty_bytes read back is 0, asked 408944640'
edit counters-sum counters-after 's/considered 8663/considered 8664/' 'split considered 8664, but acted and refused add up to 8663'
edit counters-backwards counters-before 's/refused_ratio 6/refused_ratio 9/;s/considered 100/considered 103/' 'split/refused_ratio went backwards'
edit counters-missing counters-after '/acted/d' 'lacks split/considered or split/acted'
edit fio-error fio.json 's/"error" : 0/"error" : 28/' 'fio failed with error 28'
edit fio-wrote-nothing fio.json 's/"total_ios" : 18720/"total_ios" : 0/' 'fio wrote nothing'
edit fio-short fio.json 's/"runtime" : 120000/"runtime" : 60000/' 'fio wrote for 60000 ms, asked 120 s'
edit fio-jobs fio.json 's/"jobs" : \[/"jobs" : [ {}, /' 'has 2 jobs'
edit sampler-late sample.csv '2,600d' 'sampler covers 60.'
edit sampler-hole sample.csv '600,900d' 'sampler has a hole of 30.'
edit sampler-few sample.csv '6,$d' 'has 4 samples'
edit sampler-empty sample.csv '2,$d' 'has 0 samples'
edit sampler-clock sample.csv '5s/.*/1,1,1,1,1,1,1/' 'line 5: not a later sample'
edit hist-drops hist-bdp 's/Dropped: 0/Dropped: 3/' 'hist-bdp dropped 3 events'
edit hist-fwp-drops hist-fwp 's/Dropped: 0/Dropped: 3/' 'hist-fwp dropped 3 events'
edit hist-against-counter hist-fwp 's/8556/8555/;s/8563/8562/' 'hist-fwp has 8555 actions of split, its counter 8556'
edit latlog-short lat_clat.1.log '$d' 'latency logs hold 18719 writes, fio did 18720'
edit latlog-read lat_clat.1.log '9s/, 1, /, 0, /' "line 9: not a write of fio's log"
edit writecost-order writecost.json 's/"max_order_seen":0/"max_order_seen":2/' 'folios of order 2, not 0'
edit vmstat-backwards vmstat-before 's/1000/900000/' 'nr_dirtied went backwards'
edit expect-number folios-before.json 's/262144/4096/' 'folio_before_max=4096, expected == 262144: the load must build large folios'
edit guest-env env '/FWP_RATE/d' 'env lacks a sound FWP_RATE'

copy
sed -i 's/split\/acted .*/split\/acted 0/;s/split\/refused_ratio .*/split\/refused_ratio 8652/' "$bad/counters-after"
sed -i 's/split\/acted .*/split\/acted 0/;s/split\/refused_ratio .*/split\/refused_ratio 96/' "$bad/counters-before"
hist_fwp | sed 's/acted/ratio/' >"$bad/hist-fwp"
invalid expect-acted 'acted=0, expected > 0: split must act'

copy
sed -i 's/"exit_code":0/"exit_code":11/;s/"reason":"ok"/"reason":"panic"/' "$tmp/bad/boot.json"
rm -r "$bad"
invalid guest-panicked 'the guest ended with code 11: panic'

# torn, missing and garbage files

for f in fio.json folios-before.json writecost.json; do
	copy
	head -c 30 "$good/results/$f" >"$bad/$f"
	invalid "truncated $f" "$f is not whole or not JSON"
	: >"$bad/$f"
	invalid "empty $f" "$f is not whole or not JSON"
	echo '[1]' >"$bad/$f"
	invalid "array $f" "$f is not a JSON object"
	echo '{}' >"$bad/$f"
	invalid "hollow $f" "$f "
done
for f in policy sysctls env counters-before counters-after vmstat-before \
	sample.csv hist-bdp hist-fwp lat_clat.1.log; do
	copy
	# The last byte, the end of the last line, is lost.
	head -c -1 "$good/results/$f" >"$bad/$f"
	invalid "torn $f" "$f is torn"
	printf 'a\0b\n' >"$bad/$f"
	invalid "binary $f" "$f is not text"
done
for f in policy sysctls env counters-before vmstat-after sample.csv hist-bdp \
	hist-fwp fio.json folios-after.json writecost.json; do
	copy
	rm "$bad/$f"
	invalid "missing $f" "$f is missing"
	mkdir "$bad/$f"
	invalid "directory $f" "cannot read $f"
done
copy
rm "$bad/lat_clat.1.log"
invalid missing-latlog "fio's latency log is missing"
copy
rm "$bad/hist-bdp"
mkfifo "$bad/hist-bdp"
invalid fifo-does-not-hang 'hist-bdp is torn'
edit torn-hist hist-bdp '/Dropped/d' 'hist-bdp is torn: no Dropped'
edit hist-lost-entry hist-bdp '/ 201 /d' 'its entries are not those of its totals'
edit hist-twice hist-bdp '$a{ common_pid: 1 }' 'the end of the one histogram'
edit hist-garbage hist-bdp 's/pause:         12/pause: -12/' 'not an entry of a histogram'
edit vmstat-twice vmstat-after '$anr_dirtied 5' 'line 3: not a new'
edit json-twice writecost.json 's/"dirty"/"clean"/' 'not whole or not JSON'
copy
rm "$tmp/bad/boot.json"
invalid missing-boot.json 'boot.json is missing'

# numbers that are none

edit nan-iops fio.json 's/"iops" : 156.000000/"iops" : nan/' 'fio.json is not whole or not JSON'
edit huge-iops fio.json 's/"iops" : 156.000000/"iops" : 1e999/' 'fio.json is not whole or not JSON'
edit text-iops fio.json 's/"iops" : 156.000000/"iops" : "156"/' 'lacks a sound'
edit negative-max fio.json 's/"max" : 2000000/"max" : -1/' 'lacks a sound max'
edit huge-max fio.json 's/"max" : 2000000/"max" : 99999999999999999999/' 'not whole or not JSON'
edit other-max fio.json 's/"max" : 2000000/"max" : 2000001/' 'fio saw 2000001'
edit huge-dirty sample.csv '9s/,[0-9]*,/,9223372036854775807,/' 'nr_dirty is absurd'
edit over-64-bits sample.csv '9s/,[0-9]*,/,99999999999999999999,/' 'line 9: not a later sample'
edit signed-count vmstat-after 's/20094/+20094/' 'vmstat-after: line 2'
edit hex-count vmstat-after 's/20094/0x20/' 'vmstat-after: line 2'
edit huge-pauses hist-bdp 's/pause:         ../pause: 9223372036854775807/' 'without a sound pause'
edit huge-rate env 's/FWP_JOBS=1/FWP_JOBS=9223372036854775807/' 'FWP_JOBS * FWP_RATE is absurd'
edit nan-mean writecost.json 's/4100.25/NaN/' 'writecost.json is not whole or not JSON'
copy
truncate -s 257M "$bad/sample.csv"
invalid huge-file 'sample.csv is larger than 256 MiB'

# the project's own files: an error, and no row.json

# broken NAME REASON CONF EXPECT
broken()
{
	rm -f "$good/row.json"
	test_run "$1" 2 "$tool" row "$metrics" "$3" "$good" "$4" || return 0
	if [ -e "$good/row.json" ]; then
		not_ok "$1" "row.json was written"
	else
		expect_text "$1" "$tmp/stderr" "$2"
	fi
}

broken no-row.conf 'is missing' "$tmp/none.conf" "$tmp/expect"
broken no-expect 'is missing' "$good/row.conf" "$tmp/none.expect"
printf "title='A title of twenty and more'\nrank=1\n" >"$tmp/c"
broken long-title 'title of 1 to 22 characters' "$tmp/c" "$tmp/expect"
printf "title=x\nrank=-1\n" >"$tmp/c"
broken bad-rank 'needs a rank' "$tmp/c" "$tmp/expect"
printf "title=x y\nrank=1\n" >"$tmp/c"
broken unquoted-title 'line 1: not a new key=value' "$tmp/c" "$tmp/expect"
for e in 'acted => 1' 'acted >' 'acted > 1 2' 'actde > 1' 'acted > many' \
	'acted > 0x1' 'acted > nan' 'policy_readback < split'; do
	echo "$e" >"$tmp/e"
	broken "expect '$e'" 'line 1: not ' "$good/row.conf" "$tmp/e"
done
test_run usage 2 "$tool" && expect_text usage "$tmp/stderr" 'usage:'
row "$good"

# the table

# make_run DIR: four rows, made into a table
make_run()
{
	mkdir -p "$1/rows"
	cp "$metrics" "$1/metrics.json"
	cat >"$1/run.json" <<-EOF
	{"kernel":"7.3.4","stack_hash":"0123456789abcdef0123456789abcdef",
	 "config_hash":"fedcba9876543210","compiler":"gcc 12.2.0","qemu":"7.2",
	 "fio":"3.33","xfsprogs":"6.1.0","mode":"virtual","scale":64,"seed":1,
	 "workload":"reproducer","command":"make compare UNPATCHED=1",
	 "host":{"cpu":"made by hand","date":"$2"}}
	EOF
	while read -r rank name policy; do
		make_out "$1/rows/$name" "$name" "$policy"
		sed -i "s/rank=.*/rank=$rank/" "$1/rows/$name/row.conf"
		if [ "$name" = none ]; then
			sed -i 's/"iops" : 156.0/"iops" : 80.5/' "$1/rows/none/results/fio.json"
			sed -i 's/4100.25/4101.25/' "$1/rows/none/results/writecost.json"
		fi
		row "$1/rows/$name" /dev/null
	done <<-EOF
	1 control none
	2 none none
	30 split split
	9 unpatched unpatched
	EOF
}

A=$tmp/A
B=$tmp/B
make_run "$A" 2026-11-30
make_run "$B" 2026-12-01

if test_run table 0 "$tool" table "$A"; then
	expect_text table "$tmp/stdout" 'unpatched'
	cp "$tmp/stdout" "$tmp/table"
fi
if cmp -s "$tmp/table" "$A/table.txt"; then
	ok table.txt
else
	not_ok table.txt "it is not what was printed"
fi
order=$(awk '/^[a-z]/ { print $1 }' "$tmp/table" | head -n 4 | tr '\n' ' ')
if [ "$order" = 'control none unpatched split ' ]; then
	ok table-order
else
	not_ok table-order "$order"
fi
expect_text ratio "$tmp/table" '80.50 0.5160'
expect_text write-cost "$tmp/table" 'clean folio, mean:    unpatched  4100.25, none  4101.25, +0.0244%'
expect_text statement "$tmp/table" '1 guest instruction = 1 ns'
expect_text provenance "$tmp/table" 'stack 0123456789ab,'

# width NAME FILE
width()
{
	wide=$(awk 'length > 78' "$2" | head -n 1)
	if [ -z "$wide" ]; then
		ok "$1"
	else
		not_ok "$1" "$wide"
	fi
}

width table-width "$tmp/table"

# Every column, and a title, at its widest.
cp -r "$A" "$tmp/wide"
sed -i "s/title=.*/title='a title of 22 letters.'/" "$tmp/wide/rows/none/row.conf"
for f in "$tmp"/wide/rows/*/row.json; do
	sed -i -E 's/("(iops|lat|writer|dirty|over|folio_.*max|insns|writes|acted|refused|pages)[a-z0-9_]*": )[0-9.]+/\19223372036854775807/' "$f"
done
test_run table-width-of-huge 0 "$tool" table "$tmp/wide" &&
	width table-width-of-huge "$tmp/stdout"

# An INVALID row, with a reason of many words and one very long word.
cp -r "$A" "$tmp/inv"
long=$(printf '%0200d' 0)
sed -i "s/\"exit_code\":0,\"reason\":\"ok\"/\"exit_code\":12,\"reason\":\"the guest hung and was ended after 900 seconds $long\"/" \
	"$tmp/inv/rows/none/boot.json"
row "$tmp/inv/rows/none" /dev/null 2>/dev/null || :
rm "$tmp/inv/rows/split/row.json"
if test_run invalid-in-table 1 "$tool" table "$tmp/inv"; then
	expect_text invalid-in-table "$tmp/stdout" 'INVALID: the guest ended with code 12'
	expect_text unfinished-in-table "$tmp/stdout" 'INVALID: row.json is missing'
	expect_text invalid-not-compared "$tmp/stdout" 'not compared, a row is INVALID'
	width invalid-width "$tmp/stdout"
	if grep -q '80.50' "$tmp/stdout" "$tmp/inv/figures.json"; then
		not_ok invalid-has-no-number "80.50 is shown"
	else
		ok invalid-has-no-number
	fi
fi

# refuse NAME REASON FILE SED: a run that the table must refuse
refuse()
{
	rm -rf "$tmp/R"
	cp -r "$A" "$tmp/R"
	rm -f "$tmp/R/table.txt"
	sed -i "$4" "$tmp/R/$3"
	test_run "$1" 2 "$tool" table "$tmp/R" || return 0
	if [ -e "$tmp/R/table.txt" ]; then
		not_ok "$1" "a table was written"
	else
		expect_text "$1" "$tmp/stderr" "$2"
	fi
}

refuse run.json-torn 'run.json is not whole' run.json '$d'
refuse run.json-no-seed 'run.json lacks seed' run.json 's/"seed"/"sead"/'
refuse run.json-no-host 'run.json lacks the object host' run.json 's/"host"/"hots"/'
refuse mixed-modes 'was not run in the mode of run.json' rows/split/row.json 's/"virtual"/"kvm"/'
refuse wrong-row "row.json is of row 'other'" rows/split/row.json 's/"row": "split"/"row": "other"/'
refuse text-figure 'iops is not a number' rows/split/row.json 's/"iops": 156.0/"iops": "156.0"/'
mkdir -p "$tmp/E/rows"
cp "$A/run.json" "$A/metrics.json" "$tmp/E"
test_run no-rows 2 "$tool" table "$tmp/E" &&
	expect_text no-rows "$tmp/stderr" 'there are no rows'

# The same run again, on another day: the same bytes but for the host.
"$tool" table "$B" >/dev/null
if cmp -s "$A/figures.json" "$B/figures.json"; then
	ok figures-identical
else
	not_ok figures-identical "$(diff "$A/figures.json" "$B/figures.json" | head -n 3 | tr '\n' ' ')"
fi
if [ "$(diff "$A/result.json" "$B/result.json" | grep -c '^[<>].*date')" = \
     "$(diff "$A/result.json" "$B/result.json" | grep -c '^[<>]')" ]; then
	ok result-differs-in-host-only
else
	not_ok result-differs-in-host-only "$(diff "$A/result.json" "$B/result.json" | head -n 5 | tr '\n' ' ')"
fi

# repeats

cp -r "$A" "$tmp/rep"
sed -i 's/"seed":1,/"seed":1,"times":2,/' "$tmp/rep/run.json"
mkdir "$tmp/rep/repeats"
cp -r "$A/rows" "$tmp/rep/repeats/2"
sed -i 's/"iops": 80.5/"iops": 82.5/' "$tmp/rep/repeats/2/none/row.json"
if test_run repeats 0 "$tool" table "$tmp/rep"; then
	expect_text repeats-first-in-table "$tmp/stdout" '80.50 0.5160'
	expect_text repeats-mean "$tmp/stdout" '  none          2    81.500   1.7352    80.500    82.500    12.706'
	# Each against the control of its own seed.
	expect_text repeats-of-control "$tmp/stdout" '  none          2    0.5224'
	expect_text repeats-in-figures "$tmp/rep/figures.json" '"none/2": {'
	width repeats-width "$tmp/stdout"
fi
test_run repeats-twice 0 "$tool" cmp "$tmp/rep" "$tmp/rep" && ok repeats-twice
rm "$tmp/rep/repeats/2/split/row.json"
if test_run repeat-missing 1 "$tool" table "$tmp/rep"; then
	expect_text repeat-missing "$tmp/stdout" 'split                   INVALID: repeat 2: repeats/2/split/row.json is'
fi
sed -i 's/"mode": "virtual"/"mode": "tcg"/' "$tmp/rep/repeats/2/none/row.json"
test_run repeat-of-another-mode 2 "$tool" table "$tmp/rep" &&
	expect_text repeat-of-another-mode "$tmp/stderr" 'rows/none was not run in the mode of run.json'
refuse no-times 'times is not how often' run.json 's/"seed":1,/"seed":1,"times":0,/'

# cmp

if test_run cmp-identical 0 "$tool" cmp "$A" "$B"; then
	if [ -s "$tmp/stdout" ] || [ -s "$tmp/stderr" ]; then
		not_ok cmp-identical "it says something"
	else
		ok cmp-identical
	fi
fi

# change NAME STATUS WHERE TEXT FILE SED: B changed, table made again
change()
{
	rm -rf "$tmp/C"
	cp -r "$B" "$tmp/C"
	sed -i "$6" "$tmp/C/$5"
	row "$tmp/C/rows/split" /dev/null 2>/dev/null || :
	"$tool" table "$tmp/C" >/dev/null 2>&1 || :
	test_run "$1" "$2" "$tool" cmp "$A" "$tmp/C" || return 0
	expect_text "$1" "$tmp/$3" "$4"
}

split=rows/split/results
change cmp-count 1 stdout 'split.pages_charged: 19094 and 19095' $split/vmstat-after 's/20094/20095/'
change cmp-last-digit 1 stdout 'split.iops: 156.0 and 156.000001' $split/fio.json 's/"iops" : 156.000000/"iops" : 156.000001/'
change cmp-nested 1 stdout 'split.refused_by.busy: 7 and 6' $split/counters-after 's/busy 11/busy 10/;s/ratio 6/ratio 7/'
change cmp-invalid 1 stdout 'split: INVALID in B: fio failed with error 1' $split/fio.json 's/"error" : 0/"error" : 1/'
change cmp-scale 2 stderr 'not comparable: scale is 64 and 32' run.json 's/"scale":64/"scale":32/'
change cmp-seed 2 stderr 'not comparable: seed is 1 and 2' run.json 's/"seed":1/"seed":2/'
change cmp-traced 2 stderr 'not comparable: traced_by is (none) and "bpftrace 0.17"' run.json 's/"seed":1,/"seed":1,"traced_by":"bpftrace 0.17",/'
cp -r "$tmp/C" "$tmp/T"
test_run cmp-both-traced 0 "$tool" cmp "$tmp/T" "$tmp/C" && ok cmp-both-traced
expect_text traced-says-so "$tmp/T/table.txt" 'TRACED, not comparable with untraced rows: by bpftrace 0.17'
change cmp-workload 2 stderr 'not comparable: workload' run.json 's/reproducer/other/'
# A changed kernel, stack or configuration is what is compared.
change cmp-kernel 0 stdout 'kernel differs: "7.3.4" and "7.3.5"' run.json 's/7.3.4/7.3.5/'
change cmp-stack 0 stdout 'stack_hash differs: ' run.json 's/"stack_hash":"0/"stack_hash":"1/'
change cmp-config 0 stdout 'config_hash differs: ' run.json 's/"config_hash":"f/"config_hash":"e/'
rm -rf "$tmp/C"
cp -r "$B" "$tmp/C"
sed -i 's/"virtual"/"kvm"/' "$tmp/C/result.json"
test_run cmp-mode 2 "$tool" cmp "$A" "$tmp/C" &&
	expect_text cmp-mode "$tmp/stderr" 'not comparable: mode is "virtual" and "kvm"'
rm "$tmp/C/result.json"
test_run cmp-no-result 2 "$tool" cmp "$A" "$tmp/C" &&
	expect_text cmp-no-result "$tmp/stderr" 'result.json is missing'
test_run cmp-no-run 2 "$tool" cmp "$A" "$tmp/nowhere" &&
	expect_text cmp-no-run "$tmp/stderr" 'cannot open directory'

# every metric is explained

doc=$top/Documentation/bench-metrics.rst
missing=$(sed -n 's/.*\.name = "\([a-z0-9_]*\)".*/\1/p' \
	"$top/bench/report/metrics.c" | while read -r m; do
	grep -qxF "\`\`$m\`\`" "$doc" || printf ' %s' "$m"
done)
if [ -z "$missing" ]; then
	ok metrics-documented
else
	not_ok metrics-documented "bench-metrics.rst lacks$missing"
fi

# a workload that declares metrics of its own

cat >"$tmp/own.json" <<'EOF'
{ "readers": ["counters", "decisions"],
  "metrics": [
    { "name": "charge_4k", "unit": "pages/page", "better": "lower",
      "source": "vmstat: difference of nr_dirtied / pages written",
      "head": ["charge", "4K"], "width": 8, "decimals": 3 },
    { "name": "kept", "unit": "bytes", "better": "higher", "size": true,
      "source": "mincore", "head": ["cache", "kept"], "width": 8 },
    { "name": "insns", "unit": "instructions", "better": "lower",
      "virtual_only": true, "source": "ticks of the counter" },
    { "name": "read_ns", "unit": "ns", "better": "lower",
      "from": ["fio.json", "jobs", 0, "write", "clat_ns", "max"],
      "head": ["read", "ms"], "width": 7, "scale": 1e6, "decimals": 1 }
  ],
  "table": [ ["charge_4k", "kept", "acted"], ["read_ns"] ],
  "legend": "Charge: of 4 KiB writes." }
EOF
reproducer=$metrics
metrics=$tmp/own.json
printf 'charge_4k 63.25\nkept 262144\ninsns 4100\nend 3\n' \
	>"$good/results/metrics"
# Files that no reader of this workload needs.
rm "$good/results/sample.csv" "$good/results/hist-bdp" \
	"$good/results/writecost.json" "$good/results/lat_clat.1.log"
cat >"$tmp/expect" <<'EOF'
charge_4k > 60
EOF
echo 'read_ns == 2000000' >"$tmp/expect2"
if test_run own-row 0 "$tool" row "$metrics" "$good/row.conf" "$good" \
	"$tmp/expect" "$tmp/expect2"; then
	for want in '"charge_4k": 63.25' '"kept": 262144' '"insns": 4100' \
		'"read_ns": 2000000' '"acted": 8556'; do
		expect_text "own $want" "$good/row.json" "$want"
	done
fi
edit own-torn metrics '$d' 'metrics is torn: it has no line `end COUNT`'
edit own-torn-line metrics 's/end 3/end 4/' 'metrics has 3 figures, its end says 4'
edit own-lacks metrics '/kept/d;s/end 3/end 2/' 'metrics lacks kept'
edit own-undeclared metrics 's/kept/lost/' 'metrics has lost, which metrics.json does not declare'
edit own-from-in-lines metrics 's/kept/read_ns/' 'metrics has read_ns, which'
edit own-negative metrics 's/63.25/-63.25/' 'lacks a sound charge_4k'
edit own-nan metrics 's/63.25/nan/' 'metrics: line 1: not a new `key number`'
edit own-no-value metrics 's/ 63.25//' 'metrics: line 1'
edit own-twice metrics 's/kept/charge_4k/' 'metrics: line 2'
edit own-json fio.json 's/"clat_ns"/"calt_ns"/' 'fio.json: jobs.0.write.clat_ns.max lacks a sound read_ns'
edit own-expect metrics 's/63.25/1/' 'charge_4k=1, expected > 60'
copy
rm "$bad/metrics"
invalid own-missing 'metrics is missing'
copy
sed -i 's/virtual/tcg/' "$tmp/bad/boot.json"
if test_run own-virtual-only 0 row "$tmp/bad"; then
	if grep -q '"insns"' "$tmp/bad/row.json"; then
		not_ok own-virtual-only 'instructions outside virtual time'
	else
		ok own-virtual-only
	fi
fi
copy
echo 'kept == 0' >"$tmp/expect2"
test_run own-second-expect 1 "$tool" row "$metrics" "$good/row.conf" \
	"$tmp/bad" "$tmp/expect" "$tmp/expect2" &&
	expect_text own-second-expect "$tmp/stderr" 'kept=262144, expected == 0'

# undeclared NAME SED REASON: a metrics.json that makes no sense
undeclared()
{
	sed "$2" "$tmp/own.json" >"$tmp/metrics.json"
	if cmp -s "$tmp/metrics.json" "$tmp/own.json"; then
		not_ok "$1" 'the test changes nothing'
		return
	fi
	metrics=$tmp/metrics.json
	broken "$1" "$3" "$good/row.conf" "$tmp/expect"
	metrics=$tmp/own.json
}

undeclared declare-not-json '$d' 'metrics.json is not whole or not JSON'
undeclared declare-reader 's/"counters"/"conuters"/' 'no such reader: conuters'
undeclared declare-alone 's/"counters", //' 'the reader decisions needs counters'
undeclared declare-charge 's/"counters"/"charge"/' 'the reader charge needs fio'
undeclared declare-better 's/"higher"/"more"/' 'kept: better is higher, lower or neither'
undeclared declare-unit 's/"bytes"/""/' 'kept needs a unit'
undeclared declare-no-unit 's/"unit": "bytes", //' 'a metric is wrong: Object item not found: unit'
undeclared declare-unknown 's/"size"/"szie"/' 'a metric is wrong: 1 object item(s) left unpacked: szie'
undeclared declare-both 's/"source": "mincore"/"source": "x", "from": ["a", "b"]/' 'kept needs one of source and from'
undeclared declare-neither 's/"source": "mincore", //' 'kept needs one of source and from'
undeclared declare-from 's/"fio.json", "jobs"/7, "jobs"/' 'read_ns: from is a file, then keys and indices'
undeclared declare-name 's/"kept", "unit"/"Kept", "unit"/' "a metric's name is of a-z"
undeclared declare-end 's/"kept", "unit"/"end", "unit"/' "a metric's name is of a-z"
undeclared declare-twice 's/"kept", "unit"/"charge_4k", "unit"/' 'there is another charge_4k'
undeclared declare-builtin 's/"kept", "unit"/"acted", "unit"/' 'there is another acted'
undeclared declare-head 's/"cache", "kept"/"cache is kept", ""/' 'kept: head is two lines'
undeclared declare-width 's/"width": 7/"width": 70/' 'read_ns needs a width of 2 to 20'
undeclared declare-scale 's/1e6/0/' 'read_ns: scale is a number above 0'
undeclared declare-decimals 's/"decimals": 1/"decimals": 10/' 'read_ns: decimals are 0 to 9'
undeclared declare-table 's/\["read_ns"\]/["raed_ns"]/' 'the table names raed_ns, which is no metric with a head'
undeclared declare-headless 's/\["read_ns"\]/["insns"]/' 'the table names insns, which is no metric with a head'
undeclared declare-empty 's/\["read_ns"\]/[]/' 'block 2 of the table is 23 columns wide'
undeclared declare-wide 's/"charge_4k", "kept", "acted"/"kept","kept","kept","kept","kept","kept","kept"/' 'block 1 of the table is 79 columns wide'

mkdir -p "$tmp/O/rows"
sed 's/reproducer/own/' "$A/run.json" >"$tmp/O/run.json"
cp "$metrics" "$tmp/O/metrics.json"
cp -r "$good" "$tmp/O/rows/split"
echo 'charge_4k > 60' >"$tmp/expect"
row "$tmp/O/rows/split"
if test_run own-table 0 "$tool" table "$tmp/O"; then
	expect_text own-table "$tmp/stdout" '63.250    256K    8556'
	expect_text own-legend "$tmp/stdout" 'Charge: of 4 KiB writes.'
fi
# What mail, pictures and pages are made from.
for want in '"unit": "pages/page"' '"better": "higher"' \
	'"source": "fio.json: jobs.0.write.clat_ns.max"'; do
	expect_text "own $want" "$tmp/O/result.json" "$want"
done
if [ "$(jq -c .table "$tmp/O/result.json")" = '[["charge_4k","kept","acted"],["read_ns"]]' ]; then
	ok own-table-in-result
else
	not_ok own-table-in-result "$(jq -c .table "$tmp/O/result.json")"
fi
rm "$tmp/O/metrics.json"
test_run no-metrics.json 2 "$tool" table "$tmp/O" &&
	expect_text no-metrics.json "$tmp/stderr" 'metrics.json is missing'

# the workloads' own declarations and expectations can be read

for w in "$top"/bench/workloads/*/; do
	w=${w%/}
	for e in "$w"/expect/* "$w"/rows/*/expect "$top"/policies/*/expect; do
		[ -e "$e" ] || continue
		status=0
		"$tool" row "$w/metrics.json" "$good/row.conf" "$good" "$e" \
			2>"$tmp/stderr" || status=$?
		name="$(basename "$w"): ${e#"$top/"}"
		if [ "$status" -le 1 ]; then
			ok "$name"
		else
			not_ok "$name" "$(cat "$tmp/stderr")"
		fi
	done
	# Of what a folder is about, in words.
	if [ -s "$w/README.rst" ]; then
		ok "$(basename "$w"): README.rst"
	else
		not_ok "$(basename "$w"): README.rst" 'it is missing'
	fi
	for m in $(jq -r '.metrics[].name' "$w/metrics.json"); do
		grep -qF "\`\`$m\`\`" "$w/README.rst" ||
			not_ok "$(basename "$w"): $m" 'README.rst does not explain it'
	done
done
for c in "$top"/policies/*/row.conf "$top"/bench/workloads/*/rows/*/row.conf; do
	status=0
	"$tool" row "$reproducer" "$c" "$good" 2>"$tmp/stderr" || status=$?
	if [ "$status" -le 1 ]; then
		ok "${c#"$top/"}"
	else
		not_ok "${c#"$top/"}" "$(cat "$tmp/stderr")"
	fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
