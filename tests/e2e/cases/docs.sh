#!/bin/sh
# The command lines of the documentation. Where the kernel has single probes only, and a thousand
# functions would take minutes, nothing is attached: --dry-run.
. "${0%/*}/../lib.sh"

details_on 7.2 || exit 0

dry=
! is_kernel 5.10 6.1 || dry='-v --dry-run'

# shown_or_dry PATTERN...: on standard output, if something was attached at all.
shown_or_dry()
{
	if [ -n "$dry" ]; then
		expect_status 0
		expect_err "Attached \(dry run\) to function #[0-9]+ .${sys}_bpf." \
			'Total [0-9][0-9]+ kernel functions'
		expect_out "^${sys}_bpf$"
		expect_no_out TID/PID
	else
		expect_status 0
		expect_out "$@"
	fi
}

test_that "retsnoop -v --dry-run -e '*sys_bpf'"
run retsnoop -v --dry-run -e '*sys_bpf'
expect_status 0
expect_out "^${sys}_bpf$"
expect_err "^Attached \(dry run\) to function #1 '[a-z0-9_]*sys_bpf'\."
expect_err "'${sys}_bpf'"

test_that "retsnoop -e '*_sys_bpf' -a '*bpf*' -d 'migrate*' -d 'rcu*'"
# shellcheck disable=SC2086
run retsnoop $dry -e '*_sys_bpf' -a '*bpf*' -d 'migrate*' -d 'rcu*' -- simfail bpf-bad-map-type
shown_or_dry '\(simfail/simfail\)' "\[-EINVAL\] +${sys}_bpf"

test_that 'retsnoop -c bpf -- ./my_app arg1 arg2'
# shellcheck disable=SC2086
run retsnoop $dry -c bpf -- simfail bpf-bad-map-val-size-percpu-array bpf-simple-obj
expect_no_err 'matches no function'
shown_or_dry "\[-E2BIG\] +${sys}_bpf" '\[-E2BIG\] +array_map_alloc_check'

test_that 'retsnoop -c perf'
if is_kernel 5.10; then
	run retsnoop --dry-run -c perf
	expect_status 1
	expect_err 'none of the entry functions can be traced'
elif [ -n "$dry" ]; then
	run retsnoop -v --dry-run -c perf
	expect_status 0
	expect_err "dry run\) to function #[0-9]+ '${sys}_perf_event_open'"
else
	run retsnoop -c perf -- simfail perf-bad-event
	expect_status 0
	expect_out "\[-ENOENT\] +${sys}_perf_event_open" '\[-ENOENT\] +(hw_breakpoint_event_init|perf_swevent_init)'
fi

# expect_trace LINE...: a trace of these, in this order, with nothing in between.
expect_trace()
{
	expectations=$((expectations + 1))
	for line; do
		echo "$line"
	done >"$T/expected"
	sed -nE -e 's/^ *(→|←|↔) +([^ ]+)( +(\[.*\]) .*)?$/\1 \2 \4/p' -e 's/^ *(‼ .*)/\1/p' "$T/out" |
		sed 's/ $//' >"$T/trace"
	cmp -s "$T/expected" "$T/trace" || problem "expected the trace
$(cat "$T/expected")
got
$(cat "$T/trace")"
}

map_alloc="retsnoop trace -e '*_sys_bpf' -a '*map_alloc*' -a map_create"
test_that "$map_alloc -- simfail bpf-bad-map-val-size-percpu-array"
for form in trace -T 'trace -E'; do
	# shellcheck disable=SC2086
	run retsnoop $form -e '*_sys_bpf' -a '*map_alloc*' -a map_create \
		-- simfail bpf-bad-map-val-size-percpu-array
	expect_status 0
	expect_out '^FUNCTION CALLS +RESULT +DURATION$' "^→ ${sys}_bpf$" \
		'^ +↔ array_map_alloc_check +\[-E2BIG\] +[0-9.]+[mu]?s$' \
		"^← ${sys}_bpf +\[-E2BIG\] +[0-9.]+[mu]?s$"
	if [ "$form" = 'trace -E' ]; then
		expect_out '^! +[0-9.]+[mu]?s \[-E2BIG\] +array_map_alloc_check$'
	else
		expect_no_out '[0-9][mu]?s \[-E2BIG\]'
	fi
done

