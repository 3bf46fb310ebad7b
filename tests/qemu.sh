# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How many CPUs a guest may have that is emulated. Sourced.

# QEMU before 8.1 can keep the translation of an INT3 that the guest's other CPU
# took back while it was being translated, and a guest that patches a branch while
# its other CPU runs dies of it, now and then ("Oops: int3").
qemu_can_patch()
{
	local major minor

	IFS=. read -r major minor _ <<-END
	$(qemu-system-x86_64 --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
	END
	[ "${major:-0}" -gt 8 ] || { [ "${major:-0}" -eq 8 ] && [ "$minor" -ge 1 ]; }
}

# cpus_for_flips N: with how many of N CPUs policies may be changed
cpus_for_flips()
{
	if qemu_can_patch; then
		echo "$1"
	else
		echo 1
	fi
}
