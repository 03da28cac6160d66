#!/bin/sh
# retsnoop why: which check refused a call; memory that could not be accessed.
# changes the machine: locks the kernel down; the mode of /tmp; adds a user
. "${0%/*}/../lib.sh"

grep -q ' /sys/kernel/security ' /proc/mounts || mount -t securityfs none /sys/kernel/security
grep -q '^nobody:' /etc/passwd 2>/dev/null || echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
chmod 755 /tmp
mkdir -p /tmp/closed
chmod 700 /tmp/closed
: >/tmp/closed/file
: >/tmp/secret
chmod 600 /tmp/secret

if details_on none; then
	test_that 'the mode of a directory on the path'
	run retsnoop why -u nobody -- cat /tmp/closed/file
	expect_status 0
	expect_out '^openat\(.* = -EACCES ' '^generic_permission returned -EACCES$' \
		'^  refused by the mode or the ACL of a directory on the path: "closed", drwx------, owner 0:0$'
fi

test_that 'the argument that leads to a bad address is named'
run retsnoop why --once -x EFAULT -- simfail open-bad-address
expect_out '^openat\(.* = -EFAULT ' '^  memory could not be accessed at 0x8, which is filename$'

if details_on none; then
	test_that 'the access to memory that failed is found where faults lead to code of the same function'
	run retsnoop why -x EFAULT -- simfail open-null
	expect_status 0
	expect_out '^strncpy_from_user returned -EFAULT$' '^  -EFAULT went up through .*sys_openat' \
		'^  memory could not be accessed at 0x0, which is filename$'
	# Up to 6.12 what follows tests whether there was a fault.
	! is_kernel 6.1 7.2 || expect_out '^  access to memory failed at .*strncpy_from_user'
	expect_no_out 'not known'
fi

test_that 'a fault in a routine in assembly is a result of that routine'
run retsnoop why -x EFAULT -- simfail ioctl-null
expect_status 0
expect_out '^ioctl\(.*, cmd=FIONBIO, arg=0\) = -EFAULT ' '^  memory could not be accessed at 0x0$'
expect_no_out 'not known' 'to see into it: -a __'

test_that 'an address that no program can have is refused by a branch, where there is one'
run retsnoop why -x EFAULT -- simfail ioctl-bad-address
expect_status 0
expect_out '^ioctl\(.*, cmd=FIONBIO, arg=0xfffffffffffff000\) = -EFAULT '
! is_kernel 6.1 || expect_out '^bad_get_user returned -EFAULT$' '^  -EFAULT went up through __get_user_4( \(.*\))?, do_vfs_ioctl'
! is_kernel 6.12 7.2 || expect_out '^  memory could not be accessed at 0xfffffffffffff000, which is arg$'
expect_no_out 'not known'

if details_on 7.2; then
	test_that 'the mode of the file, as JSON'
	run retsnoop why --format=json -u nobody -- cat /tmp/secret
	expect_status 0
	expect_out '"refused_by":\{"check":"permissions","of":"the file","name":"secret","mode":"0600","uid":0,"gid":0\}'

	test_that 'a missing capability is no refusal by a module'
	run retsnoop why --once -x EPERM -- simfail cap-sethostname
	expect_no_out 'refused by'

	test_that 'an argument that leads to a bad address is named if it is NULL, and in JSON'
	run retsnoop why --once --format=json -x EFAULT -- simfail open-bad-address
	expect_out '"bad_address":\{"addr":"0x8","argument":"filename"\}'
	run retsnoop why --once -x EFAULT -- simfail open-null
	expect_out '^openat\(.* = -EFAULT ' '^  memory could not be accessed at 0x0, which is filename$'
	run retsnoop why --once --format=json -x EFAULT -- simfail open-null
	expect_out '"bad_address":\{"addr":"0x0","argument":"filename"\}'

	test_that 'other errors have no bad address'
	run retsnoop why --once -x ENODEV -- simfail fs-mount-unknown
	expect_no_out 'could not be accessed'
fi

if details_on none; then
	test_that 'the mode of the directory in which something is to be made'
	run retsnoop why -u nobody -- mkdir /newdir
	expect_status 0
	expect_out '^mkdir(at)?\(.* = -EACCES ' '^  refused by the mode or the ACL of the directory that is to be changed: "/", drwxr-xr-x, owner 0:0$'

	test_that 'what was handed down as an error is followed to where it came from'
	run retsnoop why -x ENOENT --syscall mkdirat -- simfail mkdir-empty-path
	expect_status 0
	expect_out '^(do_getname|getname_flags[^ ]*) returned -ENOENT$' '^  branch (not )?taken at ' '^  -ENOENT went up through .*sys_mkdirat'
	expect_no_out 'not known' 'likely'
fi

# What follows cannot be taken back.
if details_on none; then
	test_that 'lockdown, and what the kernel said of it'
	if echo integrity 2>/dev/null >/sys/kernel/security/lockdown; then
		run retsnoop why --runs 20 -- dd if=/dev/mem of=/dev/null count=1
		expect_status 0
		expect_out '^openat\(.*"/dev/mem".* = -EPERM ' '^  refused by Lockdown, hook locked_down$' \
			'^  the kernel said \(printk\): "Lockdown: dd: /dev/mem'
	else
		skip 'no lockdown here'
	fi
fi
