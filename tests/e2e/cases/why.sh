#!/bin/sh
# retsnoop why: from a failing command to the code that decided it.
# not on arm64: what decided is a branch that the compiler of x86 made; why-arm64.sh has those of arm64
# changes the machine: files and mounts in /tmp
. "${0%/*}/../lib.sh"

# FMODE_WRITE is not among what the file has.
explains fs-write-read-only EBADF '^  because !\(file->f_mode & FMODE_WRITE\)$' \
	'^    file->f_mode = 0x[0-9a-f]*[014589cd]$'
if details_on none; then
	# The arguments of the call are shown by name, and how often the command ran.
	explains fs-mount-unknown ENODEV '^  because get_fs_type\(.*\) == NULL$' '^[0-9]+ runs, ' \
		'^mount\(dev_name="none", dir_name="/", type="simfail_no_such_fs", flags=MS_RDONLY, data=NULL\) = -ENODEV +simfail'
	explains proc-kill-missing ESRCH
	explains proc-bad-unshare EINVAL
	explains mm-munmap-unaligned EINVAL

	# On 7.2 the result is on the stack meanwhile, where no function has its address.
	test_that 'fs-mkdir-exists: the function at fault and its branch, without doubt'
	run retsnoop why -x EEXIST -- simfail fs-mkdir-exists
	expect_status 0
	expect_out '^filename_create returned -EEXIST$' '^  branch (not )?taken at '

	# On 5.10 all of bpf(2) is in __do_sys_bpf(), which only breakpoints look into: in 11 runs, with doubt.
	more=
	doubt=
	map_create='map_create.*, __sys_bpf.*, '
	if is_kernel 5.10; then
		more=--runs=20
		doubt='likely '
		map_create=
	fi

	test_that "the member of bpf(2)'s union that the command uses is named, with its value"
	# shellcheck disable=SC2086
	run retsnoop why $more -x EINVAL -- simfail bpf-array-bad-flags
	expect_status 0
	expect_out '^array_map_alloc_check returned -EINVAL$' \
		'^  because attr->map_flags & ~0x[0-9a-f]+$' \
		'^    attr->map_flags = 0x1$'

	test_that 'capabilities that were asked for are named'
	run retsnoop why -x EPERM -- simfail cap-sethostname
	expect_status 0
	expect_out '^  because !ns_capable\(.*, CAP_SYS_ADMIN\)$'

	test_that 'an error that a function was passed comes from the call that had returned it'
	run retsnoop why -x ENAMETOOLONG -- simfail fs-open-long-path
	expect_status 0
	expect_out '^(do_getname|getname_flags[^ ]*) returned -ENAMETOOLONG$' '^  because strncpy_from_user\('

	test_that 'a function that nobody can trace or put a kprobe in is looked into by breakpoints'
	run retsnoop why -x EINVAL -- simfail mlockall-flags
	expect_status 0
	if is_kernel 5.10; then
		# There it is part of its caller, and the branch before decides.
		expect_out '^__x64_sys_mlockall returned -EINVAL$' '^  branch taken at ' \
			'^  because !\(flags & ~MCL_ONFAULT\)$' '^    flags = 0x0$'
	else
		expect_out '^__do_sys_mlockall returned -EINVAL$' '^  branch taken at ' \
			'^  because flags < 1 \|\| flags > 7$' '^    flags = 0' '-EINVAL went up through __x64_sys_mlockall'
	fi
	expect_no_out 'likely|not known'

	test_that 'and so is a large one, in a few runs'
	run retsnoop why --runs=12 -x EINVAL -- simfail prctl-option
	expect_status 0
	# Of 5.10's BTF nothing says what the parameter is called.
	option=option
	! is_kernel 5.10 || option='\(u32\)r[a-z0-9]+'
	expect_out '^__do_sys_prctl returned -EINVAL$' "^  because $option != " "^    $option = 9999$"

	# The beginning of its way takes runs of its own.
	if is_kernel 6.12; then
		test_that 'and one whose result is computed in the end'
		run retsnoop why --runs=12 -x ENOMEM -- simfail msync-unmapped
		expect_status 0
		expect_out '^__do_sys_msync returned -ENOMEM$' '^  (likely )?branch (not )?taken at ' '^  because '
	fi

	test_that 'where BPF is kept off, probes that were not hit show no way'
	# On 5.10 four breakpoints at a time show the way through __do_sys_bpf(), which takes 9 runs.
	run retsnoop why --runs=16 -x ENOENT -- simfail bpf-update-missing
	expect_out '^bpf\(cmd=BPF_MAP_UPDATE_ELEM, .* = -ENOENT '
	expect_out 'probes do not run while bpf\(2\) accesses a map'
	expect_no_out 'from bpf_percpu_hash_update' 'bpf_percpu_hash_update returned'

	test_that 'what pointers lead to is named'
	run retsnoop why -- umount /proc/self
	expect_status 0
	expect_out '^  because path->(dentry|mnt->mnt_root) != path->(mnt->mnt_root|dentry)$' \
		'path->mnt->mnt_root = 0x[0-9a-f]+ "/"'
	expect_out 'path->dentry = 0x[0-9a-f]+ "[0-9]+"'

	# What its compiler makes of this function; the others were not looked at.
	if is_kernel 6.1 7.2; then
		test_that 'the failure of a call before the condition is told'
		run retsnoop why -x EPERM -- simfail cap-kill
		expect_status 0
		expect_out '^check_kill_permission returned -EPERM$' '^  because .* != 18$' \
			'^  after !ns_capable\(.*CAP_KILL\)$'
	fi

	if is_kernel 7.2; then
		test_that 'what only the values show to have decided is looked into'
		run retsnoop why -x EPERM -- simfail cap-vm-read
		expect_status 0
		expect_out '^process_vm_rw_core[a-z0-9.]* returned -EPERM$' '^  because mm_access\(.*\) == -EACCES$' \
			'^mm_access returned -EACCES$' '^  after !ptrace_may_access\('
		expect_no_out likely
	fi

	if is_kernel 6.1; then
		test_that 'what nothing has set on the way is no reason, though an int before it was passed by address'
		run retsnoop why -x EINVAL -- simfail rename-into-itself
		expect_status 0
		expect_out '^do_renameat2 returned -EINVAL$' \
			'^  because lookup_one_qstr_excl\(.*\) == lock_two_directories\(.*\)$' ' = 0x[0-9a-f]+ "etc"'
		expect_no_out likely

		test_that 'small numbers are no addresses of variables'
		run retsnoop why --runs=16 -x EFBIG -- sh -c "trap '' XFSZ; ulimit -f 1
			dd if=/dev/zero of=/tmp/why-big bs=4096 seek=1 count=1 conv=notrunc 2>/dev/null"
		expect_status 0
		expect_out 'rlim_cur = [0-9]+, pos = 4096$'
	fi

	if is_kernel 7.2; then
		test_that 'errors that are returned as an unsigned long lead on, too'
		run retsnoop why -x EBADF -- simfail mmap-closed
		expect_status 0
		expect_out '^ksys_mmap_pgoff returned -EBADF$' '^  because fget\(.*\) == NULL$'
	fi

	# What its compiler makes of these functions; the others were not looked at.
	if is_kernel 7.2; then
		test_that 'a result that was kept on an aligned stack is followed'
		run retsnoop why -x EPERM -- simfail futex-not-owner
		expect_status 0
		expect_out '^futex_unlock_pi returned -EPERM$' '^  (likely )?branch (not )?taken at ' '^  because .* != '

		test_that 'the running task is current'
		run retsnoop why -x EINVAL -- simfail msgsnd-long
		expect_status 0
		expect_out '^do_msgsnd returned -EINVAL$' '^  because current->nsproxy->ipc_ns->msg_ctlmax < '

		test_that 'a text that a call is passed is shown'
		run retsnoop why -x EOPNOTSUPP -- simfail setxattr-proc
		expect_status 0
		expect_out '^__vfs_setxattr_noperm returned -EOPNOTSUPP$' '^  because strncmp\(name, "security\.", 9\) != 0$'

		test_that 'both operands of a comparison are results of calls'
		run retsnoop why -x EINVAL -- simfail rename-into-itself
		expect_status 0
		expect_out '^__start_renaming returned -EINVAL$' \
			'^  because lookup_one_qstr_excl\(.*\) == lock_two_directories\(.*\)$' ' = 0x[0-9a-f]+ "etc"'

		test_that 'of two conditions that decided together both are shown'
		run retsnoop why -x ENOENT -- simfail rename-exchange
		expect_status 0
		expect_out '^lookup_one_qstr_excl returned -ENOENT$' '^  because !\(flags & 0x20000\)$' \
			'^  after !\(.*->d_flags & 0x[0-9a-f]+\) \(no such file\)$'

		test_that 'the check whose failure set the error is found, though a later condition returned it'
		mkdir -p /tmp/why-ro
		mount -t tmpfs none /tmp/why-ro
		mount -o remount,ro /tmp/why-ro
		run retsnoop why -x EROFS -- sh -c ': >/tmp/why-ro/file'
		umount /tmp/why-ro
		expect_status 0
		expect_out '^mnt_get_write_access returned -EROFS$' '^  because .*mnt_flags & MNT_READONLY$' \
			'-EROFS went up through mnt_want_write, path_openat, '

		test_that 'the stack shows functions that were called through pointers: few runs are needed'
		run retsnoop why -x ENETUNREACH -- nc 10.1.2.3 80
		expect_status 0
		expect_out '^ip_route_output_key_hash_rcu returned -ENETUNREACH$' '^  after fib_table_lookup\(.*\) == -EAGAIN$' \
			'^[3-5] runs'

		test_that 'an error that a function was passed is followed back into its caller'
		mkdir -p /tmp/why-small
		mount -t tmpfs -o nr_inodes=1 none /tmp/why-small
		run retsnoop why --runs=12 -- sh -c ': >/tmp/why-small/file'
		umount /tmp/why-small
		expect_status 0
		expect_out '^__shmem_get_inode returned -ENOSPC$' '^  branch (not )?taken at ' \
			'-ENOSPC went up through shmem_mknod, shmem_create, path_openat, '

		# It ends with BUG() and a nop of two bytes.
		test_that 'a function that ends with BUG() is followed'
		run retsnoop why -x EIO -- simfail ptrace-seize-address
		expect_status 0
		expect_out '^ptrace_attach returned -EIO$' '^  branch (not )?taken at ptrace_attach'

		test_that 'variables of the kernel that pointers lead to are named'
		run retsnoop why -x EINVAL -- simfail setns-own-user
		expect_status 0
		expect_out '^userns_install returned -EINVAL$' '^    current->cred->user_ns = 0x[0-9a-f]+ "init_user_ns"'

		test_that 'where the very error of a call was asked for, that call is looked into'
		# The limit is for the file with standard error, too, which each run makes longer. On a busy
		# machine the kernel skips calls now and then, and such runs are repeated.
		run retsnoop why --runs=16 -x EFBIG -- sh -c "trap '' XFSZ; ulimit -f 1
			dd if=/dev/zero of=/tmp/why-big bs=4096 seek=1 count=1 conv=notrunc 2>/dev/null"
		expect_status 0
		expect_out '^generic_write_check_limits returned -EFBIG$' '^  (likely )?branch (not )?taken at ' \
			'-EFBIG went up through (generic_write_checks_count, )?generic_write_checks, '
	fi

	test_that 'arguments of a system call go by their names in conditions'
	run retsnoop why -x EINVAL -- simfail pread-negative
	expect_status 0
	expect_out 'pos=-5\) = -EINVAL ' '^  because pos < 0$' '^    pos = -5$'

	test_that 'a function that is called through a pointer is looked into'
	# shellcheck disable=SC2086
	run retsnoop why $more -x EINVAL -- simfail bpf-array-value-size-0
	expect_status 0
	expect_out '^bpf\(cmd=BPF_MAP_CREATE, .* = -EINVAL ' '^array_map_alloc_check returned -EINVAL$' \
		"^  ${doubt}branch (not )?taken at " \
		"-EINVAL went up through ${map_create}__x64_sys_bpf"
