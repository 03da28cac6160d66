#!/bin/sh
# retsnoop funcs.
# changes the machine: unmounts tracefs
. "${0%/*}/../lib.sh"

test_that 'funcs lists what a glob selects, one a line'
run retsnoop funcs '*_sys_bpf'
expect_status 0
expect_out "^${sys}_bpf$"
expect_no_out '[^A-Za-z0-9_.]'

if details_on 6.1; then
	test_that 'the list is what -e @- takes'
	run_sh "retsnoop funcs $mkdir filename_create | retsnoop -sn -S -e @- -- simfail fs-mkdir-exists"
	expect_status 0
	expect_out "\[-EEXIST\] +$mkdir" '\[-EEXIST\] +filename_create'

	test_that '--count counts the same'
	run_sh '[ "$(retsnoop funcs --count "*bpf*")" = "$(retsnoop funcs "*bpf*" | wc -l)" ] && retsnoop funcs --count "*bpf*"'
	expect_status 0
	expect_out '^[0-9][0-9][0-9]+$'
fi

test_that '-l shows what a function returns and how it would be traced'
run retsnoop funcs -l $mkdir
expect_status 0
expect_out "$mkdir"
expect_out '[0-9a-f]{16}'
expect_out 'kprobe|fentry|fsession'

test_that '-d leaves functions out'
run retsnoop funcs '*_sys_bpf' $mkdir -d '__ia32_*' -d "${sys}_*"
expect_status 0
expect_out "^$mkdir\$"
expect_no_out "${sys}_bpf" '__ia32_sys_bpf'

test_that '--format=json is one object a line'
run retsnoop funcs --format=json $mkdir
expect_status 0
expect_out "^\{.*\"$mkdir\".*\}$"
expect 'one line' [ "$(wc -l <"$T/out")" -eq 1 ]

test_that '--why says how a function can be traced'
run retsnoop funcs --why $mkdir
expect_status 0
expect_out "$mkdir"

test_that '--why says why a function cannot be traced'
run retsnoop funcs --why $unprobed
expect_out $unprobed
expect_out "can.?not|can't|not traceable|no ftrace|notrace|kprobe|blacklist"

details_on 7.2 || exit 0

test_that '--why of an unknown name offers the nearest'
run retsnoop funcs --why do_mkdiratt
expect_status 1
expect_out '[a-z_]*mkdirat'

test_that 'an alias of a system call finds the function'
run_sh "retsnoop funcs ${sys}_getppid __do_sys_getppid"
expect_status 0
expect_out "^${sys}_getppid|__do_sys_getppid$"

test_that 'nothing selected is status 1'
run retsnoop funcs 'no_such_function*'
expect_status 1
expect_out_empty
expect_err 'no_such_function\*'

# The kernel prints its list from the beginning again for each page that is read; its memory is faster.
test_that 'ftrace memory and tracefs list the same functions'
if [ "$(id -u)" != 0 ]; then
	skip 'this needs root'
else
	retsnoop funcs '*' >"$T/memory"
	mount --bind /dev/null /proc/kcore
	run retsnoop funcs '*'
	umount /proc/kcore
	expect_status 0
	expect 'the same functions' cmp "$T/memory" "$T/out"
fi

test_that 'what can be traced is known without tracefs, or what to mount is said'
if [ "$(id -u)" != 0 ]; then
	skip 'this needs root'
elif [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "this kernel has no BTF"
elif umount /sys/kernel/debug/tracing 2>/dev/null; umount /sys/kernel/debug && umount /sys/kernel/tracing; then
	run retsnoop funcs --why $unprobed
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	# From memory, if kallsyms has data (CONFIG_KALLSYMS_ALL); on arm64 older kernels have none.
	if grep -q ' ftrace_pages_start$' /proc/kallsyms; then
		expect_no_err tracefs
	else
		expect_err 'mount -t tracefs nodev /sys/kernel/tracing'
	fi
	expect_out "can.?not|can't|not traceable|no ftrace|notrace|kprobe|blacklist"
else
	skip 'it cannot be unmounted'
fi
