# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154	# what cases use, and what lib.sh sets
# What cases about branch records have in common; sourced after lib.sh.

lbr_check=${0%/*}/../../lbr/check
arraymap=kernel/bpf/arraymap.c
depth=$(cat /sys/devices/cpu/caps/branches)
limit=300	# emulated all by itself, and reading debug info

# Whether source lines can be shown.
has_lines() { [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; }

# undisturbed: of what was shown keep one session that no interrupt has cut into. The first time that
# code runs it is slow under emulation, so that the next tick is due when it ends; hence the cases
# fail several times, and this chooses.
undisturbed()
{
	awk '
		function finish() {
			if (text && shown && !disturbed && !done++)
				printf "%s", text
		}
		/ TID\/PID / { finish(); text = ""; shown = disturbed = 0 }
		/^\[#/ { shown++ }
		/\(interrupt|no branch of / { disturbed++ }
		{ text = text $0 "\n" }
		END { finish() }' "$T/out" >"$T/one"
	if [ -s "$T/one" ]; then
		mv "$T/one" "$T/out"
	else
		problem 'expected a session that no interrupt has cut into'
	fi
}

# branches: from and to of each, and what is said of it, without offsets and sources, in order:
# "map_create -> __sys_bpf", "native_irq_return_iret -> memset (interrupt)".
branches()
{
	sed -n -E 's/^\[(#[0-9]+| ~ )\] (.*)/\2/p' "$T/out" |
		sed -E -e 's/  ->  /\t/' -e 's/ +\([^() ]*:[0-9]+(:[0-9]+)?\)//g' \
			-e 's/\+0x[0-9a-f]+//g' -e 's/ *\t */ -> /' -e 's/ +/ /g' -e 's/ +$//'
}

# expect_branches PATTERN...: of what "branches" prints, each after the one before.
expect_branches()
{
	branches >"$T/branches"
	in_order branches "$T/branches" "$@"
}

# sessions_come N: wait until what was started has shown so many, in JSON.
sessions_come()
{
	tries=2000
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