test_that "$map_alloc --summary -- simfail -n 50 bpf-bad-map-type bpf-array-max-entries-0"
run retsnoop trace --summary -e '*_sys_bpf' -a '*map_alloc*' -a map_create \
	-- simfail -n 50 bpf-bad-map-type bpf-array-max-entries-0
expect_status 0
expect_out '^ENTRY FUNCTION +RESULT +COUNT +TOTAL +MEAN +P50 +P95 +P99 +MAX$' \
	"^${sys}_bpf +\[-EINVAL\] +100 " "^${sys}_bpf \[-EINVAL\]:$" \
	'^\[.*, .*\) +[0-9]+ \|@+ *\|$' '^PRODUCER +RETURNED +CAME OUT AS +COUNT +SHARE$' \
	'^array_map_alloc_check +\[-EINVAL\] +\[-EINVAL\] +50 +50\.0%$'
expect_err '^retsnoop: 100 calls counted'

test_that 'retsnoop trace --interval=1 --duration=3 -Sn'
# Before tracing begins, and after it has.
run_sh "(until [ -e $T/done ]; do sleep 0.2; mkdir /proc 2>/dev/null; done) &
	retsnoop trace --interval=1 --duration=3 -Sn -e $mkdir -a filename_create; s=\$?; : >$T/done; wait; exit \$s"
expect_status 0
expect 'a summary a second' [ "$(grep -cE ' -> .*, ([0-9]+|no) calls?' "$T/out")" -ge 3 ]

test_that 'retsnoop trace -Sn --max-depth=3 marks what is deeper'
if is_kernel 6.12; then
	run retsnoop trace -Sn --max-depth=3 -e do_epoll_ctl -a 'ep_loop*' -- simfail deep-epoll-loop
	expect_status 0
	expect_trace '→ do_epoll_ctl' '→ ep_loop_check_proc' '→ ep_loop_check_proc' \
		'‼ 2 calls nested deeper than 3 not kept' \
		'← ep_loop_check_proc [7]' '← ep_loop_check_proc [8]' '← do_epoll_ctl [-ELOOP]'
	expect_err '^ +5 calls were nested deeper than 3 and not kept; try --max-depth=256$'
else
	skip 'other functions there'
fi

test_that 'retsnoop trace -Sn -I shows a trace in which an error was handled'
run retsnoop trace -Sn -I -e bprm_execve -a load_script -a load_elf_binary \
	-- /bin/sh -c "$(command -v simfail) ok-getppid; :"
expect_status 0
expect_out '^    ↔ load_script +\[-ENOEXEC\]' '^    ↔ load_elf_binary +\[0\]' '^← bprm_execve +\[0\]'
expect_no_out interim

test_that 'retsnoop trace --dry-run -v says in words what a session has to meet'
run retsnoop trace --dry-run -v -e $mkdir -a filename_create --longer=2ms --uid=1000 \
	--return=-EEXIST,-ENOENT
expect_status 0
expect_err '^  the entry call returns, failed or not$' '^  its result is: -EEXIST,-ENOENT$' \
	'^  it takes at least 2ms$' '^  the user id is 1000$' \
	'^Interrupts belong to no process: their calls are not shown\.$'

test_that 'retsnoop trace refuses conditions that nothing can meet'
run retsnoop trace -e $mkdir -x EEXIST --return '>=0'
expect_status 2
expect_err "^retsnoop: -x needs failed calls; with --return '>=0' no call fails$"

test_that 'retsnoop trace --longer, --fn-longer and --return'
run retsnoop trace -e '*clock_nanosleep' --longer=900ms --return 0 -- simfail syscall-long-sleep
expect_status 0
expect_out 'clock_nanosleep +\[0\] +1\.[0-9]{2}s$'
run retsnoop trace -e '*_sys_mount' -a path_mount -a get_fs_type --fn-longer=500us \
	-- simfail fs-mount-unknown
expect_status 0
expect_trace "→ ${sys}_mount" '→ path_mount' '↔ get_fs_type [NULL]' '← path_mount [-ENODEV]' \
	"← ${sys}_mount [-ENODEV]"

test_that "retsnoop trace -Sn -e '*_sys_getppid' --error-if '*_sys_getppid: ret > 0'"
run retsnoop trace -Sn -e '*_sys_getppid' --error-if '*_sys_getppid: ret > 0' -- simfail ok-getppid
expect_status 0
expect_out "^↔ ${sys}_getppid +\[[0-9]+\] "

