# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the workloads share in the guest: the disk, the settings, the kernel's
# counters, what is handed over. Sourced by a workload's `run`, whose environment
# is the row's (see bench/compare.sh). What is measured is left in /results.
# Exit: 3 a precondition does not hold, 14 a tracer was lost.
set -eu

results=/results
disk=/dev/fwp
nullb=/sys/kernel/config/nullb/fwp
mnt=/mnt
events=/sys/kernel/tracing/events
counters=/sys/kernel/mm/folio_write_policy
bdp=writeback/balance_dirty_pages
bdp_hist='hist:keys=common_pid:vals=pause if pause > 0'
fwp=folio_write_policy/folio_write_policy
fwp_hist='hist:keys=policy,action,result'
# Any fixed one: a random one is different data in every superblock.
uuid=66777000-0000-4000-8000-000000000001

fail()
{
	echo "$FWP_WORKLOAD: $2" >&2
	exit "$1"
}

# Say on the console what comes next, with the guest's clock.
phase()
{
	read -r uptime _ </proc/uptime
	echo "$FWP_WORKLOAD: $uptime $1"
	echo "$uptime $1" >>$results/phases
}

# One request at a time, each as long as the volume would take for it.
make_disk()
{
	mkdir $nullb || fail 3 'no null_blk in configfs: see bench/config'
	for attr in "size=$FWP_DISK_MB" memory_backed=1 irqmode=2 \
		"completion_nsec=$FWP_COMPLETION_NS" submit_queues=1 \
		hw_queue_depth=1 max_sectors=512 discard=0; do
		echo "${attr#*=}" >"$nullb/${attr%%=*}"
	done
	echo 1 >$nullb/power
	case ${FWP_FS:=xfs} in
	xfs) mkfs.xfs -q -K -m uuid=$uuid $disk ;;
	# All of it now, or a thread of the kernel would do the rest meanwhile.
	ext4) mkfs.ext4 -q -b 4096 -U $uuid $disk -E \
		"nodiscard,hash_seed=$uuid,lazy_itable_init=0,lazy_journal_init=0" ;;
	*) fail 3 "no such filesystem: FWP_FS=$FWP_FS" ;;
	esac
	mount -t "$FWP_FS" $disk $mnt || fail 3 "the kernel has no $FWP_FS"
}

drop_disk()
{
	umount $mnt
	echo 0 >$nullb/power
	rmdir $nullb
}

# The policy and the limits hold from before anything is cached. What the kernel
# made of them is read back.
set_sysctls()
{
	if [ -e sysctl.conf ]; then
		sysctl -p sysctl.conf || fail 3 'the kernel refused sysctl.conf'
	fi
	echo "$FWP_DIRTY_BG_BYTES" >/proc/sys/vm/dirty_background_bytes
	echo "$FWP_DIRTY_BYTES" >/proc/sys/vm/dirty_bytes
	for sysctl in /proc/sys/vm/folio_write_* /proc/sys/vm/dirty_*; do
		[ ! -r "$sysctl" ] ||
			echo "vm.${sysctl##*/} = $(cat "$sysctl")"
	done >$results/sysctls
	if [ -e /proc/sys/vm/folio_write_policy ]; then
		cat /proc/sys/vm/folio_write_policy
	else
		echo unpatched
	fi >$results/policy
}

# trace_on: attach each of the scripts that came along (bench/trace). What it
# prints is left in /results/trace.
trace_on()
{
	mkdir $results/trace
	for script in *.bt; do
		# On the unpatched kernel there are no policies to trace.
		if [ ! -e $events/$fwp ] && grep -q "${fwp%/*}:" "$script"; then
			continue
		fi
		out=$results/trace/${script%.bt}
		bpftrace "$script" >"$out.txt" 2>"$out.err" &
		tracers="${tracers:-} $!"
		# It says so when it is attached.
		until grep -q '^Tracing' "$out.txt"; do
			kill -0 $! 2>/dev/null ||
				fail 14 "$script cannot be attached: $(head -n 1 "$out.err")"
			sleep 0.1
		done
	done
}

# trace_off: what was printed must be whole.
trace_off()
{
	for tracer in $tracers; do
		if ! kill -INT "$tracer" || ! wait "$tracer"; then
			fail 14 "a script of bench/trace failed: see trace/*.err"
		fi
	done
	for err in "$results"/trace/*.err; do
		[ ! -s "$err" ] ||
			fail 14 "${err##*/}: $(head -n 1 "$err")"
		rm "$err"
	done
}

# begin: what every workload starts with.
begin()
{
	cat env >$results/env
	uname -a >$results/uname
	cat /proc/cmdline >$results/cmdline
	set_sysctls
	[ -z "${FWP_TRACE:-}" ] || trace_on
}

# vmstat before|after: the counters of the kernel.
vmstat()
{
	# Fold what each CPU still keeps to itself into the totals.
	echo 1 >/proc/sys/vm/stat_refresh
	cat /proc/vmstat >"$results/vmstat-$1"
}

