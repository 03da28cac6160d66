#!/bin/sh
# How a run ends: workload, limits, signals, a closed pipe; and what it leaves behind: nothing.
. "${0%/*}/../lib.sh"

quick="-sn -e $mkdir -a filename_create"

# Whether tracing is off: no process of ours is left, and ftrace has no more functions enabled than
# before. A process in the background may be closing links still, which go when their last holder
# closes them; both may take the kernel a moment.
enabled_functions() { wc -l </sys/kernel/tracing/enabled_functions; }
[ -e /sys/kernel/tracing/enabled_functions ] || enabled_functions() { echo 0; }
enabled_before=$(enabled_functions)
nothing_left()
{
	# Two seconds of an idle host.
	tries=40 longer=
	while pidof retsnoop || [ "$(enabled_functions)" != "$enabled_before" ]; do
		tries=$((tries - 1))
		if [ $tries -le 0 ] && [ -z "$longer" ]; then
			longer=$(slowness)
			tries=$((40 * (longer - 1)))
		fi
		if [ $tries -le 0 ]; then
			[ ! -e /sys/kernel/tracing/enabled_functions ] ||
				cat /sys/kernel/tracing/enabled_functions
			return 1
		fi
		sleep 0.05
	done
}

test_that 'with a workload it ends with it and says how that went'
# shellcheck disable=SC2086
run retsnoop $quick -- sh -c 'simfail fs-mkdir-exists; exit 7'
expect_status 0
expect_sessions 1
expect_err "'sh' exited with status 7"
expect 'nothing left attached' nothing_left

test_that 'children of the workload are traced, others are not'
ln -s "$(command -v simfail)" "$T/other"
sh -c 'while [ ! -e "$1/enough" ]; do "$1/other" fs-mkdir-exists; sleep 0.05; done' sh "$T" &
other=$!
# shellcheck disable=SC2086
run retsnoop $quick -- sh -c 'sh -c "simfail fs-mkdir-exists; :"; sleep 0.3; simfail fs-mkdir-exists; :'
: >"$T/enough"
wait $other
expect_status 0
expect_sessions 2
expect_no_out '\(other/other\)'

test_that 'a call that has not returned by the end is told'
run retsnoop -sn -S --syscall=clock_nanosleep -- sh -c 'sleep 1000 & echo $! >"$1"; sleep 1' sh "$T/sleeper"
kill "$(cat "$T/sleeper")"
expect_status 0
expect_sessions 1
expect_err '^  1 entry call had not returned when tracing ended, and is not shown$'

test_that 'a workload that does not exist is named, and nothing traced'
# shellcheck disable=SC2086
run retsnoop $quick -- /no/such/program
expect_status 3
expect_out_empty
expect_err "^retsnoop: .*'/no/such/program'.*No such file"
expect_no_err 'Receiving data'

if details_on 7.2; then
	test_that '--duration ends the run'
	# shellcheck disable=SC2086
	run retsnoop $quick --duration 300ms
	expect_status 1
	expect_out_empty
	expect_err '^retsnoop: 0 sessions shown'

	test_that '--max-sessions ends the run after so many'
	# shellcheck disable=SC2086
	run retsnoop $quick --max-sessions 3 -- simfail -n 50 fs-mkdir-exists
	expect_status 0
	expect_sessions 3
	expect_err '^retsnoop: 3 sessions shown'
fi

for signal in INT TERM HUP; do
	test_that "SIG$signal ends it cleanly, with what was seen before"
	# shellcheck disable=SC2086
	start retsnoop $quick
	simfail -n 5 fs-mkdir-exists
	stop $signal
	expect_status 0
	expect_sessions 5
	expect_err Detaching '^retsnoop: 5 sessions shown'
	expect 'nothing left attached' nothing_left
done

if details_on 7.2; then
	test_that 'under nohup(1), a hangup does not end it'
	# shellcheck disable=SC2086
	start sh -c 'trap "" HUP; exec "$@"' - retsnoop $quick
	# The shell has become retsnoop.
	kill -s HUP "$(program_pid)"
	simfail -n 5 fs-mkdir-exists
	wait_for 10 "$T/out" 'TID/PID' 5
	stop INT
	expect_status 0
	expect_sessions 5

	test_that 'a reader who has seen enough ends it: | head -n1'
	run_sh "{ retsnoop $quick -- simfail -n 300 fs-mkdir-exists; echo \$? >$T/retsnoop; } | head -n 1"
	expect "status 0 of retsnoop, not $(cat "$T/retsnoop")" grep -qx 0 "$T/retsnoop"
	expect_out 'TID/PID .*\(simfail/simfail\)'
	expect_no_err 'Broken pipe|Error|error'
	expect 'nothing left attached' nothing_left
fi

test_that 'killed outright, it leaves nothing attached'
# shellcheck disable=SC2086
start retsnoop $quick
stop KILL
expect_status 137
expect 'nothing left attached' nothing_left

test_that 'children that processes fork at the same time are traced, or the run says that hits were skipped'
cat >"$T/forks" <<'END'
for _ in 1 2 3 4 5 6; do
	(for _ in $(seq 100); do simfail fs-mkdir-exists 2>/dev/null; done) &
done
wait
END
# shellcheck disable=SC2086
run retsnoop $quick -- sh "$T/forks"
expect_status 0
if [ "$(grep -c ' TID/PID ' "$T/out")" -eq 600 ]; then
	expect_err '^retsnoop: 600 sessions shown'
else
	expect_err 'some may be missing' 'hits? (was|were) skipped: '
fi

details_on 7.2 || exit 0

