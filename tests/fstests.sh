#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# fstests.sh
#	Run the user's own tree of xfstests in guests, on XFS, under no policy and under
#	others, and print what differs.
#
# From the environment:
#	FSTESTS=DIR		the tree, in which make was run; it is only read
#	POLICY=account		folders of policies/ that are compared with none: a,b
#	FSTESTS_ARGS='-g quick -g rw'	what ./check of the tree is given
#	FSTESTS_DISK=2048	MiB of each of the two disks, which are in the guest's
#				memory: it has twice as much, and 2 GiB
#	FSTESTS_LIMIT=120	minutes that one test may take
#	MKFS_OPTIONS='-b size=1k'	of mkfs.xfs, for both disks
#	MODE=auto		kvm if a boot under it works, else tcg; or virtual
#
# What a guest left is kept in build/fstests/POLICY until the next run.
#
# Exit: 0 no test fails that passed under none; 1 one does, or a run came to no end;
# 130 interrupted.
set -euo pipefail
# shellcheck source=../bench/lib.sh
. "$(dirname "$0")/../bench/lib.sh"
# shellcheck source=qemu.sh
. "$top/tests/qemu.sh"

POLICY=${POLICY:-account}
FSTESTS_ARGS=${FSTESTS_ARGS:--g quick -g rw}
disk=${FSTESTS_DISK:-2048}
limit=${FSTESTS_LIMIT:-120}
MODE=${MODE:-auto}
base=$build/fstests
IFS=, read -ra policies <<<"$POLICY"
guest=0
pid=

# tests_of GROUP: a line each, also where the group is given as DIR/GROUP
tests_of()
{
	local dir dirs='generic shared xfs' list

	[ "$1" = "${1##*/}" ] || dirs=${1%/*}
	for dir in $dirs; do
		for list in "$tree/tests/$dir"/group{.list,}; do
			[ ! -e "$list" ] || awk -v dir="$dir" -v group="${1##*/}" '/^[0-9]/ {
				for (i = 2; i <= NF && $i !~ "^#"; i++)
					if ($i == group)
						print dir "/" $1
			}' "$list"
		done
	done
}

# The words of FSTESTS_ARGS that name groups or tests of the tree must be such. The
# tests that are asked for by their groups are counted, for whoever waits.
check_args()
{
	local word option='' group tests asked='' args

	read -ra args <<<"$FSTESTS_ARGS"
	for word in "${args[@]}"; do
		case $option:$word in
		-[gx]:*)
			for group in ${word//,/ }; do
				[ "$group" != all ] || continue
				tests=$(tests_of "$group")
				[ -n "$tests" ] ||
					die "unknown group $group in FSTESTS_ARGS: no test of $tree is in it"
				[ "$option" = -x ] || asked+=$tests$'\n'
			done
			;;
		-[EXRsSiIL]:* | *:-*) ;;
		*:*/*)
			compgen -G "$tree/tests/$word" >/dev/null ||
				die "unknown test $word in FSTESTS_ARGS: $tree has none of that name"
			;;
		esac
		option=$word
	done
	asked=$(sort -u <<<"$asked" | grep -c .) || :
	of_expected=
	[ "$asked" -eq 0 ] || of_expected=" of about $asked"
}

check_tree()
{
	local file

	[ -n "${FSTESTS:-}" ] ||
		die 'no xfstests tree: clone xfstests-dev, run make in it, and give its directory: make fstests FSTESTS=DIR'
	# The shell has not expanded it where it came through make.
	tree=${FSTESTS/#\~\//$HOME/}
	[ -d "$tree" ] || die "FSTESTS=$FSTESTS is not a directory: give that of an xfstests tree"
	tree=$(realpath "$tree")
	for file in check common/config common/rc tests/generic; do
		[ -e "$tree/$file" ] ||
			die "FSTESTS=$FSTESTS is not an xfstests tree: it has no $file"
	done
	for file in ltp/fsstress ltp/fsx; do
		[ -x "$tree/$file" ] ||
			die "FSTESTS=$FSTESTS is not built: it has no $file: run make in it (its README says what that needs)"
	done
	[ -e "$tree/tests/generic/group.list" ] || [ -e "$tree/tests/generic/group" ] ||
		die "FSTESTS=$FSTESTS is not built: it has no tests/generic/group.list: run make in it"
}

check_input()
{
	local name

	check_tree
	for name in "${policies[@]}"; do
		[ "$name" != none ] || die 'POLICY=none is what the others are compared with: give another'
		[[ $name != */* && -e $top/policies/$name/sysctl.conf ]] ||
			die "unknown policy POLICY=$name: one of $(cd "$top/policies" && echo *)"
	done
	case $MODE in
	virtual | tcg | kvm | auto) ;;
	*) die "unknown mode MODE=$MODE: one of auto kvm tcg virtual" ;;
	esac
	# mkfs.xfs makes no smaller ones.
	[[ $disk =~ ^[1-9][0-9]{2,6}$ && $disk -ge 300 ]] ||
		die "bad FSTESTS_DISK=$disk: MiB of a disk, from 300 on"
	[[ $limit =~ ^[1-9][0-9]{0,4}$ ]] ||
		die "bad FSTESTS_LIMIT=$limit: the minutes that one test may take"
	mem=$((2 * disk + 2048))
	available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
	[ "$mem" -le "$available" ] ||
		die "a guest with FSTESTS_DISK=$disk needs $mem MiB and $available MiB are free: choose a smaller one"
	check_args
}

