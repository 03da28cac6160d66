#!/bin/sh
# The command lines of the documentation. Where the kernel has single probes only, and a thousand
# functions would take minutes, nothing is attached: --dry-run.
. "${0%/*}/../lib.sh"

dry=
! is_kernel 5.10 6.1 || dry='-v --dry-run'

# shown_or_dry PATTERN...: on standard output, if something was attached at all.
shown_or_dry()
{
	if [ -n "$dry" ]; then
		expect_status 0
		expect_err 'Attached \(dry run\) to function #[0-9]+ .__x64_sys_bpf.' \
			'Total [0-9][0-9]+ kernel functions'
		expect_out '^__x64_sys_bpf$'
		expect_no_out TID/PID
	else
		expect_status 0
		expect_out "$@"
	fi
}

test_that "retsnoop -v --dry-run -e '*sys_bpf'"
run retsnoop -v --dry-run -e '*sys_bpf'
expect_status 0
expect_out '^__x64_sys_bpf$'
expect_err "^Attached \(dry run\) to function #1 '[a-z0-9_]*sys_bpf'\."
expect_err "'__x64_sys_bpf'"

test_that "retsnoop -e '*_sys_bpf' -a '*bpf*' -d 'migrate*' -d 'rcu*'"
# shellcheck disable=SC2086
run retsnoop $dry -e '*_sys_bpf' -a '*bpf*' -d 'migrate*' -d 'rcu*' -- simfail bpf-bad-map-type
shown_or_dry '\(simfail/simfail\)' '\[-EINVAL\] +__x64_sys_bpf'

test_that 'retsnoop -c bpf -- ./my_app arg1 arg2'
# shellcheck disable=SC2086
run retsnoop $dry -c bpf -- simfail bpf-bad-map-val-size-percpu-array bpf-simple-obj
expect_no_err 'matches no function'
shown_or_dry '\[-E2BIG\] +__x64_sys_bpf' '\[-E2BIG\] +array_map_alloc_check'

test_that 'retsnoop -c perf'
if is_kernel 5.10; then
	run retsnoop --dry-run -c perf
	expect_status 1
	expect_err 'none of the entry functions can be traced'
elif [ -n "$dry" ]; then
	run retsnoop -v --dry-run -c perf
	expect_status 0
	expect_err "dry run\) to function #[0-9]+ '__x64_sys_perf_event_open'"
else
	run retsnoop -c perf -- simfail perf-bad-event
	expect_status 0
	expect_out '\[-ENOENT\] +__x64_sys_perf_event_open' '\[-ENOENT\] +(hw_breakpoint_event_init|perf_swevent_init)'
fi

test_that 'retsnoop -T is for the command trace, or works'
run retsnoop -sn -e $mkdir -a filename_create -T -- simfail fs-mkdir-exists
if [ $status -eq 2 ]; then
	skip 'not there yet'
else
	expect_status 0
	expect_out "$mkdir" filename_create
fi
