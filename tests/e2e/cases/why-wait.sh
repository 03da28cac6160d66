#!/bin/sh
# retsnoop why without a command: the failures of processes that run already.
# changes the machine: files and a mount in /tmp
. "${0%/*}/../lib.sh"

: >/tmp/plain
cat >/tmp/loop <<'EOF'
while :; do
	cd /tmp/plain 2>/dev/null
	cd /no-such-directory 2>/dev/null
	sleep 0.2
done
EOF

# loop: a process whose calls fail again and again; $loop is its id.
loop()
{
	sh /tmp/loop >/dev/null 2>&1 &
	loop=$!
}

if details_on 7.2; then
	test_that '-p waits for the failure, and for the same again, and names what decided'
	loop
	run retsnoop why -p $loop -x ENOTDIR
	expect_status 0
	expect_out '^chdir\(filename="/tmp/plain"\) = -ENOTDIR +sh \(pid '$loop'\)$' \
		'^path_lookupat returned -ENOTDIR$' '^  (likely )?branch (not )?taken at ' '^[0-9]+ runs, '
	expect_err '^Waiting for a call to fail; Ctrl-C ends\.$' \
		"^Waiting for chdir to fail with ENOTDIR in 'sh' again \(2 of at most 16\)\.$"
	kill $loop
fi

if details_on 7.2; then
	test_that '-p takes a process of a container by the id that it has here'
	unshare -p -f sh /tmp/loop >/dev/null 2>&1 &
	outside=$!
	loop= i=0
	while [ -z "$loop" ] && [ $((i += 1)) -le 100 ]; do
		sleep 0.1
		loop=$(tr -d ' ' <"/proc/$outside/task/$outside/children")
	done
	run retsnoop why -p "$loop" -x ENOTDIR
	expect_status 0
	expect_out '^chdir\(filename="/tmp/plain"\) = -ENOTDIR +sh \(pid '"$loop"'\)$' '^path_lookupat returned -ENOTDIR$'
	# Its signals are those of process 1.
	kill -9 "$loop"
fi

test_that '--once shows the failure alone'
loop
run retsnoop why --once -p $loop --syscall chdir -x ENOTDIR
expect_status 1
expect_out '^chdir\(' 'not known: one failure shows only which call it is; without --once the next ones are traced$' '^1 run, '
expect_err_lines 1
kill $loop

cp "$(command -v simfail)" /tmp/single
if details_on 7.2; then
	test_that '-n waits for threads of that name'
	(
		while :; do
			/tmp/single fs-mount-unknown
			/tmp/single fs-mkdir-exists
			sleep 0.5
		done
	) >/dev/null 2>&1 &
	single=$!
	run retsnoop why -n single -x ENODEV --format=json
	expect_status 0
	expect_out '"syscall":"mount".*"errno":"ENODEV","comm":"single".*"chosen_by":"asked".*"known":true'
	kill $single
fi

# A pod's processes, which appear when it is waited for already, and a stranger who fails alike.
test_that '--pod waits for a pod, and for nobody else'
mkdir -p "$T/hierarchy"
mount -t cgroup2 none "$T/hierarchy" || exit 3
uid=11111111-2222-3333-4444-555555555555
container=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
cat >/tmp/pod <<END
tries=0
until grep -qs 'no such cgroup exists yet' $T/err || [ \$tries -eq 300 ]; do
	tries=\$((tries + 1))
	sleep 0.2
done
mkdir -p $T/hierarchy/kubepods/burstable/pod$uid/$container
echo \$\$ >$T/hierarchy/kubepods/burstable/pod$uid/$container/cgroup.procs
exec sh /tmp/loop
END
loop
sh /tmp/pod >/dev/null 2>&1 &
pod=$!
run retsnoop why --once --pod $uid -x ENOTDIR
expect_status 1
expect_out "^chdir\(filename=\"/tmp/plain\"\) = -ENOTDIR +sh \(pid $pod\)$"
expect_no_err 'no call failed'
expect_err "^retsnoop: warning: --pod $uid: no such cgroup exists yet; it is traced when it appears\$"

if details_on none; then
	test_that '--container selects in each further pass, too'
	run retsnoop why --container 0123456789 -x ENOTDIR
	expect_status 0
	expect_out "^chdir\(.* = -ENOTDIR +sh \(pid $pod\)$" '^path_lookupat returned -ENOTDIR$'
fi
kill $loop $pod
umount "$T/hierarchy"

details_on 7.2 || exit 0

test_that '-p ends when the process does'
loop
(sleep 8; kill $loop) &
run retsnoop why -p $loop -x ENODEV
expect_status 1
expect_out '^calls that failed \(--call N\):$' 'chdir\(filename="/tmp/plain"\) = -ENOTDIR  sh$'
expect_err '^retsnoop: no call failed so before the process exited$'