fi

# Where thousands of functions are attached at once. Two on the way jump to the next one: they are not on the stack.
if has_rung kprobe-session; then
	test_that 'a failure behind several calls through pointers is seen in the first run'
	run retsnoop why -- sh -c 'echo abc >/sys/class/net/lo/mtu'
	expect_status 0
	expect_out '^write\(fd=1, buf="abc\\n", count=4\) = -EINVAL ' \
		'^_kstrtoull returned -EINVAL$' '^  because _parse_integer(_limit)?\(.*\) == 0$' \
		'-EINVAL went up through kstrtoull, .*dev_attr_store, sysfs_kf_write, kernfs_fop_write_iter, ' \
		'^[3-7] runs'

	test_that 'a function called through a pointer is looked into, too, where its failure was tested'
	run retsnoop why -- sh -c 'echo 77 >/proc/sys/vm/overcommit_memory'
	expect_status 0
	expect_out '^do_proc_(dointvec_minmax_conv|int_conv_minmax) returned -EINVAL$' \
		'-EINVAL went up through ((__)?do_proc_dointvec|proc_vec_conv, do_proc_vec), proc_dointvec_minmax, '
	if details_on none; then
		run retsnoop why --runs=4 -- sh -c 'echo 77 >/proc/sys/vm/overcommit_memory'
		# Since 7.3 the pointer is used in a function of its own.
		if since 7.3; then
			expect_out '^do_proc_vec returned -EINVAL$' '^  because proc_vec_conv\(.*\) != 0$' \
				'^    \(values are not known: they take one more run than --runs allows\)$'
		else
			expect_out '^(__)?do_proc_dointvec returned -EINVAL$' \
				'^  \(the function that it called through a pointer was not looked into: that takes more runs than --runs allows\)$'
		fi
	fi

	test_that 'one run names the innermost function that failed so'
	run retsnoop why --once --syscall write -x EINVAL -- sh -c 'echo abc >/sys/class/net/lo/mtu'
	expect_status 1
	expect_out 'not known: one run does not tell more; with -e (mtu_store|netdev_store\.isra\.0) it begins there$'
