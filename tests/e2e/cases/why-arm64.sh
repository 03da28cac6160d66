#!/bin/sh
# machines: arm64
# smoke
# retsnoop why on arm64: conditions in registers, jumps by tables, locks without atomic instructions.
. "${0%/*}/../lib.sh"

# Handed up through a function that keeps it on the stack, among many saved registers.
explains mm-mmap-empty EINVAL '^  because len == 0$'
explains fs-mount-unknown ENODEV '^  because get_fs_type\(type_page\) == NULL$' \
	'^mount\(dev_name="none", dir_name="/", type="simfail_no_such_fs"' \
	'^  -ENODEV went up through __arm64_sys_mount$'
# What `make check` runs ends here.
[ -z "${E2E_FEW-}" ] || exit 0

# A bit that is asked for by the branch itself, in memory that was read before.
explains fs-write-read-only EBADF '^  because !\(file->f_mode & FMODE_WRITE\)$' \
	'^    file->f_mode = 0x[0-9a-f]*[014589cd]$'
# Through a jump by a table, and a call through a pointer. On 5.10 all of bpf(2) is in one function, called more
# than once, that cannot be traced: what decided is not known there, and retsnoop says so.
is_kernel 5.10 || explains bpf-array-bad-flags EINVAL '^  because attr->map_flags & ~0x[0-9a-f]+$' \
	'^    attr->map_flags = 0x1$'
# With a spin lock on the way, whose sequences of ldxr and stxr take no probe.
# 5.10's compiler has the pointer in a register since before the lock.
peer='\*\(u64 \*\)\(sock->sk \+ 0x[0-9a-f]+\)'
! is_kernel 5.10 || peer='x[0-9]+'
explains net-unix-not-connected ENOTCONN "^  because $peer == 0\$"

# because CASE CONDITION VALUES
because()
{
	test_that "$1: the condition, of two that one branch tests, with its values"
	run retsnoop why -x EINVAL -- simfail "$1"
	expect_status 0
	expect_out '^  branch (not )?taken at ' "^  because $2\$" "^    $3\$"
	expect_no_out 'likely|not known'
}

# Where compilers make one branch of two conditions, and a mask of two instructions, depends on the version.
if is_kernel 7.2; then
	because dup3-same 'oldfd == newfd' 'oldfd = 1, newfd = 1'
	because pidfd-flags 'flags & ~0x880' 'flags = 0x1'
	because eventfd-flags 'flags & ~\(EFD_SEMAPHORE \| EFD_CLOEXEC \| EFD_NONBLOCK\)' 'flags = 0x40'
fi

test_that 'capabilities that were asked for are named'
run retsnoop why -x EPERM -- simfail cap-sethostname
expect_status 0
expect_out 'returned -EPERM$' '^  branch (not )?taken at ' '^  because !ns_capable\(.*, CAP_SYS_ADMIN\)$'
expect_no_out 'likely|not known'

test_that 'the call that the command complains about is chosen'
run retsnoop why -- cat /nowhere
expect_out '^openat\(dfd=AT_FDCWD, filename="/nowhere", .* = -ENOENT +cat '

test_that 'the memory that the program does not have is named, with the argument that led there'
run retsnoop why -x EFAULT -- simfail open-bad-address
expect_out '^openat\(.* = -EFAULT ' '^  memory could not be accessed at 0x8, which is filename$'

# Its breakpoints are hit twice now and then, where an interrupt takes the step that leaves one.
test_that 'a function that nobody can trace is looked into by breakpoints'
run retsnoop why -x EFAULT -- simfail uname-address
expect_status 0
expect_out '^__do_sys_newuname returned -EFAULT$' '^  (likely )?branch taken at __do_sys_newuname' \
	'^  because .*copy_to_user\(.*\) != 0$' '^  memory could not be accessed at 0x8, which is name$'

test_that 'a call that fails without a word of the command is listed'
run retsnoop why --once -- simfail fs-write-read-only
expect_status 1
expect_err 'wrote no error; --call N explains'
expect_out '^ +[0-9]+ +1x +write\(fd=3, buf="x", count=1\) = -EBADF +simfail$'

test_that 'a recording is explained'
run retsnoop record -o "$T/r" -e __arm64_sys_mount -a path_mount -- simfail fs-mount-unknown
expect_status 0
run retsnoop why -i "$T/r"
expect_out 'ENODEV'