test_that 'the workload has the limits that it would have without'
# shellcheck disable=SC2086
(ulimit -l 64; ulimit -n 1000; retsnoop -q $quick -- sh -c 'ulimit -l; ulimit -n') >"$T/limits" 2>&1
locked='ulimit -l'
if is_kernel 5.10; then
	# The memory of BPF counts there, that of tracing too: as much more, and no end of it.
	# shellcheck disable=SC2046
	set -- $(cat "$T/limits")
	expect "more than 64 KiB: $1" [ "$1" -gt 64 ]
	expect "less than 1 GiB: $1" [ "$1" -lt 1048576 ]
	expect 'the limit of files' [ "$2" = 1000 ]
	locked=
else
	expect 'the limits' [ "$(tr '\n' ' ' <"$T/limits")" = '64 1000 ' ]
fi

# A run for each question; a run must not pass on what the runs before it changed.
test_that 'in each run of why, the command has the limits and the signals blocked that it would have without'
cat >"$T/settings" <<END
locked='$locked'
END
cat >>"$T/settings" <<'END'
echo $($locked) $(ulimit -n) $(grep SigBlk /proc/self/status) >>"$1"
exec simfail fs-mount-unknown
END
(
	ulimit -S -l 64
	ulimit -S -n 1000
	sh "$T/settings" "$T/without"
	retsnoop why --runs 5 -x ENODEV -- sh "$T/settings" "$T/with"
) >"$T/limits" 2>&1
expect 'three runs or more' [ "$(wc -l <"$T/with")" -ge 3 ]
expect 'the same settings' [ "$(sort -u "$T/with")" = "$(cat "$T/without")" ]

test_that '--forward-status gives the status of the workload'
# shellcheck disable=SC2086
run retsnoop $quick --forward-status -- sh -c 'simfail fs-mkdir-exists; exit 7'
expect_status 7
expect_sessions 1

test_that '--forward-status gives 128 and the signal that killed the workload'
# shellcheck disable=SC2086
run retsnoop $quick --forward-status -- sh -c 'kill -TERM $$'
expect_status 143

test_that 'a directory is no workload, by its path or on $PATH'
mkdir -p "$T/dir/simfail"
# shellcheck disable=SC2086
run env PATH="$T/dir:$PATH" retsnoop $quick -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
# shellcheck disable=SC2086
run retsnoop $quick -- "$T/dir"
expect_status 3
expect_err "^retsnoop: cannot run '.*/dir': Is a directory"
expect_no_err 'Receiving data'

# impatiently: Ctrl-C again and again, until it has ended.
impatiently()
{
	while kill -s INT $pid 2>/dev/null && [ -d "/proc/$pid" ]; do :; done
	finish_started
}

test_that 'Ctrl-C again and again does not keep it from saying what it missed'
# shellcheck disable=SC2086
start retsnoop $quick --format=json
simfail -n 5 fs-mkdir-exists
wait_for 20 "$T/out" 'EEXIST' || problem 'no session was shown'
impatiently
expect_status 0
expect_err '^retsnoop: [1-5] sessions? shown'
expect_out '^\{"type":"ledger","sessions_shown":[1-5],.*\}$'
expect 'nothing left attached' nothing_left

test_that 'nor from ending a recording in order'
# shellcheck disable=SC2086
start retsnoop record $quick -o "$T/data"
simfail -n 5 fs-mkdir-exists
sleep 2
impatiently
expect_status 0
expect_err '5 sessions in .*/data' '^retsnoop: 5 sessions recorded'
run retsnoop report -i "$T/data"
expect_status 0
expect_sessions 5
expect_no_err 'it has no end'

test_that 'SIGINT ends a run with a workload and lets that go on; sessions are shown as they come'
# shellcheck disable=SC2086
start retsnoop $quick -- sh -c "echo \$\$ >$T/workload; simfail fs-mkdir-exists; exec sleep 3600"
wait_for 20 "$T/out" 'filename_create' || problem 'no session was shown while the workload ran'
stop INT
expect_status 0
expect_sessions 1
expect_err "'sh' \(pid [0-9]+\) goes on"
workload=$(cat "$T/workload")
expect 'the workload still there' [ -e "/proc/$workload" ]
kill "$workload"

test_that 'SIGTERM ends the workload, too'
# shellcheck disable=SC2086
start retsnoop $quick -- sh -c "echo \$\$ >$T/workload; simfail fs-mkdir-exists; exec sleep 3600"
wait_for 20 "$T/out" 'filename_create' || problem 'no session was shown while the workload ran'
stop TERM
expect_status 0
expect_within 30000
expect 'no workload left behind' sh -c "! grep -q '^State:.[^XZ]' /proc/$(cat "$T/workload")/status"
expect 'nothing left attached' nothing_left

test_that 'standard output has nothing but the data'
# shellcheck disable=SC2086
run retsnoop -v $quick -- simfail fs-mkdir-exists
expect_status 0
expect_no_out Receiving Detaching DONE 'retsnoop:' Attached 'exited with'
expect_err Attached Receiving '^retsnoop: 1 session shown'
expect 'a first line that is a session' sh -c "head -n 1 $T/out | grep ' TID/PID '"

test_that '-q says nothing on standard error'
# shellcheck disable=SC2086
run retsnoop -q $quick -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_no_err .

test_that '--format=json is one object a line'
# shellcheck disable=SC2086
run retsnoop $quick --format=json -- simfail -n 2 fs-mkdir-exists
expect_status 0
expect 'two lines and the ledger' [ "$(wc -l <"$T/out")" -eq 3 ]
expect_out '^\{.*EEXIST.*\}$' '^\{.*filename_create.*\}$' '^\{"type":"ledger","sessions_shown":2,.*\}$'