fi

if details_on 7.2; then
	test_that 'flags have names, modes are octal'
	run retsnoop why --once -x EEXIST -- simfail fs-mkdir-exists
	expect_out '^mkdir(at)?\(.*mode=0700\) = -EEXIST '
	run retsnoop why --once -x ENOTDIR -- simfail fs-open-not-dir
	expect_out '^openat\(.*"/dev/null", flags=O_RDONLY\|O_DIRECTORY[^,]*\) = -ENOTDIR '
	# What follows in memory is not written.
	run retsnoop why --once -x EINVAL -- sh -c 'printf longer-text >/dev/null; printf 77 >/proc/sys/vm/overcommit_memory'
	expect_out '^write\(fd=1, buf="77", count=2\) = -EINVAL '
fi

test_that 'retsnoop why -- mount -t nosuchfs none /mnt'
mkdir -p /mnt
run retsnoop why -- mount -t nosuchfs none /mnt
expect_status 0
expect_out '^mount\(dev_name="none", dir_name="/mnt", type="nosuchfs", .*\) = -ENODEV +mount \(pid [0-9]+\)$' \
	'^(path_mount|do_new_mount) returned -ENODEV$' '^  branch (not )?taken at ' \
	'^  because get_fs_type\(.*\) == NULL$' '^  -ENODEV went up through .*__x64_sys_mount' \
	'^other calls that failed \(--call N\):$' '^[0-9]+ runs, [0-9.]+ s\. -v shows what each found\.$'
