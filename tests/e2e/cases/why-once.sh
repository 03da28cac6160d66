#!/bin/sh
# retsnoop why --once with the function known: watched and traced in one run.
# changes the machine: files in /tmp; mounts over /proc/kcore
. "${0%/*}/../lib.sh"

if details_on 7.2; then
	test_that 'one run is enough where the probes nearby tell the way'
	run retsnoop why --once --syscall mount -- sh -c 'echo run >>/tmp/once-runs; mount -t nosuchfs none /mnt'
	expect_status 0
	expect_out '^mount\(.*type="nosuchfs", .* = -ENODEV ' '^(path_mount|do_new_mount) returned -ENODEV$' \
		'^  (likely )?branch (not )?taken at ' "^  -ENODEV went up through .*${sys}_mount" '^1 run, '
	expect_no_out 'values are not known'
	expect 'one run' [ "$(wc -l </tmp/once-runs)" -eq 1 ]
fi

if details_on 7.2; then
	test_that 'the call that is meant is found among others of the same function'
	run retsnoop why --once --syscall mount -x ENODEV -- sh -c 'mount -t onefs none /mnt; mount -t proc none /no/such
		mount -t otherfs none /mnt; mount -t proc none /no/such; :'
	expect_status 0
	expect_out '^mount\(.*type="otherfs", .* = -ENODEV ' '^(path_mount|do_new_mount) returned -ENODEV$' '^1 run, '
	expect_no_out 'not known'

	test_that 'the same as JSON: one run, with what it attached'
	run retsnoop why --once --format=json --syscall mount -- mount -t nosuchfs none /mnt
	expect_status 0
	expect_out '"known":true.*"runs":\[\{"functions":[0-9]+,"probes":[1-9][^]}]*\}\]'
fi

if details_on none; then
	test_that 'a request through netlink is seen where it is taken'
	run retsnoop why --once --syscall sendmsg -- ip route add 10.0.0.0/8 via 192.168.77.1
	expect_status 1
	expect_out 'request RTM_NEWROUTE = -ENETUNREACH' 'not known: one run sees such a request with -e rtnetlink_rcv_msg$'
fi

test_that 'a message of a script is about the program that had failed; nobody reads what goes to /dev/null'
cat >/tmp/once-script <<'END'
rmdir /proc 2>/dev/null || { echo 'no such luck' >&2; mkdir /proc 2>/dev/null; exit 3; }
END
run retsnoop why --once -- sh /tmp/once-script
expect_status 1
expect_out '^(rmdir|unlinkat)\(.*"/proc".* = -EBUSY '
expect_no_out 'does not name|names neither'
run_sh 'retsnoop why --once --format=json -- mkdir /proc 2>/dev/null'
expect_out '"errno":"EEXIST".*"chosen_by":"complaint"'

details_on 7.2 || exit 0

test_that 'without a function to begin with, the answer says what would be one'
run retsnoop why --once -- mount -t nosuchfs none /mnt
expect_status 1
expect_out 'not known: one run shows only which call failed; with --syscall mount it is traced in that run$' '^1 run, '

test_that 'without /proc/kcore a BPF program reads the code, and the answer is the same'
if [ "$(id -u)" != 0 ]; then
	skip 'this needs root'
else
	mount --bind /dev/null /proc/kcore
	run retsnoop why -- mount -t nosuchfs none /mnt
	expect_status 0
	expect_out '^(path_mount|do_new_mount) returned -ENODEV$' '^  branch (not )?taken at ' '^  because get_fs_type\(' \
		"^  -ENODEV went up through .*${sys}_mount"
	run retsnoop doctor -v
	umount /proc/kcore
	expect_out 'another file hides /proc/kcore: points inside functions are not checked before they are tried$'
fi

details_on none || exit 0

test_that 'where it takes more runs the answer says where to begin'
tries=3
while :; do
	run retsnoop why --once --syscall bpf -x EINVAL -- simfail bpf-array-value-size-0
	# On a busy machine the kernel skips a return now and then, and the answer says so.
	tries=$((tries - 1))
	grep -q 'part of the trace was lost$' "$T/out" && [ $tries -gt 0 ] || break
done
expect_status 1
expect_out '^bpf\(cmd=BPF_MAP_CREATE, .* = -EINVAL ' 'what decided that is not known: one run does not tell more' '^1 run, '

test_that 'values take another run, and the answer says so'
# Since 6.3 what decides is too deep for one run, unless it begins there.
inner=
! grep -q ' do_vmi_munmap$' /proc/kallsyms || inner='-e do_vmi_munmap'
# shellcheck disable=SC2086	# none, or two words
run retsnoop why --once --syscall munmap $inner -x EINVAL -- simfail mm-munmap-unaligned
expect_out "because .*start & 0xfff" '^    \(values are not known: they take one more run than --once allows\)$'

test_that 'a function that the call did not come through is said'
run retsnoop why --once -e vfs_mkdir --syscall ${sys_mkdir#"${sys}_"} -- mkdir /proc
expect_status 1
# On a busy machine the kernel skips calls now and then, and the answer says so.
expect_out 'not known: one run did not see it in the function to begin with(; the kernel skipped some calls, maybe this one)?$' \
	'^1 run, '

test_that 'without a failure there is nothing to explain, and the status is told'
run retsnoop why --once --syscall mount -- sh -c 'exit 3'
expect_status 1
expect_err "no call of 'sh' failed so; it exited with status 3"