test_that 'retsnoop trace --cgroup'
if mkdir -p /sys/fs/cgroup/web 2>/dev/null && [ -w /sys/fs/cgroup/web/cgroup.procs ]; then
	sh -c 'echo $$ >/sys/fs/cgroup/web/cgroup.procs; while :; do mkdir /proc 2>/dev/null; done' &
	web=$!
	run retsnoop trace -Sn -e $mkdir -a filename_create --cgroup=/web --max-sessions=1
	kill $web
	wait $web 2>/dev/null
	rmdir /sys/fs/cgroup/web 2>/dev/null
	expect_status 0
	expect_sessions 1
	expect_out '\(mkdir/mkdir\)' "^← $mkdir +\[-EEXIST\]"
else
	skip 'no cgroup2 to make groups in'
fi

test_that 'retsnoop trace --stats says how a run is going'
run_sh "retsnoop trace --stats=1 --duration=2.5 --max-depth=1 -x EEXIST -e $mkdir -a filename_create \
	-- sh -c 'i=0; while [ \$i -lt 400 ]; do mkdir /proc 2>/dev/null; i=\$((i + 1)); done; sleep 5' >/dev/null"
expect_status 0
expect_err '^retsnoop: after 1(\.[0-9])?s: [0-9]+ sessions? shown' 'goes on\.$' \
	'^ +[0-9]+ calls? (was|were) nested deeper than 1 and not kept; try --max-depth=256$'
expect_err '^retsnoop: warning: [0-9]+ calls? (was|were) nested deeper than 1'

test_that 'retsnoop trace --format=json'
run retsnoop trace -q --format=json -e '*_sys_mount' -a get_fs_type -- simfail fs-mount-unknown
expect_status 0
expect_out "^\{\"type\":\"session\",.*\"calls\":\[\{\"kind\":\"call\",\"depth\":0,\"time_ns\":[0-9]+,\"function\":\"${sys}_mount\","
expect_out '\{"kind":"leaf","depth":1,[^{]*"function":"get_fs_type","module":null,"duration_ns":[0-9]+,"failed":true,"result":"0x0","errno":"NULL"\}'

test_that 'retsnoop args shows arguments, and --args picks some'
run retsnoop args -e $mkdir -a filename_create -- simfail fs-mkdir-exists
expect_status 0
expect_out '^FUNCTION CALLS +RESULT +DURATION +CONTEXT$' "^→ $mkdir +dfd=-100 (path)?name=.* mode=0700$" \
	'^    ↔ filename_create +\[-EEXIST\] +[0-9.]+[mu]?s +dfd=-100 name=&\{'
run retsnoop args -C args.fmt-mode=m --args 'map_create: attr->map_type, attr->value_size' \
	--args '__sys_bpf: cmd, size' -e __sys_bpf -a map_create \
	-- simfail bpf-bad-map-val-size-percpu-array
if is_kernel 5.10; then
	skip 'no __sys_bpf there'
else
	expect_status 0
	command=BPF_MAP_CREATE
	! is_kernel 6.1 || command=0	# an int there
	expect_out "^  › cmd = $command\$" '^  › size = [0-9]+$' '^      › attr->map_type = 6$' \
		'^      › attr->value_size = 0x80000000$'
	expect_no_out '› uattr' '› attr = '
fi

test_that 'retsnoop args -C args.fmt-mode=v has a line for each member'
run retsnoop trace -C args.fmt-mode=v -e do_sys_openat2 --args 'do_sys_openat2: filename, how' \
	-- simfail fs-open-missing
expect_status 0
expect_out '^  › filename = "/simfail-there-is-no-such-file"$' '^  › how = &\(struct open_how\)\{$' \
	"^        \.flags = \(__u64\)$(printf 0x%x $((0x80000 | o_largefile))),\$"

test_that "retsnoop trace --args 'path_openat: nd->name->name, op->open_flag'"
run retsnoop trace --args 'path_openat: nd->name->name, op->open_flag' -e path_openat \
	-- simfail fs-open-missing
expect_status 0
expect_out "^↔ path_openat +\[-ENOENT\] .* nd->name->name=\"/simfail-there-is-no-such-file\" op->open_flag=$((o_largefile))\$"

test_that 'retsnoop trace --args says where a mistake is'
run retsnoop trace --args 'array_map_alloc_check: attr->map_typ' -e '*_sys_bpf' -a array_map_alloc_check -- true
expect_status 2
expect_no_out .
expect_err "has no member 'map_typ' at column 30 of .*; did you mean 'map_type'\?$"