# policy_counters before|after: the counters of every policy.
policy_counters()
{
	for counter in "$counters"/*/*; do
		[ ! -r "$counter" ] ||
			echo "${counter#"$counters"/} $(cat "$counter")"
	done >"$results/counters-$1"
}

hist_on()
{
	echo "$2" >"$events/$1/trigger" ||
		fail 14 "no histogram of $1: see bench/config/trace.config"
}

# hist_off EVENT TRIGGER FILE: keep the histogram, which must be whole.
hist_off()
{
	if ! cat "$events/$1/hist" >"$3" || ! echo "!$2" >"$events/$1/trigger"; then
		fail 14 "the histogram of $1 was lost"
	fi
	grep -q 'Dropped: 0$' "$3" ||
		fail 14 "the histogram of $1 dropped entries"
}

# The decisions of every policy are counted from decisions_on to decisions_off,
# by the policy's own counters and by its trace event.
decisions_on()
{
	policy_counters before
	[ ! -e $events/$fwp ] || hist_on $fwp "$fwp_hist"
}

decisions_off()
{
	[ ! -e $events/$fwp ] || hist_off $fwp "$fwp_hist" $results/hist-fwp
	policy_counters after
}

# The pauses of balance_dirty_pages() are summed from pauses_on to pauses_off.
pauses_on()
{
	hist_on $bdp "$bdp_hist"
}

pauses_off()
{
	hist_off $bdp "$bdp_hist" $results/hist-bdp
}

run_fio()
{
	fio --eta=never --output-format=json --output="$results/$1.json" "$2" ||
		fail 3 "fio $2 failed"
}

# drop_caches: everything clean, and none of it cached.
drop_caches()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
}

# create FILE MIB: a file on the disk, nothing of it cached.
create()
{
	dd if=/dev/zero of="$1" bs=1M count="$2" 2>/dev/null ||
		fail 3 "cannot create $1 of $2 MiB"
	drop_caches
}

# load FILE MIB: read its beginning in sequence, which builds large folios.
load()
{
	dd if="$1" of=/dev/null bs=1M count="$2" 2>/dev/null ||
		fail 3 "cannot read $1"
}

# same_size FILE MIB: a job that made the file longer wrote it anew.
same_size()
{
	[ "$(stat -c %s "$1")" = $(($2 * 1048576)) ] ||
		fail 3 "a job has changed the size of $1"
}

# largest FILE: bytes of the largest folio that holds pages of it.
largest()
{
	folios "$1" | sed 's/.*"max_bytes":\([0-9]*\).*/\1/'
}

# folios_hit FILE START STEP LEN COUNT: how many pages the folios have in which
# COUNT writes of LEN pages fall, the first at the page START and one every STEP
# pages, as the page cache is now. It is what is charged if each is charged whole.
folios_hit()
{
	folios "$1" | sed 's/"resident_pages".*//' | tr '[' '\n' |
		awk -F '[],]' -v start="$2" -v step="$3" -v len="$4" \
			-v count="$5" '
			NF > 2 {
				pages = 1
				for (order = $2; order > 0; order--)
					pages *= 2
				last = int(($1 + pages - 1 - start) / step)
				if (last >= count)
					last = count - 1
				if ($1 + pages > start &&
				    start + last * step + len > $1)
					sum += pages
			}
			END { print sum + 0 }'
}

# in_cgroup COMMAND...: run it, and leave in $cpu_us the CPU time that it took.
in_cgroup()
{
	mkdir /sys/fs/cgroup/cell
	(
		# $$ would be the script's own.
		sh -c 'echo $PPID' >/sys/fs/cgroup/cell/cgroup.procs
		"$@"
	)
	# shellcheck disable=SC2034 # used where this is sourced
	cpu_us=$(awk '$1 == "usage_usec" { print $2 }' /sys/fs/cgroup/cell/cpu.stat)
	rmdir /sys/fs/cgroup/cell
}

# vmstat_now NAME: one counter of the kernel.
vmstat_now()
{
	echo 1 >/proc/sys/vm/stat_refresh
	awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat
}

# disk_bytes read|written: what the disk has moved since it was made.
disk_bytes()
{
	awk -v op="$1" '{ print (op == "read" ? $3 : $7) * 512 }' \
		/sys/block/fwp/stat
}

# acted_now: how often the row's policy has acted, 0 where nobody counts.
acted_now()
{
	cat "$counters/$FWP_POLICY/acted" 2>/dev/null || echo 0
}

# now_ns: the guest's clock.
now_ns()
{
	awk '/^now at/ { print $3 }' /proc/timer_list
}

# resident FILE: bytes of it that are in the page cache.
resident()
{
	echo $(($(folios "$1" | sed 's/.*"resident_pages":\([0-9]*\).*/\1/') * 4096))
}

# ratio A B: to six decimals.
ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a / b }'
}

# metric NAME VALUE: a figure that metrics.json declares.
metric()
{
	echo "$1 $2" >>$results/metrics.tmp
}

# end: hand the figures over, if there are any, with a last line that counts
# them. A script that died before this has left none.
end()
{
	[ -z "${FWP_TRACE:-}" ] || trace_off
	if [ -e $results/metrics.tmp ]; then
		echo "end $(wc -l <$results/metrics.tmp)" >>$results/metrics.tmp
		mv $results/metrics.tmp $results/metrics
	fi
	phase end
}