if is_kernel 6.1; then
	expect_out 'fs/namespace\.c:[0-9]+:[0-9]+ in do_new_mount   -> :[0-9]+$'
fi

if details_on none; then
	test_that 'what the branch tested is explained, too: why the function returned that'
	mkdir -p /tmp/why-busy
	mount -t tmpfs none /tmp/why-busy
	run retsnoop why --runs=12 -- sh -c 'cd /tmp/why-busy; umount /tmp/why-busy'
	expect_status 0
	expect_out '^(path_umount|do_umount|ksys_umount) returned -EBUSY$' '^  because propagate_mount_busy\(.*\) != 0$' \
		'^propagate_mount_busy returned 1$' '^  branch (not )?taken at ' '^  because .* [<>]=? '
	run retsnoop why -q --runs=12 --format=json -- sh -c 'cd /tmp/why-busy; umount /tmp/why-busy'
	expect_out '"tested":\{"function":"propagate_mount_busy",.*"result":1,.*"kind":"branch_(not_)?taken"'
	umount /tmp/why-busy
fi

if details_on none; then
	test_that 'of an ordinary command the call that it complains about is explained'
	run retsnoop why -- mkdir /proc
	expect_status 0
	expect_out '^mkdir\(pathname="/proc", .* = -EEXIST +' '^(filename_create|lookup_one_qstr_excl) returned -EEXIST$' \
		'^  branch (not )?taken at '
	expect_no_out 'complained about nothing'
	expect_err 'File exists'
