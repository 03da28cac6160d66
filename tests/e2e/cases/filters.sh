#!/bin/sh
# Which calls are shown: by process, name, error, duration, success.
. "${0%/*}/../lib.sh"

# Both fail with EEXIST; a workload of several processes to choose from.
two="ln -sf /usr/bin/simfail $T/first; ln -sf /usr/bin/simfail $T/second; PATH=$T:\$PATH"
here="-sn -e $mkdir -a filename_create"

test_that '-n shows only processes of that name'
run_sh "$two; retsnoop $here -n second -- sh -c 'first fs-mkdir-exists; second fs-mkdir-exists'"
expect_status 0
expect_sessions 1
expect_out '\(second/second\)' "\[-EEXIST\] +$mkdir"

# A shell whose builtins fail is a process whose id is known before retsnoop starts.
cat >"$T/fails" <<'END'
until [ -e "$1" ]; do usleep 100000 2>/dev/null || sleep 0.1; done
simfail fs-mkdir-exists
exec simfail fs-mkdir-exists
END

test_that '-p shows only that process'
sh "$T/fails" "$T/go" &
wanted=$!
# shellcheck disable=SC2086
start retsnoop $here -p $wanted
: >"$T/go"
wait $wanted
stop INT
rm -f "$T/go"
expect_status 0
expect_sessions 1
expect_out "TID/PID $wanted/$wanted \(simfail/simfail\)"
expect_err "-p: process $wanted has exited"

bpf=${sys}_bpf
test_that '-x shows only calls that failed so'
run retsnoop -sn -e $bpf -x E2BIG -- simfail bpf-bad-map-type bpf-bad-map-val-size-percpu-array
expect_status 0
expect_sessions 1
expect_out "\[-E2BIG\] +$bpf"

details_on 7.2 || exit 0

test_that '-S shows calls that succeeded, too'
run retsnoop -sn -S -e $bpf -- simfail bpf-simple-obj bpf-bad-map-type
expect_status 0
expect_sessions 3
expect_out "\[[0-9]+\] +$bpf" "\[[0-9]+\] +$bpf" "\[-EINVAL\] +$bpf"

test_that 'a call that succeeded is not shown without -S'
run retsnoop -sn -e $bpf -- simfail bpf-simple-obj
expect_status 1
expect_out_empty

test_that '-L shows only calls that took that long'
run retsnoop -sn -S -L 500 -e hrtimer_nanosleep -- sh -c 'sleep 0.01; simfail syscall-long-sleep'
expect_status 0
expect_sessions 1
expect_out '\(simfail/simfail\)' '1\.[0-9]{2}s .*hrtimer_nanosleep'

test_that '-N shows the others'
run_sh "$two; retsnoop $here -N second -- sh -c 'first fs-mkdir-exists; second fs-mkdir-exists'"
expect_status 0
expect_sessions 1
expect_out '\(first/first\)'

test_that '-n and -N take several names'
run_sh "$two; retsnoop $here -n second,other -- sh -c 'first fs-mkdir-exists; second fs-mkdir-exists'"
expect_sessions 1
expect_out '\(second/second\)'
run_sh "$two; retsnoop $here -N other,second -- sh -c 'first fs-mkdir-exists; second fs-mkdir-exists'"
expect_sessions 1
expect_out '\(first/first\)'

test_that '-n @FILE reads names from a file'
printf 'second\nother\n' >"$T/names"
run_sh "$two; retsnoop $here -n @$T/names -- sh -c 'first fs-mkdir-exists; second fs-mkdir-exists'"
expect_sessions 1
expect_out '\(second/second\)'

# A control of terminals as one character, and a mark that turns the direction of text.
name=$(printf '\302\2332J\342\200\256x')
test_that 'a name that a process gave itself does nothing to a terminal'
ln -s "$(command -v simfail)" "$T/$name"
# shellcheck disable=SC2086
run retsnoop $here -n "$name" -- "$T/$name" fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_out '\(\?\?2J\?\?\?x/\?\?2J\?\?\?x\)'
# shellcheck disable=SC2086
run retsnoop $here --format=json -n "$name" -- "$T/$name" fs-mkdir-exists
expect_status 0
expect_out '"comm":"\\u009b2J\\u202ex"'

test_that 'that the process of -p runs is nothing to report'
sleep 1000 &
wanted=$!
# shellcheck disable=SC2086
run retsnoop $here -p $wanted --duration 1
kill $wanted
expect_status 1
expect_no_err 'has exited'

test_that '-P shows all but that process'
sh "$T/fails" "$T/go" &
wanted=$!
# shellcheck disable=SC2086
start retsnoop $here -P $wanted
: >"$T/go"
wait $wanted
stop INT
expect_status 0
expect_sessions 1
expect_no_out "TID/PID $wanted/"

test_that '-X leaves out calls that failed so'
run retsnoop -sn -e $bpf -X E2BIG,ENOENT -- simfail bpf-bad-map-type bpf-bad-map-val-size-percpu-array
expect_status 0
expect_sessions 1
expect_out "\[-EINVAL\] +$bpf"

test_that '-x with nothing to show exits with 1'
run retsnoop -sn -e $bpf -x EPERM -- simfail bpf-bad-map-type
expect_status 1
expect_out_empty
expect_err '0 sessions shown'

test_that 'a pid that is a name is refused, with a hint'
run retsnoop -p bpf
expect_status 2
expect_out_empty
expect_err "'-c bpf'"

test_that 'an error of no name is refused'
run retsnoop -e $bpf -x EIVNAL
expect_status 2
expect_out_empty
expect_err EIVNAL