test_that "retsnoop -e '*_sys_kill' -a cap_capable -T -x EPERM -A -C args.fmt-mode=m"
run retsnoop -e '*_sys_kill' -a cap_capable -T -x EPERM -A -C args.fmt-mode=m -- simfail cap-kill
expect_status 0
expect_out '^ +↔ cap_capable +\[-EPERM\] +[0-9.]+[mu]?s$' '^      › cred = &\{.*\.uid=\{\.val=65534\}' \
	'^      › cap = 5$'

# tracefs, where nobody has mounted it.
[ -d /sys/kernel/tracing/events ] || mount -t tracefs none /sys/kernel/tracing

test_that 'retsnoop trace -J shows tracepoints in the trace'
run retsnoop trace -J 'tp:tcp:*' -J tp:sock:inet_sock_set_state -e __sys_connect \
	-- simfail net-connect-refused
expect_status 0
expect_out '^→ __sys_connect$' \
	'^    ◎ tp:sock:inet_sock_set_state +family=AF_INET .* oldstate=TCP_CLOSE newstate=TCP_SYN_SENT$' \
	'^← __sys_connect +\[-ECONNREFUSED\]'
run retsnoop trace -C args.fmt-mode=m -J tp:sched:sched_process_exec \
	-J rawtp:sched_process_exec -e bprm_execve -- simfail ok-getppid
expect_status 0
expect_out '^    ◎ tp:sched:sched_process_exec$' \
	'^      › filename=.*/simfail pid=([0-9]+) old_pid=\1$' '^      › old_pid = [0-9]+$'
run retsnoop trace -C args.fmt-mode=v -J tp:sched:sched_switch -e '*clock_nanosleep' \
	-- simfail syscall-long-sleep
expect_status 0
expect_out "^      › prev_comm = 'simfail'$" '^      › prev_state = 1$'

test_that 'retsnoop trace -J shows the registers of functions and returns'
run retsnoop trace -C args.fmt-mode=m -J kretprobe:filename_create -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_out '^    ◎ kretprobe:filename_create$' "^      › regs = \{.*\.$in_result=0xffffffffffffffef,.*\.$in_pc=0x"

test_that 'retsnoop trace -J refuses what is no instruction'
run retsnoop trace -J kprobe:filename_create+1 -e $mkdir -- true
expect_no_out .
expect_err '\+0x1 is in the middle of an instruction of filename_create'

test_that "retsnoop args --where 'do_sys_openat2: filename ~ \"/simfail*\"'"
run retsnoop args -C args.fmt-mode=m --where 'do_sys_openat2: filename ~ "/simfail*"' -e do_sys_openat2 \
	-- simfail fs-open-missing
expect_status 0
expect_sessions 1
expect_out '^  › filename = "/simfail-there-is-no-such-file"$'

test_that "retsnoop trace --where 'array_map_alloc_check: attr->map_type == 6'"
run retsnoop trace --where 'array_map_alloc_check: attr->map_type == 6' \
	--args 'array_map_alloc_check: attr->map_type' -e '*_sys_bpf' -a array_map_alloc_check \
	-- simfail bpf-bad-map-type bpf-array-max-entries-0 bpf-bad-map-val-size-percpu-array
expect_status 0
expect_sessions 1
expect_out 'attr->map_type=6$'

test_that 'retsnoop probe'
run retsnoop probe tp:sched:sched_switch -C args.fmt-mode=v -e '*clock_nanosleep' \
	-- simfail syscall-long-sleep
expect_status 0
expect_out '^    ◎ tp:sched:sched_switch$' "^      › prev_comm = 'simfail'$"
run retsnoop probe -q --format=json tp:sched:sched_process_exec -e bprm_execve -- simfail ok-getppid
expect_status 0
expect_out '\{"kind":"probe","depth":1,"time_ns":[0-9]+,"probe":"tp:sched:sched_process_exec","args":\{"filename":"'

test_that 'retsnoop probe --list and --why'
run retsnoop probe --list 'tp:syscalls:sys_enter_openat*' 'kprobe:filename_c*'
expect_status 0
expect_out '^tp:syscalls:sys_enter_openat2? +# .*int dfd, const char \*filename,' "^kprobe:filename_create +# $kernel_text"
run retsnoop probe --why tp:sched:sched_swich
expect_status 1
expect_out "^tp:sched:sched_swich cannot be used: .*did you mean 'sched_switch'\?$"