fi

if details_on 7.2; then
	test_that 'a child of the command is followed'
	run retsnoop why -- sh -c 'mkdir /proc; true'
	expect_status 0
	expect_out '= -EEXIST +mkdir|= -EEXIST +sh|= -EEXIST +busybox' '^(filename_create|lookup_one_qstr_excl) returned -EEXIST$'
fi

# What its compiler makes of this function; the others were not looked at.
if is_kernel 6.1 6.12 7.2; then
	test_that 'the part of a path that is missing is named'
	run retsnoop why -- cat /etc/nosuch/deeper/file
	expect_status 0
	expect_out '^  because !\(dentry->d_flags & 0x[0-9a-f]+\) \(no such file\)$' '^    dentry->d_flags = 0x[0-9a-f]+$' \
		'^    dentry = 0x[0-9a-f]+ "nosuch"$'
fi

if details_on 7.2; then
	test_that 'the answer is an object as JSON'
	run retsnoop why --format=json -x EEXIST -- simfail fs-mkdir-exists
	expect_status 0
	expect_out '"type":"why".*"syscall":"mkdir".*"known":true.*"decision":\{"function":"(filename_create|lookup_one_qstr_excl)"'
fi

test_that '--once says which calls failed, and runs the command once'
run retsnoop why --once -- sh -c 'echo run >>/tmp/why-runs; mkdir /proc'
expect_status 1
expect_out '= -EEXIST' 'not known: one run shows only which call failed; with --syscall mkdir it is traced in that run$'
expect 'one run' [ "$(wc -l </tmp/why-runs)" -eq 1 ]

printf '#!/no/such\n' >/tmp/why-script
chmod 755 /tmp/why-script
if is_kernel 7.2; then
	test_that 'a script whose interpreter is missing is explained if a shell runs it'
	run retsnoop why -- sh -c '/tmp/why-script; exit 3'
	expect_status 0
	expect_out '^execve\(filename="/tmp/why-script".* = -ENOENT ' '^step_into_slowpath returned -ENOENT$' \
		'-ENOENT went up through link_path_walk.*, open_exec.*, load_script.*, __x64_sys_execve' '^[3-7] runs'
