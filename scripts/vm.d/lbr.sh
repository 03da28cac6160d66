# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154	# what scripts/vm sets
# shellcheck disable=SC2034	# what scripts/vm reads
#
# CPUs that record branches, for scripts/vm --lbr: which plugin (tests/lbr/lbr.c), CPU model and
# QEMU go together. Sourced; uses say, bad, cannot, fetch_emulator, $cache, $build and $top from there.

# The first QEMU whose plugins can write registers and set the program counter as ours does.
lbr_qemu_needed=11.1

# lbr_of_cpu MODEL: the plugin's options for it.
lbr_of_cpu()
{
	case ${1%%[,]*} in
	Skylake-*|Cascadelake-*|Cooperlake*)	echo depth=32,fmt=5 ;;
	Haswell*|Broadwell*)			echo depth=16,fmt=4 ;;
	Nehalem*|Westmere*|SandyBridge*|IvyBridge*) echo depth=16,fmt=3 ;;
	*)	return 1 ;;
	esac
}

# lbr_choose: fill in what was not said of $cpu and $lbr_options, each from the other.
lbr_choose()
{
	local word fmt=
	if [[ -n $lbr_options ]]; then
		for word in ${lbr_options//,/ }; do
			case $word in
			fmt=[345])	fmt=${word#fmt=} ;;
			depth=1|depth=2|depth=4|depth=8|depth=16|depth=32|debug=on) ;;
			*)	bad "--lbr takes depth=N, up to 32, fmt=3, 4 or 5, and debug=on; what is '$word'?" ;;
			esac
		done
	fi
	if [[ -z $cpu ]]; then
		case ${fmt:-5} in
		5)	cpu=Skylake-Client ;;
		4)	cpu=Haswell ;;
		3)	cpu=Nehalem ;;
		esac
	fi
	lbr_options=$(lbr_of_cpu "$cpu")${lbr_options:+,$lbr_options} ||
		[[ -n $fmt ]] ||
		bad "--lbr does not know the CPU model $cpu: Skylake-Client, Haswell and Nehalem it does"
	lbr_options=${lbr_options#,}
}

# lbr_qemu_fits PROGRAM: whether it is one that can load the plugin.
lbr_qemu_fits()
{
	local version
	version=$("$1" --version 2>/dev/null | sed -n '1s/.*version \([0-9]*\.[0-9]*\).*/\1/p')
	[[ -n $version ]] &&
		[[ $(printf '%s\n' "$lbr_qemu_needed" "$version" | sort -V | head -n 1) == "$lbr_qemu_needed" ]]
}

# lbr_choose_qemu: into $qemu, this machine's if it is new enough.
lbr_choose_qemu()
{
	local program=qemu-system-x86_64 emulator=emulator
	if [[ $guest == arm64 ]]; then
		program=$guest_qemu
		emulator=emulator-arm64
	fi
	if qemu=$(command -v "$program") && lbr_qemu_fits "$qemu"; then
		return
	fi
	qemu=$cache/$emulator/run
	fetch_emulator "$emulator" ||
		cannot "--lbr needs QEMU $lbr_qemu_needed or later, and sid's could not be fetched: see above"
	lbr_qemu_fits "$qemu" ||
		cannot "--lbr needs QEMU $lbr_qemu_needed or later; ${qemu%/run} is older: remove it to have it fetched again"
}

# lbr_find_plugin: into $lbr_plugin.
lbr_find_plugin()
{
	local dir name=lbr
	[[ $guest != arm64 ]] || name=steps
	for dir in ${build:+"$build"} "$top/build"; do
		lbr_plugin=$dir/tests/$name.so
		[[ ! -e $lbr_plugin ]] || return 0
	done
	cannot "--lbr needs tests/$name.so in ${build:-build/}: make lbr"
}

# lbr_errors FILE: QEMU's messages but those about what it leaves out of the CPU model.
lbr_errors()
{
	grep -v "warning: TCG doesn't support requested feature" "$1"
}
