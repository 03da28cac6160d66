#!/bin/sh
# retsnoop why: what the kernel itself said about the call; a call that seccomp refused.
# changes the machine: a mount and files in /tmp; the controllers of cgroups
. "${0%/*}/../lib.sh"

said='the kernel said \(printk\): "tmpfs: Unknown parameter .simfail_no_such_option."$'

test_that 'what the kernel logged in the call is shown with it'
mkdir -p /mnt
run retsnoop why --once -- mount -t tmpfs -o simfail_no_such_option none /mnt
expect_out '^mount\(.* = -EINVAL ' "^  $said"

test_that 'the same as JSON'
run retsnoop why --once --format=json -- mount -t tmpfs -o simfail_no_such_option none /mnt
expect_out "\"kernel_said\":\[\{\"source\":\"printk\",\"text\":\"tmpfs: Unknown parameter 'simfail_no_such_option'\"\}\],\"chosen_by\""

if details_on 7.2; then
	test_that 'what others log meanwhile is not shown'
	(
		while :; do
			echo noise-of-another-task >/dev/kmsg
		done
	) &
	noise=$!
	run retsnoop why --once -- sh -c 'i=0; while [ $i -lt 20 ]; do mount -t tmpfs -o simfail_no_such_option none /mnt; i=$((i + 1)); done; false'
	kill $noise
	expect_out "$said"
	expect_no_out 'noise-of-another-task'
fi

test_that 'terminal controls in what the kernel says are escaped'
run retsnoop why --once -- mount -t tmpfs -o "$(printf 'bad\033[31m')" none /mnt
expect_out 'the kernel said \(printk\): "tmpfs: Unknown parameter .bad\\x1b\[31m'

test_that 'a line that the kernel wrote in several parts is one'
mkdir -p /tmp/cgroup2
mount -t cgroup2 none /tmp/cgroup2
if grep -q pids /tmp/cgroup2/cgroup.controllers; then
	echo +pids >/tmp/cgroup2/cgroup.subtree_control
	mkdir /tmp/cgroup2/said
	echo 1 >/tmp/cgroup2/said/pids.max
	run retsnoop why --once -x EAGAIN --syscall clone -- \
		sh -c 'echo 0 >/tmp/cgroup2/said/cgroup.procs; (:); :'
	expect_out '^  the kernel said \(printk\): "cgroup: fork rejected by pids controller in /said"$'
	rmdir /tmp/cgroup2/said
	echo -pids >/tmp/cgroup2/cgroup.subtree_control
else
	skip 'processes are counted elsewhere'
fi
umount /tmp/cgroup2

test_that 'the log of a filesystem context is shown'
run retsnoop why --once -x EINVAL -- simfail fs-fsconfig-unknown
expect_out '^fsconfig\(.*_key="simfail_no_such_option", _value="1", aux=0\) = -EINVAL ' \
	'^  the kernel said \(fsopen\): "tmpfs: Unknown parameter .simfail_no_such_option."$'

test_that 'the reason that the verifier gives from 7.3 on is shown with it'
if since 7.3; then
	run retsnoop why --once -x EACCES -- simfail bpf-unset-result
	expect_out '^  the kernel said \(verifier\): "R0 has never been initialized on this path, so the'
	expect_no_out Suggestion
else
	skip 'this verifier gives none'
fi

if details_on 7.2; then
	test_that 'what the verifier does not like of a BPF program is shown, of a call that asked for its log'
	run retsnoop why --once -x EACCES -- simfail bpf-unset-result
	expect_out '^bpf\(.* = -EACCES ' '^  the kernel said \(verifier\): "R0 !read_ok"$'
	expect_no_out 'processed '
	run retsnoop why --once -x EINVAL -- simfail bpf-unknown-insn
	expect_no_out verifier
fi

test_that 'a call that a seccomp filter refused ran no kernel function'
run retsnoop why -x EPERM -- simfail seccomp-acct
expect_status 0
expect_out '^acct\(name=NULL\) = -EPERM ' '^seccomp refused it: no kernel function of the call ran$' \
	'^1 run, '
run retsnoop why --format=json -x EPERM -- simfail seccomp-acct
expect_status 0
expect_out '"known":true,"refused_by":\{"check":"seccomp"\}'

test_that 'the same errno without a filter is not put down to seccomp'
run retsnoop why --once -x EPERM -- simfail cap-sethostname
expect_status 1
expect_no_out seccomp

if is_kernel 7.2; then
	test_that 'on a busy CPU no result of the command is missed without a word'
	# Since 7.0 a program on sys_exit may be preempted, and is skipped for others meanwhile.
	(while :; do cat /proc/self/status >/dev/null; done) & busy=$!
	(while :; do cat /proc/self/status >/dev/null; done) & busy="$busy $!"
	rounds=1
	! details_on none || rounds='1 2 3'
	for _ in $rounds; do
		run retsnoop why -q --runs=2 --format=json -x EEXIST \
			-- sh -c 'simfail -n 2000 fs-mkdir-exists; chroot /nosuch'
		# Two runs are too few for an answer.
		expect_status 1
		lost=$(sed -n 's/.*"results_lost":\([0-9]*\).*/\1/p' "$T/out")
		most=$(grep -o '"count":[0-9]*' "$T/out" | sed 's/.*://' | sort -n | tail -n 1)
		expect "2000 results of mkdir, seen or told: $most, $lost" [ "$((most + lost))" -ge 2000 ]
	done
	# shellcheck disable=SC2086
	kill $busy

	test_that 'nor are those of its threads, beside each other'
	run retsnoop why -q --runs=2 --format=json -x ENOENT -- simfail threads
	all=$(grep -o '"count":[0-9]*' "$T/out" | awk -F : '{ all += $2 } END { print all }')
	expect "nearly all of 2400 results, $all" [ "$all" -ge 2380 ]
fi