fi

details_on 6.1 || exit 0

# Other compilers make other branches of these.
if is_kernel 6.1 7.2; then
	test_that 'a switch that was compiled as a test of a bit has a condition'
	run retsnoop why -x EINVAL -- simfail proc-madvise-remote
	expect_status 0
	expect_out '^  because !\(BIT\(behavior\) & 0x2300008\)$' '^    behavior = 8$'
	expect_no_out 'likely|not known'

	test_that 'of a function that was called twice, the call is looked into whose result was tested'
	run retsnoop why -x EINVAL -- simfail splice-counters
	expect_status 0
	expect_out '^do_splice returned -EINVAL$' '^  because get_pipe_info\(.*\) == NULL$' '^get_pipe_info returned NULL$' \
		'^  \(in call 2 of 2 of get_pipe_info\)$'
	expect_no_out 'likely|not known'

	test_that 'a switch that came after the reason is not the reason'
	run retsnoop why -x EEXIST -- simfail fs-epoll-twice
	expect_status 0
	expect_out '^do_epoll_ctl(_file)? returned -EEXIST$' '^  branch taken at ' '^  because .* == 0$'
	expect_no_out 'because op|likely|not known'

	test_that 'of several conditions that decided together, the line "after" has the call that failed'
	run retsnoop why -x EAGAIN -- simfail proc-sigqueue-limit
	expect_status 0
	expect_out '^__send_signal_locked returned -EAGAIN$' '^  because info->si_code != 0$' \
		'^  after (sig_get_ucounts|__sigqueue_alloc)\(.*\) == NULL$'
	expect_no_out 'likely|not known'
fi

test_that 'perror(3) writes to a copy of standard error: a complaint, too, which names its errno'
run retsnoop why -- simfail fs-mkdir-perror
expect_status 0
expect_out '^mkdir\(pathname="/", .* = -EEXIST +' '^(filename_create|lookup_one_qstr_excl) returned -EEXIST$'

test_that 'so does a message that is written in parts'
run retsnoop why --once -- simfail fs-mkdir-writev
expect_out '^mkdir\(pathname="/", .* = -EEXIST +'

test_that 'a message that names nothing of the last failed call is said to name nothing'
run retsnoop why --once -- sh -c '[ -e /nosuch ]; kill -BAD 1'
expect_out '^[a-z]*stat[a-z]*\(.*"/nosuch".* = -ENOENT ' \
	'^  \(its message names neither this error nor a path of the call\)$'
run retsnoop why --once --format=json -- sh -c '[ -e /nosuch ]; kill -BAD 1'
expect_out '"chosen_by":"complaint".*"complaint_names_call":false'
run retsnoop why --once --format=json -- mkdir /proc
expect_out '"chosen_by":"complaint".*"complaint_names_call":true'

test_that 'a program that is in no directory of PATH is what a command complains about'
run retsnoop why --once -- setsid no-such-program
expect_out '^execve\(filename="[^"]*/no-such-program".*\) = -ENOENT '

test_that 'a command that changes what made it fail gets no answer'
rm -f /tmp/why-once
run retsnoop why -- sh -c 'if [ -e /tmp/why-once ]; then exit 0; fi; touch /tmp/why-once; mkdir /proc'
expect_status 1
expect_out 'not known: the call did not fail so again'

test_that 'without a failure there is nothing to explain'
run retsnoop why --syscall mount -- true
expect_status 1
expect_err "no call of 'true' failed so; it exited with status 0"

test_that 'a system call goes by the name in its manual page'
run retsnoop why --syscall umount2 -- true
expect_status 1
expect_err "no call of 'true' failed so; it exited with status 0"

