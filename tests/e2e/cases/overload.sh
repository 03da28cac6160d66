#!/bin/sh
# More calls than can be shown: memory stays bounded, Ctrl-C works, what is lost is said, and what
# is shown is right.
. "${0%/*}/../lib.sh"

# Both CPUs do nothing but what is traced.
flood()
{
	for i in 1 2; do
		load dd if=/dev/zero of=/dev/null bs=1 count=1000000000
	done
}

calls='-S -e ksys_read -a vfs_read -e ksys_write -a vfs_write -n dd'

if details_on 7.2; then
	test_that 'under more calls than can be shown one Ctrl-C or two end it, with what was missed'
	# shellcheck disable=SC2086
	start retsnoop trace -sn $calls -E
	flood
	sleep 1
	kill -INT $pid
	wait_for 20 "$T/err" 'still to be shown, in about|^retsnoop: [0-9]+ sessions' ||
		problem 'not a word after Ctrl-C'
	stop INT
	end_loads
	expect_status 0
	expect_within 5000
	expect_nested
	expect_out '^→ ksys_read' '    ↔ vfs_read +\[1\]' '^← ksys_read +\[1\]'
	shown=$(grep -c ' TID/PID ' "$T/out")
	expect_err "^retsnoop: $shown sessions shown"
fi

details_on 6.1 || exit 0

# Nobody reads: everything waits, until there is no room for more. That takes long, and is the same
# on each kernel: so one is enough for it.
test_that 'a reader that stands still delays neither the end nor a second Ctrl-C; memory stays bounded'
mkfifo "$T/pipe"
sleep 1000 <"$T/pipe" &
sleeper=$!
flood
# shellcheck disable=SC2086
start sh -c "exec retsnoop trace -sn $calls -E >$T/pipe"
if is_kernel 6.12; then
	wait_for 80 "$T/err" '^retsnoop: warning: [0-9]+ sessions? (was|were) lost: showing them did not keep up; try' ||
		problem 'expected a warning of sessions lost'
else
	sleep 1
fi
kill -INT $pid
wait_for 20 "$T/err" 'still to be shown, (in about [0-9]+ s|and the output is not being read); another Ctrl-C leaves' ||
	problem 'expected a word on how to leave'
grep VmHWM "/proc/$pid/status" >"$T/memory"
stop INT
end_loads
kill $sleeper
wait $sleeper 2>/dev/null
expect_status 0
expect_within 5000
expect "no more than 500 MB: $(cat "$T/memory")" awk '{ exit $2 > 500000 }' "$T/memory"
expect_err '^retsnoop: [0-9]+ sessions? shown, some may be missing' \
	'^ +[0-9]+ sessions were not shown: the run was ended'
if is_kernel 6.12; then
	expect_err '^retsnoop: [0-9]+ sessions? shown' '^ +[0-9]+ sessions were lost: showing them did not keep up; try'
fi
