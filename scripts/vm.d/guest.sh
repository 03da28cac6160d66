# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154	# what scripts/vm sets
# shellcheck disable=SC2034	# what scripts/vm reads
#
# What depends on the CPU architecture of a test machine, for scripts/vm: QEMU's machine, and where the
# guest's programs come from. Sourced.

# choose_guest: by $kernel, into $guest and $guest_x.
choose_guest()
{
	guest=$(arch_of "$kernel")
	guest_uname=$(uname_for "$guest")
	case $guest in
	x86)	guest_machine=()
		guest_console=ttyS0 guest_tty=ttyS1
		# Without cx16: QEMU 7.2 corrupts flags after it, and 6.12 panics in three boots of four.
		guest_cpu=qemu64,-cx16 ;;
	arm64)	guest_machine=(-machine virt)
		guest_console=ttyAMA0 guest_tty=
		guest_cpu=cortex-a72
		guest_qemu=qemu-system-aarch64 guest_qemu_package=qemu-system-arm ;;
	riscv)	guest_machine=(-machine virt)
		guest_console=ttyS0 guest_tty=
		guest_cpu=rv64
		guest_qemu=qemu-system-riscv64 guest_qemu_package=qemu-system-riscv ;;
	esac
	guest_root=
	guest_busybox=$busybox
	guest_build=$top/build
	if [[ $(native_arch) != "$guest" ]]; then
		guest_root=$("$here/sysroot" "$guest") || exit
		guest_busybox=$guest_root/bin/busybox
		guest_build=$top/build-$guest
	fi
	[[ -n $guest_tty || -z $tty ]] || bad "a shell in an $guest machine is not there yet: name a command"
}

# guest_libraries FILE: what a program of the guest loads at start, as paths from / on. "ldd" runs the
# program's own loader, so it is for this machine's programs only.
guest_libraries()
{
	if [[ -z $guest_root ]]; then
		ldd "$1" 2>/dev/null | grep -o '/[^ ]*'
		return
	fi
	LC_ALL=C readelf -ld "$1" 2>/dev/null |
		sed -n 's/.*program interpreter: \(.*\)\]/\1/p; s/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		while read -r name; do
			[[ $name == /* ]] && { echo "$name"; continue; }
			echo "/lib/$guest_uname-linux-gnu/$name"
			guest_libraries "$guest_root/lib/$guest_uname-linux-gnu/$name"
		done
}
