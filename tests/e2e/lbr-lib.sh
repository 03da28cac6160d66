# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2154	# what lib.sh sets
# What cases about branch records have in common; sourced after lib.sh.

lbr_check=${0%/*}/../../lbr/check
arraymap=kernel/bpf/arraymap.c

depth=$(cat /sys/devices/cpu/caps/branches)
! grep -q mitigations=off /proc/cmdline || unmitigated=1
: "${unmitigated:=}"

# Whether source lines can be shown.
has_lines() { [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; }

# branches FILE: from, to and remark of each, without offsets and sources, in order.
branches()
{
	sed -n -E 's/^\[(#[0-9]+| ~ )\] (.*)/\2/p' "$1" |
		sed -E -e 's/  ->  /\t/' -e 's/ +\([^()]*:[0-9]+(:[0-9]+)?\)//g' \
			-e 's/\+0x[0-9a-f]+//g' -e 's/ *\t */ -> /' -e 's/ +$//'
}

# expect_branches LINE...: patterns of what "branches" prints, each after the one before.
expect_branches()
{
	branches "$T/out" >"$T/branches"
	in_order branches "$T/branches" "$@"
}

# expect_true_branches TYPES COMMAND...: retsnoop's own records, all of them, against the code. The
# command is what fails; it is given a moment more, for the code of tracing itself goes with it.
expect_true_branches()
{
	types=$1
	shift
	retsnoop lbr -q --lbr="$types" --lbr-full --format=json "$@" 2>"$T/json.err" |
		lbr-from-json "$types" >"$T/rings" 2>"$T/rings.err"
	expect "branches that the code has" sh -c "'$lbr_check' '$T/rings' || { cat '$T/json.err' '$T/rings.err'; false; }"
}