# The libraries of the tree's programs, which need not be the distribution's.
copy_libraries()
{
	local libraries missing

	libraries=$(find "$base/tree/xfstests/"{ltp,src} -type f -perm -u+x ! -name '*.sh' ! -name '*.pl' -print0 |
		xargs -0 ldd 2>/dev/null | sort -u) || :
	missing=$(awk '/=> not found/ { print $1; exit }' <<<"$libraries")
	[ -z "$missing" ] ||
		die "a program of $tree needs $missing: install it, or build the tree again"
	awk '$2 == "=>" { print $3 }' <<<"$libraries" | sort -u |
		xargs -r cp -L -t "$base/tree/lib"
}

# An image with all but what only one policy's boot has: the tree without what it was
# made of, and without what the user ran it with.
make_image()
{
	local size

	rm -rf "$base/tree"
	mkdir -p "$base/tree/lib"
	rsync -a --safe-links --exclude=/.git --exclude=/results --exclude=/local.config \
		--exclude='*.o' --exclude='*.lo' --exclude='*.a' \
		"$tree/" "$base/tree/xfstests/" || die "cannot copy $tree: see above"
	find "$base/tree/xfstests" -xtype l -delete
	size=$(du -sm "$base/tree" | cut -f1)
	[ "$size" -le 1000 ] ||
		die "FSTESTS=$FSTESTS has $size MiB beside .git, results and objects: that is too much for a guest's memory: clean it"
	copy_libraries
	cp "$top/tests/guest/fstests" "$base/tree/run"
	"$top/bench/initramfs.sh" core --with fstests "$base/core.img"
	"$top/bench/initramfs.sh" row "$base/core.img" "$base/tree" "$base/tree.img"
	rm -rf "$base/tree"
}

choose_mode()
{
	local why

	case $MODE in kvm | auto) ;; *) return ;; esac
	say 'trying KVM with a real boot, 60 s at the most' >&2
	if why=$("$top/bench/boot.sh" --probe-kvm --kernel "$kernel/vmlinux" \
			--initrd "$base/core.img" 2>&1); then
		MODE=kvm
	elif [ "$MODE" = kvm ]; then
		die "$why: use MODE=tcg"
	else
		say "$why: falling back to MODE=tcg, which is slow: FSTESTS_ARGS can ask for less" >&2
		MODE=tcg
	fi
}

# How many CPUs a guest gets: the kernel takes eight.
choose_cpus()
{
	cpus=$(nproc)
	[ "$cpus" -le 8 ] || cpus=8
	case $MODE in
	tcg) cpus=$(cpus_for_flips "$cpus") ;;
	virtual) cpus=1 ;;
	esac
}

# How many tests the guest has begun, and the last of them: ./check tells the kernel's
# log.
begun()
{
	awk '{
		sub("\r$", "")
		if (match($0, /run fstests [^ ]* at /)) {
			n++
			split(substr($0, RSTART), word, " ")
		}
	}
	END { print n + 0, word[3] }' "$dir/console.log" 2>/dev/null || echo 0
}

# Wait for the guest; its status is in "status". Sets "hung" if it had to be ended.
supervise()
{
	local n=0 test='' last='' since=$SECONDS said=$SECONDS

	status=0
	hung=
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		read -r n test <<<"$(begun)"
		[ "$n $test" = "$last" ] || last="$n $test" since=$SECONDS
		if [ $((SECONDS - since)) -ge $((limit * 60)) ]; then
			hung="it hung, and was ended after $limit min (FSTESTS_LIMIT)"
			kill "$pid"
			break
		fi
		if [ $((SECONDS - said)) -ge 30 ]; then
			said=$SECONDS
			say "guest $guest of $((${#policies[@]} + 1)), $name: $n$of_expected tests begun${test:+, now $test}, $(elapsed) elapsed" >&2
		fi
	done
	wait "$pid" || status=$?
	pid=
}

