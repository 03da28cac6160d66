#!/bin/sh
# Which calls are traced and shown: by user, cgroup, result, duration, error; conditions on results.
. "${0%/*}/../lib.sh"

kill=${sys}_kill

test_that '--uid shows only calls of that user'
run retsnoop trace -sn --uid 12345,65534 -e $kill -- simfail proc-kill-missing cap-kill
expect_status 0
expect_sessions 1
expect_trace 'TID/PID (simfail/simfail):' "↔ $kill [-EPERM]"

# A process in each of these cgroups fails, and leaves its id behind.
cgroups=$T/cgroup
mkdir "$cgroups"
mount -t cgroup2 none "$cgroups"
mkdir -p "$cgroups/e2e/child" "$cgroups/e2e-other" "$cgroups/e2e-too"
cat >"$T/groups" <<'END'
for group in e2e e2e/child e2e-other e2e-too .; do
	sh -c 'echo $$ >"$1/cgroup.procs"; echo $$ >>"$2"; exec simfail fs-mkdir-exists' sh "$1/$group" "$2"
done
END

test_that '--cgroup shows only calls of processes in these cgroups or below them'
run retsnoop trace -sn --cgroup "$cgroups/e2e" --cgroup "$cgroups/e2e-too" -e $mkdir \
	-- sh "$T/groups" "$cgroups" "$T/pids"
expect_status 0
expect_sessions 3
# shellcheck disable=SC2046
set -- $(cat "$T/pids") 0 0 0 0 0
expect_out "TID/PID $1/$1 " "TID/PID $2/$2 " "TID/PID $4/$4 "
expect_no_out "TID/PID $3/" "TID/PID $5/"
rmdir "$cgroups/e2e/child" "$cgroups/e2e" "$cgroups/e2e-other" "$cgroups/e2e-too" && umount "$cgroups"

# Fails with EEXIST, fails with ENOENT, succeeds.
cat >"$T/dirs" <<'END'
simfail fs-mkdir-exists
mkdir "$1/no/such/parent" 2>/dev/null
mkdir "$1/fine"
rmdir "$1/fine"
END
here="trace -sn -e $mkdir -a filename_create"

# results: of the entry calls, in order.
results() { sed -nE "s/^(←|↔) $mkdir +\[([^]]*)\].*/\2/p" "$T/out" | xargs; }

for pair in '-EINVAL,-ENOENT:-ENOENT' '0:0' '<0:-EEXIST -ENOENT' '!=0:-EEXIST -ENOENT' \
	'> -17 || -EEXIST:-EEXIST -ENOENT 0'; do
	test_that "--return '${pair%:*}' shows results ${pair#*:}"
	# shellcheck disable=SC2086
	run retsnoop $here --return "${pair%:*}" -- sh "$T/dirs" "$T"
	expect_status 0
	expect "results ${pair#*:}" [ "$(results)" = "${pair#*:}" ]
	expect_nested
done

details_on 7.2 || exit 0

test_that '--error-if makes an error of a success, and no error of what was one'
# shellcheck disable=SC2086
run retsnoop $here -Sn --error-if "$mkdir: ret == 0" -- sh "$T/dirs" "$T"
expect_status 0
expect 'the call that succeeded alone' [ "$(results)" = 0 ]

test_that '-x shows only traces of calls that failed so'
# shellcheck disable=SC2086
run retsnoop $here -x ENOENT -- sh "$T/dirs" "$T"
expect_status 0
expect 'one error' [ "$(results)" = -ENOENT ]
expect_trace "→ $mkdir" '    ↔ filename_create [-ENOENT]' "← $mkdir [-ENOENT]"

# One call is much longer than the others.
naps="sleep 0.02; simfail syscall-long-sleep; sleep 0.02"
for longer in 900000us 900; do
	test_that "--longer $longer shows only calls that took that long"
	run retsnoop trace -sn -S --longer $longer -e hrtimer_nanosleep -- sh -c "$naps"
	expect_status 0
	expect_sessions 1
	expect_out '\(simfail/simfail\)' '↔ hrtimer_nanosleep +\[0\] +1\.[0-9]{2}s'