test_that 'a command that succeeds in silence runs once, and its failures are listed'
run retsnoop why -- sh -c 'echo run >>/tmp/why-quiet; [ -e /no/such ]; true'
expect_status 1
expect_err "^retsnoop: 'sh' succeeded and wrote no error; --call N explains one of these calls"
expect 'one run' [ "$(wc -l </tmp/why-quiet)" -eq 1 ]

test_that 'a message of a command that succeeds, about none of its failures, is one'
echo '[ -e /no/such ]; echo deprecated >&2' >/tmp/why-looks
run retsnoop why -- sh /tmp/why-looks
expect_status 1
expect_err "^retsnoop: 'sh' succeeded, and none of these calls explains its message; --call N"

test_that 'a command that does not exist is told'
run retsnoop why -- /no-such-program
expect_status 3
expect_err "cannot run '/no-such-program': No such file"

test_that 'a command that cannot be executed is explained, as other calls are'
run retsnoop why -- /tmp/why-script
expect_status 0
expect_out '^execve\(filename="/tmp/why-script".* = -ENOENT +retsnoop ' \
	'-ENOENT went up through .*load_script.*, __x64_sys_execve'
mkdir -p /tmp/why-noexec
mount -t tmpfs -o noexec none /tmp/why-noexec
printf '#!/bin/sh\n' >/tmp/why-noexec/program
chmod 755 /tmp/why-noexec/program
run retsnoop why --runs=12 -- /tmp/why-noexec/program
expect_status 0
expect_out '^execve\(filename="/tmp/why-noexec/program".* = -EACCES +retsnoop ' '^  because path_noexec\(.*\)$'
umount /tmp/why-noexec

test_that 'a file that a program only looked for does not explain a message that does not name it'
# shellcheck disable=SC2016	# they are variables of the command
run retsnoop why -- sh -c 'x=none; [ -e /tmp/why-$x ]; : "${none?cannot do it}"'
expect_status 1
expect_err "^retsnoop: 'sh' exited with status 2, and none of these calls says why; --call N"
expect_out '^ +[0-9]+ +[0-9]+x  (stat|newfstatat)\(.*"/tmp/why-none".* = -ENOENT  sh$'
# shellcheck disable=SC2016
run retsnoop why --once -- sh -c 'x=none; [ -e /tmp/why-$x ]; : "${none?there is no why-none}"'
expect_out '^(stat|newfstatat)\(.*"/tmp/why-none".* = -ENOENT +sh '

test_that 'a library that the dynamic linker did not find is explained'
# It writes its message in ten parts, with one call.
sed 's/libc\.so\.6/libc.so.7/g' "$(command -v simfail)" >/tmp/why-linked
chmod +x /tmp/why-linked
run retsnoop why --once -- /tmp/why-linked
expect_err 'error while loading shared libraries: libc\.so\.7:'
expect_out '^openat\(.*/libc\.so\.7".* = -ENOENT +why-linked '
expect_no_out 'its message names'

test_that 'a system call that does not exist is a usage error'
run retsnoop why --syscall nosuch -- true
expect_status 2
expect_err '--syscall nosuch: this kernel has no such system call'
run retsnoop why --syscall mont -- true
expect_status 2
expect_err "--syscall mont: this kernel has no such system call; did you mean 'mount'[?]$"
expect_no_err 'Running'

test_that 'a function that does not exist is a usage error, and the command is not run'
run retsnoop why -e no_such_function -- sh -c 'echo run >/tmp/why-never; mkdir /proc'
expect_status 2
expect_err '-e no_such_function: this kernel has no such function'
run retsnoop why -e mount -- true
expect_err '-e mount: this kernel has no such function; try --syscall mount$'
run retsnoop why -e vfs_mkdri -- true
expect_err "-e vfs_mkdri: this kernel has no such function; did you mean 'vfs_mkdir'[?]$"
expect 'no run' [ ! -e /tmp/why-never ]