# run_policy NAME: fails, with the reason said, if there is no whole result.
run_policy()
{
	local name=$1 n test why

	guest=$((guest + 1))
	dir=$base/$name
	rm -rf "$dir"
	mkdir -p "$dir/row"
	cp "$top/tests/guest/fstests" "$dir/row/run"
	cp "$top/policies/$name/sysctl.conf" "$dir/row/"
	cat >"$dir/row/env" <<-END
		FWP_CHECK_ARGS=$FSTESTS_ARGS
		FWP_DISK=$disk
		FWP_MKFS_OPTIONS=${MKFS_OPTIONS:-}
	END
	"$top/bench/initramfs.sh" row "$base/tree.img" "$dir/row" "$dir/initrd" || return 1
	# The tests begin with a line in the kernel's log, none of which may be dropped.
	# A week is no limit: supervise() has one.
	"$top/bench/boot.sh" --mode "$MODE" --smp "$cpus" --mem "$mem" \
		--kernel "$kernel/vmlinux" --initrd "$dir/initrd" --out "$dir" \
		--limit 604800 --append printk.devkmsg=on 2>"$dir/why" &
	pid=$!
	supervise
	rm -rf "$dir/row" "$dir/initrd"
	[ "$status" -ne 0 ] || return 0

	if [ "$status" -eq 15 ] && [ -s "$dir/results/check.out" ]; then
		say "$name: no result: $(tail -n 1 "$dir/results/check.out") (see $dir/results/check.out)" >&2
		return 1
	fi
	why=${hung:-$(sed -n 's/^boot.sh: //p' "$dir/why" | head -n 1)}
	read -r n test <<<"$(begun)"
	if [ "$n" -eq 0 ]; then
		say "$name: no result, the guest ended before its first test: $why ($dir/console.log)" >&2
	else
		say "$name: no whole result, the guest ended in $test, number $n$of_expected: $why ($dir/console.log). Without that test: FSTESTS_ARGS='-e $test $FSTESTS_ARGS'" >&2
	fi
	return 1
}

# log_of NAME: what ./check wrote there
log_of()
{
	echo "$base/$1/results/xfstests/check.log"
}

# compare NAME: fails if a test does that passed under none.
compare()
{
	local acted failed rc=0

	"$top/tests/fstests-diff.sh" "$(log_of none)" "$(log_of "$1")" "$1" \
		>"$base/$1/difference" || rc=$?
	echo
	cat "$base/$1/difference"
	[ "$rc" -ne 2 ] || return 1
	echo
	acted=$(cat "$base/$1/results/acted")
	if [ "$acted" = 0 ]; then
		echo "The policy never acted: this says nothing of it."
	else
		echo "The policy acted $acted times."
	fi
	[ "$rc" -eq 0 ] || {
		failed=$(sed -n '/^Fails under .* passed/,/^$/s/^  //p' "$base/$1/difference" | paste -sd' ')
		echo "What these said is in $base/$1/results/xfstests. To see if they fail again:"
		echo "  $(command_line "$1" "$failed")"
	}
	return "$rc"
}

# command_line POLICY ARGS
command_line()
{
	local mkfs=

	[ -z "${MKFS_OPTIONS:-}" ] || mkfs=" MKFS_OPTIONS='$MKFS_OPTIONS'"
	echo "make fstests FSTESTS=$FSTESTS POLICY=$1 MODE=$MODE FSTESTS_DISK=$disk$mkfs FSTESTS_ARGS='$2'"
}

# What the tree says of its version.
version()
{
	[ -e "$tree/.git" ] && git -C "$tree" describe --tags --always --dirty 2>/dev/null ||
		echo 'of unknown version (no git)'
}

info()
{
	sed -n "s/^$1=//p" "$kernel/info"
}

package_version()
{
	# shellcheck disable=SC2016 # dpkg-query's own format
	dpkg-query -W -f '${Version}' "$1"
}

provenance()
{
	cat <<-END

	kernel $(cat "$kernel/release"), stack $(info stack), config $(info config), compiler $(info compiler)
	xfstests $(version), xfsprogs $(package_version xfsprogs)
	qemu $(package_version qemu-system-x86), mode $MODE, CPUs $cpus, $mem MiB, disks of $disk MiB
	host $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), on $(date +%Y-%m-%d)
	command: $(command_line "$POLICY" "$FSTESTS_ARGS")
	END
}

# shellcheck disable=SC2317 # called by the trap
interrupted()
{
	trap '' INT TERM
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
	fi
	say "interrupted after $(elapsed)" >&2
	exit 130
}

# shellcheck disable=SC2317 # called by the trap
clean_up()
{
	rm -rf "$base"/{tree,tree.img,core.img} "$base"/*/{row,initrd}
}

check_input
mkdir -p "$build"
exec 8>"$build/.fstests.lock"
flock -n 8 || die "another run of xfstests is at work in $build: wait for it, or end it"
rm -rf "$base"
mkdir "$base"
trap clean_up EXIT
trap interrupted INT TERM
need_space "$base" 4000 'the images of the guests'
mapfile -t packages < <(sed -n 's/^package[[:space:]]*//p' "$top/bench/guest/fstests.manifest")
"$top/bench/deps.sh" "${packages[@]}"
kernel=$("$top/bench/kernel.sh" fstests)
make_image
choose_mode
choose_cpus
say "xfstests $(version), ./check $FSTESTS_ARGS: under none, then ${policies[*]}; mode $MODE, CPUs $cpus, $mem MiB" >&2
run_policy none || exit 1
# Without it there is nothing to compare the others with.
"$top/tests/fstests-diff.sh" "$(log_of none)" "$(log_of none)" none >/dev/null || exit 1
rc=0
for name in "${policies[@]}"; do
	if run_policy "$name"; then
		compare "$name" || rc=1
	else
		rc=1
	fi
done
provenance
exit "$rc"