done

test_that '--fn-longer shows only calls inside which some other took that long'
# The shell waits as long, but in no traced call inside.
run retsnoop trace -sn -S --fn-longer 900ms -e ${sys}_wait4 -e ${sys}_clock_nanosleep \
	-a hrtimer_nanosleep -- sh -c "$naps"
expect_status 0
expect_sessions 1
expect_trace 'TID/PID (simfail/simfail):' "→ ${sys}_clock_nanosleep" '    ↔ hrtimer_nanosleep [0]' \
	"← ${sys}_clock_nanosleep [0]"

test_that '--uid of another user shows nothing and exits with 1'
run retsnoop trace -sn --uid 12345 -v -e $kill -- simfail proc-kill-missing cap-kill
expect_status 1
expect_out_empty
expect_err '^retsnoop: 0 sessions shown'

test_that '--cgroup of what is no cgroup is refused'
run retsnoop trace --cgroup "$T" -e $mkdir -- simfail fs-mkdir-exists
expect_status 2
expect_out_empty
expect_err_lines 1
expect_err "^retsnoop: --cgroup: $T is not a cgroup"

test_that '--cgroup of what is not there is refused'
run retsnoop trace --cgroup no-such-cgroup -e $mkdir -- simfail fs-mkdir-exists
expect_status 2
expect_err_lines 1
expect_err 'no-such-cgroup'

test_that '--return with no such result shows nothing and exits with 1'
# shellcheck disable=SC2086
run retsnoop $here --return '-EINVAL,-ENOMEM' -v -- sh "$T/dirs" "$T"
expect_status 1
expect_out_empty
expect_err '^retsnoop: 0 sessions shown, nothing (known to be )?missed' 'ring buffer: 0 records, 0 bytes'

test_that '--error-if of an inner function changes where the error began, not which calls are shown'
# shellcheck disable=SC2086
run retsnoop $here -E --error-if 'filename_create: ret == -EPERM' -- sh "$T/dirs" "$T"
expect_status 0
expect 'the calls that failed' [ "$(results)" = '-EEXIST -ENOENT' ]
expect_no_out '^!.* filename_create'

test_that '-X leaves out traces of calls that failed so; successes stay, unless -Sn says otherwise'
# shellcheck disable=SC2086
run retsnoop $here -X ENOENT -- sh "$T/dirs" "$T"
expect_status 0
expect 'the others' [ "$(results)" = '-EEXIST 0' ]
# shellcheck disable=SC2086
run retsnoop $here -Sn -X ENOENT -- sh "$T/dirs" "$T"
expect 'the other error' [ "$(results)" = -EEXIST ]

test_that '--dry-run -v says what a call must be like'
run retsnoop trace -v --dry-run -e $mkdir -a filename_create --uid 0,65534 --return '<0' --longer 500us --fn-longer 2 \
	-X EPERM --error-if "$mkdir: ret < 0" -n one -n two --max-depth 7
expect_status 0
expect_err 'which the kernel decides' 'returns, failed or not' 'its result is: <0' 'EPERM' \
	'at least 500us' 'call inside it takes at least 2ms' 'named .*one.* or .*two' 'user id is 0 or 65534' \
	"--error-if '$mkdir: ret < 0' rules 1 function" 'more than 7 deep'

# refused WHY OPTION...: exit status 2 and one line.
refused()
{
	why=$1
	shift
	test_that "$* is refused"
	run retsnoop trace -e $mkdir "$@" -- simfail fs-mkdir-exists
	expect_status 2
	expect_out_empty
	expect_err_lines 1
	expect_err "^retsnoop: .*$why"
}

refused 'needs failed calls' --return 0 -Sn
refused 'needs failed calls' --return 0 -x EPERM
refused 'leaves out every error' --return -EPERM -X EPERM
refused 'no call takes that long' --longer 2s --duration 1s
refused 'same processes' -n simfail -N simfail
refused 'sixteen' --return sixteen
refused 'half an hour' --longer 'half an hour'
refused 'unknown user' --uid no-such-user
refused 'error-if' --error-if "$mkdir"