# The calls that fail are those of its short-lived children.
test_that '-p says that it leaves out children, and which option selects them'
cat >/tmp/parent <<'EOF'
while :; do
	(cd /tmp/plain) 2>/dev/null
	sleep 0.2
done
EOF
sh /tmp/parent &
parent=$!
run_sh "retsnoop why -p $parent -x ENOTDIR & sleep 20; kill -INT \$!; wait \$!"
expect_status 1
expect_err "^retsnoop: warning: -p $parent leaves out its child processes; -n sh selects them\$" \
	'^retsnoop: no call failed so'
mkdir -p /tmp/units
mount -t cgroup2 none /tmp/units || exit 3
mkdir -p /tmp/units/system.slice/parent.service
echo $parent >/tmp/units/system.slice/parent.service/cgroup.procs
run_sh "retsnoop why -p $parent -x ENOTDIR & sleep 20; kill -INT \$!; wait \$!"
expect_status 1
expect_err "^retsnoop: warning: -p $parent leaves out its child processes; --unit parent.service selects them\$"
kill $parent
wait $parent 2>/dev/null
# The last of its children may be in it for another moment.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	! rmdir /tmp/units/system.slice/parent.service 2>/dev/null || break
	sleep 0.2
done
umount /tmp/units

test_that 'Ctrl-C ends the waiting, with what failed meanwhile'
loop
run_sh "retsnoop why -p $loop -x ENODEV & sleep 10; kill -INT \$!; wait \$!"
expect_status 1
expect_out 'chdir\(filename="/no-such-directory"\) = -ENOENT  sh$'
expect_err '^retsnoop: no call failed so; --call N explains one of those that are listed$'
kill $loop

# It asks for signals all the time, which fails with EAGAIN.
test_that "retsnoop's own calls are not waited for"
run_sh 'retsnoop why -n retsnoop --syscall rt_sigtimedwait & sleep 10; kill -INT $!; wait $!'
expect_status 1
expect_no_out .
expect_err '^retsnoop: no call failed so$'

# timeout(1) sends it to the process and to its group. While much fails, the first one is read at once. A shell's
# background job ignores SIGINT.
test_that 'a signal that is sent again ends the waiting as one does'
cat >/tmp/many <<'EOF'
while :; do cd /nosuch; done
EOF
sh /tmp/many >/dev/null 2>&1 &
many=$!
run_sh "retsnoop why -p $many -x ENODEV & why=\$! i=0; sleep 5
	while [ \$((i += 1)) -le 100 ]; do kill -TERM \$why; done; wait \$why"
expect_status 1
expect_out 'chdir\(filename="/nosuch"\) = -ENOENT  sh$'
expect_err '^retsnoop: no call failed so; --call N explains one of those that are listed$'
kill $many

test_that '-n of a name that no thread has is waited for, with a warning'
run_sh 'retsnoop why -n no-such-thread & sleep 10; kill -INT $!; wait $!'
expect_status 1
expect_err '^retsnoop: warning: -n no-such-thread: no thread has that name yet$' '^retsnoop: no call failed so$'

test_that 'Ctrl-C ends waiting for the same failure, with what is known'
run_sh 'retsnoop why -n single --syscall getpeername >/tmp/answer 2>/tmp/waiting & why=$!
	until grep -q Waiting /tmp/waiting; do sleep 0.1; done
	until grep -q again /tmp/waiting; do /tmp/single net-unix-not-connected; sleep 0.5; done
	sleep 5; kill -INT $why; wait $why; status=$?; cat /tmp/answer; exit $status'
expect_status 1
expect_out '^getpeername\(.* = -ENOTCONN +single' 'not known: interrupted before the call failed so again'

if details_on none; then
	test_that 'without an option that names one, the next that programs do not expect is explained'
	loop
	run retsnoop why -p $loop --format=json --once
	expect_status 1
	expect_out '"syscall":"chdir".*"errno":"ENOTDIR".*"chosen_by":"next"'
	kill $loop

	test_that '--call N waits until there are as many kinds'
	loop
	run retsnoop why -p $loop --call 2 --once --format=json
	expect_status 1
	expect_out '"chosen_by":"asked".*"number":2,"count":1,"explained":true'
	kill $loop

	test_that '--cgroup waits for what is in the cgroup'
	mkdir -p /tmp/cgroups
	mount -t cgroup2 none /tmp/cgroups
	mkdir /tmp/cgroups/inside
	loop
	outside=$loop
	loop
	echo $loop >/tmp/cgroups/inside/cgroup.procs
	run retsnoop why --cgroup /tmp/cgroups/inside -x ENOTDIR
	expect_status 0
	expect_out '^chdir\(.* = -ENOTDIR +sh \(pid '$loop'\)$' '^path_lookupat returned -ENOTDIR$'
	kill $loop $outside

	test_that 'calls that fail alike in different ways are not mixed'
	cat >/tmp/two-ways <<'EOF'
