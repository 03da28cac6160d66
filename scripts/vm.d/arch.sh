# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154	# what those set that source it
#
# CPU architectures, by the names of the kernel's sources and of `make ARCH=`: which one a test machine has, and
# which one this machine. Sourced; uses $top.

# arch_for NAME: x86, arm64 or riscv, of a flavour (tests/kernels) or a machine (tests/e2e/run).
arch_for()
{
	case $1 in
	arm64|riscv)	echo "$1" ;;
	*)		echo x86 ;;
	esac
}

# uname_for ARCH: what "uname -m" prints there; QEMU and compilers have it in their names.
uname_for()
{
	case $1 in
	x86)	echo x86_64 ;;
	arm64)	echo aarch64 ;;
	riscv)	echo riscv64 ;;
	esac
}

# native_arch: this machine's; one that no test machine has keeps its name.
native_arch()
{
	local arch machine
	machine=$(uname -m)
	for arch in x86 arm64 riscv; do
		[[ $machine != "$(uname_for $arch)" ]] || machine=$arch
	done
	echo "$machine"
}

# other_arch: the one that the tests build and boot for besides this machine's.
other_arch()
{
	if [[ $(native_arch) == arm64 ]]; then
		echo x86
	else
		echo arm64
	fi
}

# The list of test kernels, without its comments.
kernel_list() { grep -v '^#' "$top/tests/kernels"; }

# kernel_field KERNEL suites|release|flavour: of the list.
kernel_field()
{
	kernel_list | awk -v kernel="$1" -v column="$2" '
		BEGIN { number["suites"] = 2; number["release"] = 3; number["flavour"] = 4 }
		$1 == kernel { print $number[column] }'
}

# arch_of KERNEL
arch_of() { arch_for "$(kernel_field "$1" flavour)"; }

# native_kernel SERIES: the kernel of the series that runs programs of this machine.
native_kernel()
{
	if [[ $(native_arch) == arm64 ]]; then
		echo "$1-arm64"
	else
		echo "$1"
	fi
}
