#!/bin/sh
# The examples of the documentation, as a plain user provokes them, on every rung.
# changes the machine: adds a user
. "${0%/*}/../lib.sh"

# A user with numbers that are easy to recognize.
grep -q '^tracee:' /etc/passwd 2>/dev/null || echo 'tracee:x:1001:984::/:/bin/sh' >>/etc/passwd
as_user="su tracee -s /bin/sh -c"

# 5.10 has no __sys_bpf; all else is the example, word by word.
bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
# The command is a plain int up to 6.1.
command=BPF_MAP_CREATE
! is_kernel 5.10 6.1 || command=0
for rung in $(some_rungs); do
	test_that "--attach=$rung: -e '$bpf' -a 'cap_capable' -T -x EPERM -A -C args.fmt-mode=m"
	run_unskipped env COLUMNS=200 retsnoop --attach="$rung" -e "$bpf" -a 'cap_capable' -T -x EPERM -A -C args.fmt-mode=m \
		-- $as_user 'simfail bpf-bad-map-max-entries-ringbuf'
	expect_status 0
	expect_sessions 1
	# The call, its arguments by name, the check that failed, whose it was and what for.
	expect_out '^[0-9:.]+ -> [0-9:.]+ TID/PID [0-9]+/[0-9]+ \(simfail/simfail\):$' \
		'^FUNCTION CALLS +RESULT +DURATION$' \
		"^→ $bpf\$" "^  › cmd = $command\$" '^  › uattr = ' '^  › size = [0-9]+$' \
		'^    ↔ cap_capable +\[-EPERM\] +[0-9.]+[mu]?s$' \
		'^      › cred = &\{\.usage=\{\.counter=[0-9]+\},\.uid=\{\.val=1001\},\.gid=\{\.val=984\},.*…$' \
		'^      › targ(et)?_ns = &\{' '^      › cap = (39|21)$' '^      › opts = 0$' \
		"^← $bpf +\\[-EPERM\\] +[0-9.]+[mu]?s\$"
	if ! is_kernel 5.10; then
		expect_out "^  › uattr = \{\{\.kernel=($user_stack[0-9a-f]+),\.user=$user_stack[0-9a-f]+\}\}\$"
	fi
	# A line for each argument, and nothing of what is left out.
	expect_no_out '› .*=0[,}]' '› .*=NULL[,}]'
done

details_on 6.1 || exit 0

test_that 'without -x EPERM it is the same, with the filter of another error nothing'
run retsnoop -e "$bpf" -a cap_capable -T -A -- $as_user 'simfail bpf-bad-map-max-entries-ringbuf'
expect_status 0
expect_sessions 1
run retsnoop -e "$bpf" -a cap_capable -T -A -x EINVAL -- $as_user 'simfail bpf-bad-map-max-entries-ringbuf'
expect_status 1
expect_out_empty

test_that 'as root, the same call fails of another cause'
run retsnoop -e "$bpf" -a cap_capable -T -A -x EPERM -- simfail bpf-bad-map-max-entries-ringbuf
expect_status 1
expect_out_empty
run retsnoop -e "$bpf" -T -A -x EINVAL -- simfail bpf-bad-map-max-entries-ringbuf
expect_status 0
expect_out "(→|↔) $bpf .*cmd=$command"
