#!/bin/sh
# Users with some of root's rights: what they are told they lack is what they lack.
# changes the machine: sysctls
. "${0%/*}/../lib.sh"

setpriv=/usr/bin/setpriv
[ "$(id -u)" = 0 ] && [ -x $setpriv ] || { echo "ok rights: all # SKIP this needs root and setpriv"; exit; }

cp "$(command -v simfail)" "$(command -v retsnoop)" "$T" && chmod 755 "$T"
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
cd /tmp || exit

# with CAPABILITIES COMMAND [ARG]...: as a user who has no others; a list with commas, or nothing.
with()
{
	caps=-all
	for cap in $(echo "$1" | tr ',' ' '); do
		caps=$caps,+$cap
	done
	shift
	run $setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps "$caps" \
		--ambient-caps "$caps" "$@"
}

test_that 'the rights that are asked for are those of this machine'
with '' "$T/retsnoop" -e $mkdir
expect_status 3
expect_out_empty
expect_err_lines 1
expect_err '^retsnoop: tracing needs root, or (CAP_[A-Z_]+, )*CAP_[A-Z_]+ and CAP_[A-Z_]+( .*)?; try sudo$'
wanted=$(sed -n 's/^retsnoop: tracing needs root, or \([A-Z_, and]*[A-Z]\).*/\1/p' "$T/err" |
	sed 's/ and /, /; s/CAP_//g; s/ //g' | tr 'A-Z' 'a-z')

test_that 'with just these it traces'
with "$wanted" "$T/retsnoop" -sn -e $mkdir -- $T/simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_no_err 'warning: no way'

for lacking in $(echo "$wanted" | tr ',' ' '); do
	test_that "without CAP_$(echo "$lacking" | tr 'a-z' 'A-Z') it says so in one line"
	rest=$(echo ",$wanted," | sed "s/,$lacking,/,/; s/^,//; s/,$//")
	with "$rest" "$T/retsnoop" -sn -e $mkdir -- $T/simfail fs-mkdir-exists
	expect_status 3
	expect_out_empty
	expect_err_lines 1
	expect_err "^retsnoop: .*CAP_$(echo "$lacking" | tr 'a-z' 'A-Z')"
done

test_that 'addresses hidden from everybody are no matter of rights'
saved=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
with "$wanted" "$T/retsnoop" -sn -e $mkdir -- $T/simfail fs-mkdir-exists
echo "$saved" >/proc/sys/kernel/kptr_restrict
expect_status 3
expect_out_empty
expect_err_lines 1
expect_err 'kernel.kptr_restrict=2 .*sysctl -w kernel.kptr_restrict=1'

# Debian's kernels know 3: perf events, which single kprobes are, for CAP_SYS_ADMIN alone.
test_that 'single kprobes that may not be are said to be'
echo 3 >/proc/sys/kernel/perf_event_paranoid
with bpf,perfmon,syslog,sys_resource "$T/retsnoop" -sn --attach=kprobe -e $mkdir -- $T/simfail fs-mkdir-exists
echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
if [ $status -eq 0 ]; then
	expect_sessions 1
else
	expect_status 3
	expect_out_empty
	expect_err '^retsnoop: .*(CAP_SYS_ADMIN|perf_event_paranoid)'
fi

# own_caps: the effective capabilities of the retsnoop that runs, as a number.
own_caps() { echo $((0x$(sed -n 's/^CapEff:[[:space:]]*//p' "/proc/$(pidof retsnoop)/status"))); }
sys_admin=$((1 << 21))

test_that 'what only attaching needs is given up'
start retsnoop -e $mkdir
expect 'CAP_SYS_ADMIN is gone' [ $(($(own_caps) & sys_admin)) -eq 0 ]
expect 'CAP_PERFMON is gone' [ $(($(own_caps) & 1 << 38)) -eq 0 ]
expect 'CAP_SYSLOG is there' [ $(($(own_caps) & 1 << 34)) -ne 0 ]
simfail fs-mkdir-exists >/dev/null
wait_for 60 "$T/out" "$mkdir"
stop INT
expect_status 0
expect_sessions 1
expect_out 'entry_SYSCALL_64|el0t_64_sync|ret_from_exception' "\[-EEXIST\] +$mkdir"
expect_no_err 'warning'

test_that 'where modules may come it is put aside'
start retsnoop -e $mkdir -a 'no_such_function_*'
expect 'CAP_SYS_ADMIN is not in effect' [ $(($(own_caps) & sys_admin)) -eq 0 ]
expect 'CAP_SYSLOG is' [ $(($(own_caps) & 1 << 34)) -ne 0 ]
permitted=$((0x$(sed -n 's/^CapPrm:[[:space:]]*//p' "/proc/$(pidof retsnoop)/status")))
expect 'CAP_SYS_ADMIN can be had again' [ $((permitted & sys_admin)) -ne 0 ]
stop INT
expect_status 1

test_that 'what attaches again keeps it'
start retsnoop -e $mkdir --budget=5%
expect 'CAP_SYS_ADMIN is there' [ $(($(own_caps) & sys_admin)) -ne 0 ]
stop INT
expect_status 1