while :; do
	cd /tmp/plain/inside 2>/dev/null
	cd /tmp/plain 2>/dev/null
	sleep 0.2
done
EOF
	sh /tmp/two-ways >/dev/null 2>&1 &
	two=$!
	run retsnoop why -p $two --syscall chdir -x ENOTDIR
	if [ "$status" -eq 0 ]; then
		expect_out '^(path_lookupat|link_path_walk[^ ]*) returned -ENOTDIR$'
	else
		expect_status 1
		expect_out 'not known: the calls that failed so did not all take the same way'
	fi
	kill $two

	test_that '-n picks among the children of a command'
	run retsnoop why -n single -x ENODEV -- sh -c '/tmp/single fs-mount-unknown; mkdir /proc'
	expect_status 0
	expect_out '^mount\(.* = -ENODEV +single' '^path_mount returned -ENODEV$'
	expect_no_out 'EEXIST'

	test_that 'a command whose failures say nothing of its exit status is said to be one'
	run retsnoop why -n single -- sh -c '/tmp/single ok-getppid; mkdir /proc'
	expect_status 1
	expect_out '^calls that failed \(--call N\):$'
	expect_no_out 'EEXIST'
	expect_err "^retsnoop: 'sh' exited with status 1, and none of these calls says why; --call N"
fi

test_that 'options that do not go together are usage errors'
run retsnoop why -p 1 -- true
expect_status 2
expect_err '-p cannot be combined with a command'
run retsnoop why -u nobody -n sh
expect_status 2
expect_err '-u needs a command to run'


test_that 'Ctrl-C ends the runs of a command, and what is known so far is shown'
: >"$T/second"
slow="if [ -e $T/first ]; then echo begun >$T/second; exec sleep 60; fi; touch $T/first; mkdir /tmp; exit 1"
note_command retsnoop why -- sh -c "$slow"
timeout -k 20 "$limit" retsnoop why -- sh -c "$slow" >"$T/out" 2>"$T/err" </dev/null &
pid=$!
wait_for 60 "$T/second" begun || problem 'there was no second run'
stop INT
expect_status 1
expect_out '^mkdir\(pathname="/tmp"' 'what decided that is not known: interrupted before all runs were made' '^2 runs, '

# interrupt_why SIGNAL SHELL-CODE: that signal, to retsnoop alone, while its command waits after that code.
interrupt_why()
{
	rm -f "$T/first" "$T/second"
	: >"$T/begun"
	ends="trap 'echo 130 >$T/ended; exit' INT; trap 'echo 143 >$T/ended; exit' TERM"
	command="$ends; mkdir /tmp; $2; echo begun >$T/begun; while :; do sleep 0.1; done"
	note_command retsnoop why -- sh -c "$command"
	retsnoop why -- sh -c "$command" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	wait_for 60 "$T/begun" begun || problem 'the command did not begin'
	stop "$1"
	expect_status 1
	expect_out '^mkdir\(pathname="/tmp"' 'what decided that is not known: interrupted before all runs were made'
	expect_no_err 'goes on\.$'
	# In the background of a script, SIGINT is ignored.
	expect 'the command was terminated' grep -qx 143 "$T/ended"
	rm -f "$T/ended"
}

test_that 'a signal to retsnoop alone ends its command, too'
interrupt_why INT :
interrupt_why TERM :
test_that 'in a later run, too'
interrupt_why INT "[ -e $T/first ] || { touch $T/first; exit 1; }"

# interrupt_first OPTION...: a command that goes on is interrupted in its first run.
interrupt_first()
{
	: >"$T/first"
	note_command retsnoop why "$@" -- sh -c "mkdir /tmp; echo begun >$T/first; exec sleep 60"
	timeout -k 20 "$limit" retsnoop why "$@" -- sh -c "mkdir /tmp; echo begun >$T/first; exec sleep 60" \
		>"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	wait_for 60 "$T/first" begun || problem 'the command did not begin'
	stop INT
	expect_err "^retsnoop: 'sh' was interrupted in its first run; -p or -n explains"
}

test_that 'Ctrl-C in the first run of a command that goes on shows what failed until then'
interrupt_first
expect_status 1
expect_out '^mkdir\(pathname="/tmp".* = -EEXIST ' 'not known: interrupted before all runs were made' '^1 run, '

test_that 'with --once, Ctrl-C ends the only run of a command, and what that tells is shown'
interrupt_first --once --syscall mkdir
# Where few functions are attached at a time, the only run shows the branch, too.
expect_status "$(grep -q 'is not known' "$T/out" && echo 1 || echo 0)"
expect_out '^mkdir\(pathname="/tmp".* = -EEXIST ' ' returned -EEXIST$' '^1 run, '
expect_no_out interrupted
