#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --budget: what tracing takes is held, measured by the clock of the load, and what was shed is counted.
# The machine has one CPU whose clock counts instructions.
# machines: icount
# kernels: 6.12
. "${0%/*}/../lib.sh"

# A path with many components: an entry call with many traced calls inside. It fails, which costs a stack,
# and is not what is asked for: showing it would take more time than tracing.
cat >"$T/load.sh" <<'END'
path=/dev
i=0
while [ $i -lt 80 ]; do path=$path/../dev i=$((i + 1)); done
i=0
while [ $i -lt $1 ]; do { :; } <$path/nothing; i=$((i + 1)); done
END

# Of the clock of read_clock, a tick is a twelfth of what the budget allows for the load.
now_us() { awk '$1 == "now" { printf "%d", $3 / 1000; exit }' /proc/timer_list; }

# timed CALLS: milliseconds that the load took.
timed()
{
	begun=$(now_us)
	sh "$T/load.sh" "$1" 2>/dev/null
	echo $((($(now_us) - begun) / 1000))
}

# own_ms: what retsnoop itself took, all its threads. Not by their ticks, of which short work has none.
own_ms()
{
	own=$(grep -lx retsnoop /proc/[0-9]*/comm 2>/dev/null)
	cat "${own%/comm}"/task/*/schedstat | awk '{ sum += $1 } END { printf "%d", sum / 1000000 }'
}

# near SHARE WANTED: within a quarter.
near() { awk -v is="$1" -v wanted="$2" 'BEGIN { exit !(is >= wanted * 0.75 && is <= wanted * 1.25) }'; }

# part OF ALL: in percent.
part() { awk -v of="$1" -v all="$2" 'BEGIN { printf "%.2f", 100 * of / all }'; }

took() { sed -n 's/^ *tracing took \([0-9.]*\)% of the CPUs.*/\1/p' "$T/err"; }

functions='-e __x64_sys_openat -a path_init -a path_openat -a inode_permission -a lookup_fast -a __d_lookup_rcu
	-a security_inode_permission -a path_get -n sh -x EPERM'

test_that 'a budget as large as all changes nothing'
timed 1000 >/dev/null
untraced=$(timed 1000)
# shellcheck disable=SC2086
start retsnoop --budget=99% $functions
traced=$(timed 1000)
stop INT
expect_err '^retsnoop: 0 sessions shown, nothing( known to be)? missed' "^  tracing took [0-9.]+% of the CPUs' time; the budget was 99%"
all=$(part $((traced - untraced)) "$traced")
expect "tracing takes more than half of the time: $untraced ms, traced $traced" near "$all" 75

budget=$(awk -v all="$all" 'BEGIN { printf "%.1f", all / 10 }')
calls=15000
untraced=$(timed $calls)
test_that 'a load ten times too large is held within a quarter'
note_command "# $untraced ms untraced; tracing takes $all% without a budget"
# shellcheck disable=SC2086
start retsnoop -v --budget="$budget%" $functions
# The beginning takes too much, which is saved afterwards.
timed 30000 >/dev/null
before=$(own_ms)
traced=$(timed $calls)
own=$(($(own_ms) - before))
stop INT
share=$(part $((traced - untraced - own)) "$traced")
expect "a share of $budget%, not $share% ($untraced ms, with tracing $traced, $own of retsnoop's)" near "$share" "$budget"
expect "retsnoop to say $budget%, not $(took)" near "$(took)" "$budget"
expect_err '^retsnoop: 0 sessions shown, some may be missing' \
	'^  [0-9]+ entry calls were not followed: the budget did not allow them; try' \
	'^  [0-9]+ functions? (was|were) given up: ' "^  tracing took [0-9.]+% of the CPUs' time; the budget was ${budget%.0}%"

test_that 'what is shed is counted exactly, and what is kept is whole'
# As much as the hits need, so that nothing is given up or detached: what is called then, nothing counts.
start retsnoop --budget=0.4% -e '*_sys_mount' -a get_fs_type -n simfail
timed 100 >/dev/null
simfail -n 400 fs-mount-unknown
stop INT
shown=$(sed -n 's/^retsnoop: \([0-9]*\) sessions\{0,1\} shown.*/\1/p' "$T/err")
shed=$(sed -n 's/^  \([0-9]*\) entry calls were not followed: the budget.*/\1/p' "$T/err")
expect_no_err 'given up|detached'
expect "400 calls, not $shown shown and $shed shed" [ "$((${shown:-0} + ${shed:-0}))" = 400 ]
expect "more than none shown ($shown) and shed ($shed)" [ "${shown:-0}" -gt 0 -a "${shed:-0}" -gt 0 ]
stacks=$(grep -c '\[NULL\] *get_fs_type' "$T/out")
expect "$shown whole stacks, not $stacks" [ "$stacks" = "$shown" ]

test_that 'an entry function that is too much alone is held by pauses'
cat >"$T/load.sh" <<'END'
i=0
while [ $i -lt $1 ]; do { :; } </dev/nothing; i=$((i + 1)); done
END
timed 20000 >/dev/null
untraced=$(timed 250000)
start retsnoop --budget=2% -e do_sys_openat2 -n sh -x EPERM
timed 20000 >/dev/null
before=$(own_ms)
traced=$(timed 250000)
own=$(($(own_ms) - before))
stop INT
share=$(part $((traced - untraced - own)) "$traced")
note_command "# $untraced ms untraced, with tracing $traced, $own of retsnoop's: $share%"
expect "retsnoop to say 2%, not $(took)" near "$(took)" 2
expect "a share of at most 3%, not $share%" [ "$(awk -v share="$share" 'BEGIN { print (share < 3) }')" = 1 ]
expect_err '^--budget: 1 entry function is called so often that it is detached for a part of the time: do_sys_openat2$' \
	'^  [0-9]+ ms went by without the entry functions called most: the budget did not allow them; try'

end_test
