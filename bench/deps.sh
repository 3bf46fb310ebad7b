#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Installs what the project needs and the system lacks, by apt:
#
#	bench/deps.sh [PACKAGE...]	and these, which one test alone needs
set -eu
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

packages='
build-essential bc bison flex kmod cpio rsync xz-utils zstd lz4 libelf-dev
libssl-dev ccache quilt sparse git python3-minimal debian-archive-keyring
qemu-system-x86 seabios fio xfsprogs bpftrace busybox-static
libjansson-dev libgsl-dev gnuplot-nox libfuse3-dev liburing-dev pkg-config shellcheck
util-linux procps jq
'"$*"

[ -r /etc/debian_version ] ||
	die "this is not Debian: install the equivalents of the packages in bench/deps.sh yourself and call the other targets"

missing=
for package in $packages; do
	# shellcheck disable=SC2016 # dpkg-query's own format
	status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null ||
		die "missing packages and neither root nor sudo to install them: run as root: apt-get install$missing"
	sudo=sudo
fi

say "installing$missing"
log=$build/log/deps.log
mkdir -p "$build/log"
# shellcheck disable=SC2086 # words on purpose
if ! { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
       $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		--no-install-recommends install $missing; } >"$log" 2>&1; then
	tail -n 5 "$log" >&2
	die "apt-get could not install$missing (no network? see $log)"
fi
