# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2154	# what lib.sh sets
# What cases about branch records have in common; sourced after lib.sh.

lbr_check=${0%/*}/../../lbr/check
limit=300	# reading debug info takes its time under emulation
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

# sessions_come N: wait until what was started has shown so many, in JSON.
sessions_come()
{
	tries=1200
	while [ $tries -gt 0 ] && [ "$(grep -c '"type":"session"' "$T/out")" -lt "$1" ]; do
		tries=$((tries - 1))
		sleep 0.05
	done
}

# expect_true_branches TYPES N CASE...: all records of N sessions that these cases of simfail make,
# against the code: while tracing is on, for its own code goes when it ends.
expect_true_branches()
{
	types=$1 sessions=$2
	shift 2
	start retsnoop lbr -sn -v --lbr="$types" --lbr-full --format=json -e __sys_bpf -a array_map_alloc_check
	simfail "$@" >/dev/null
	sessions_come "$sessions"
	lbr-from-json "$types" <"$T/out" >"$T/rings" 2>&1
	stop INT
	expect "records of $sessions sessions" [ "$(grep -c '^ring' "$T/rings")" -eq "$sessions" ]
	expect 'branches that the code has' "$lbr_check" "$T/rings"
}
