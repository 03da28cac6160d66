#!/bin/sh
# What stacks look like beyond the plain case: recursion, tail calls, errors handled on the way,
# modules, aliases.
# changes the machine: loads a module
. "${0%/*}/../lib.sh"

for rung in $(some_rungs); do
	test_that "--attach=$rung: a function inside itself is shown as often as it is there"
	run_unskipped retsnoop -sn -S --attach="$rung" -e ksys_write -a ep_poll_callback -- simfail deep-epoll-wake
	expect_status 0
	expect_sessions 1
	if is_kernel 5.10 && [ "$rung" = kprobe ]; then
		# It keeps as many returns of a function at a time as there are CPUs (register_kretprobe()
		# without PREEMPTION): what it did not keep is told.
		kept=$(nproc)
		expect "$kept calls of ep_poll_callback" \
			[ "$(grep -c '\] *ep_poll_callback' "$T/out")" -eq "$kept" ]
		expect_err "retsnoop: 1 session shown, some may be missing" \
			"$((5 - kept)) traced calls' returns were not seen; try --attach=fentry, which needs no return probes$"
		continue
	fi
	expect 'five calls of ep_poll_callback' [ "$(grep -c '\] *ep_poll_callback' "$T/out")" -eq 5 ]
	# What wakes the ring buffer's reader is an ep_poll_callback, too, and may come while one of our
	# programs runs: then the kernel counts a hit that it skipped, which is none of these calls.
	expect_err 'retsnoop: 1 session shown, '
	expect_no_err 'not seen' 'lost' 'not followed'
done

for rung in $(some_rungs); do
	test_that "--attach=$rung: what is traced after the failure takes nothing from its stack"
	run_unskipped retsnoop -sn --attach="$rung" -e ${sys}_mount -a path_mount -a get_fs_type -a path_put \
		-- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_out "^ +.*\[-ENODEV\] +${sys}_mount\+0x" '^ \* .*\[-ENODEV\] +path_mount\+0x' \
		'^!\* .*\[NULL\] +get_fs_type'
	expect_no_err 'not seen' 'lost' 'not followed'
done

if is_kernel 5.10; then
	test_that 'a stack that ends at a return probe outside the session says so'
	run retsnoop -sn --attach=kprobe -e 'vfs_rmdir*' -a do_rmdir -a ${sys}_rmdir -- simfail fs-rmdir-not-empty
	expect_status 0
	expect_sessions 1
	expect_out '^ +do_rmdir\+0x' '^    \(outer callers not captured: a return probe hides them\)$'

	test_that 'a whole stack does not say so'
	run retsnoop -sn --attach=kprobe -e ${sys}_rmdir -a do_rmdir -- simfail fs-rmdir-not-empty
	expect_status 0
	expect_sessions 1
	expect_out '^ +do_syscall_64\+0x'
	expect_no_out 'outer callers'
fi

if details_on 7.2; then
	test_that '-I shows errors that were handled on the way'
	# The kernel tries a program as a script before it tries it as a program.
	run retsnoop -sn -I -e bprm_execve -a load_script -- /bin/sh -c "$(command -v simfail) ok-getppid; :"
	expect_status 0
	expect_sessions 2
	expect_out 'simfail/simfail\), interim:' '\.\.\. +bprm_execve' '! .*\[-ENOEXEC\] +load_script'

	test_that 'without -I they are not shown'
	run retsnoop -sn -e bprm_execve -a load_script -- /bin/sh -c "$(command -v simfail) ok-getppid; :"
	expect_status 1
	expect_out_empty
fi

test_that 'an errno that becomes another one shows where'
run retsnoop -sn -e ${sys}_ioctl -a pipe_ioctl -- simfail remap-ioctl
expect_status 0
expect_stack "[-ENOTTY] ${sys}_ioctl" '! [-ENOIOCTLCMD] pipe_ioctl'

if details_on 7.2; then
	test_that 'an errno that never leaves the kernel has its name, and -x takes it'
	run retsnoop -sn -x ERESTARTSYS -e ksys_read -- simfail remap-eintr fs-pipe-empty
	expect_status 0
	expect_sessions 1
	expect_out '\[-ERESTARTSYS\] +ksys_read'

	test_that 'a system call is found by any of its names'
	run retsnoop -sn -S -e ${sys}_getppid -- simfail ok-getppid
	expect_status 0
	expect_sessions 1
	expect_out '\[[0-9]+\] +[a-z0-9_]*getppid'
	expect_no_err 'matches no function'

	test_that 'a system call is selected by the name in its manual page'
	run retsnoop -sn --syscall umount2,mount -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_out '\[-ENODEV\] +__[a-z0-9]+_sys_mount'
	expect_no_err 'matches no function'
	run retsnoop -sn -S -T -e ksys_read -a syscall:mount -e syscall:newuname -- uname
	expect_status 0
	expect_out '__[a-z0-9]+_sys_newuname'

	test_that 'a bare name that is a system call is told so'
	run retsnoop -sn -e mount -e '*_sys_mont' -- simfail fs-mount-unknown
	expect_status 1
	expect_out_empty
	expect_err "-e 'mount' matches no function, but it is a system call; try --syscall mount" \
		"-e '\*_sys_mont' matches no function; did you mean '__[a-z0-9]+_sys_mount'"
	run retsnoop funcs --why umount2
	expect_status 1
	expect_out '^umount2 is no function but a system call; --syscall umount2 selects its entry functions'
fi

# A dummy network device refuses a multicast address.
make_device='ip link add dum0 address 01:00:00:00:00:01 type dummy 2>/dev/null; :'
if modprobe dummy 2>/dev/null; then
	test_that 'a function of a module is found by its name'
	run retsnoop -sn -e dummy_validate -- sh -c "$make_device"
	expect_status 0
	expect_sessions 1
	expect_out '\[-EADDRNOTAVAIL\] +dummy_validate'

	test_that "'NAME [MODULE]' is found, with its callers in the kernel"
	run retsnoop -sn -e rtnl_newlink -a 'dummy_* [dummy]' -- sh -c "$make_device"
	expect_status 0
	expect_out '\[-EADDRNOTAVAIL\] +rtnl_newlink' '! .*\[-EADDRNOTAVAIL\] +dummy_validate'

	test_that "'* [MODULE]' lists its functions, and no others"
	run retsnoop funcs '* [dummy]'
	expect_status 0
	expect_out '^dummy_validate \[dummy\]$'
	expect 'only functions of dummy' sh -c "! grep -v '\\[dummy\\]' $T/out"
fi

for rung in $(some_rungs); do
	test_that "--attach=$rung: a caller that leaves by a tail call does not cut the stack"
	run_unskipped retsnoop -sn --attach="$rung" -e ${sys}_read -a ksys_read -x EBADF \
		-- sh -c 'read -r x <&-; true'
	expect_status 0
	expect_stack $callers
	expect_out "\[-EBADF\] +${sys}_read" '\[-EBADF\] +ksys_read'
done
