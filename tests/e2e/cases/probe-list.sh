#!/bin/sh
# Which points there are: lists of each kind with what a point brings, in text and as JSON, why one
# cannot be used, and what is asked in the wrong way.
. "${0%/*}/../lib.sh"

# behind what ftrace has at the beginning of functions
inside_exec=bprm_execve+$((inside))

test_that 'tracepoints are listed with their fields, by name, category, or both'
run retsnoop probe --list 'sched:sched_process_*'
expect_status 0
expect_err_lines 0
expect_out '^tp:sched:sched_process_exec +# __data_loc char\[\] filename, pid_t pid, pid_t old_pid$' \
	'^tp:sched:sched_process_fork +# .*parent_comm.*, pid_t parent_pid, .*pid_t child_pid$'
run retsnoop probe --list inet_sock_set_state
expect_status 0
expect_out '^tp:sock:inet_sock_set_state +# const void \*skaddr, int oldstate, .*__u8 saddr\[4\], ' \
	'^rawtp:inet_sock_set_state +# const struct sock \*sk, (const )?int oldstate, (const )?int newstate$'
run retsnoop probe --list sched
expect_status 0
expect_out '^tp:sched:sched_switch  '
expect_no_out '^tp:(sock|irq):' '^(kprobe|line)'

test_that 'raw tracepoints are listed with what they are passed'
run retsnoop probe --list 'rawtp:sched_process_*'
expect_status 0
expect_out '^rawtp:sched_process_exec +# struct task_struct \*p, pid_t old_pid, struct linux_binprm \*bprm$'
expect_no_out '^tp:'

test_that 'functions are listed with their declarations and addresses'
run retsnoop probe --list 'kprobe:bprm_exe*' kretprobe:bprm_execve kprobe:$inside_exec
expect_status 0
declared=' int bprm_execve\(struct linux_binprm \*bprm'
# Its BTF has no static functions.
! is_kernel 5.10-arm64 || declared='$'
expect_out "^kprobe:bprm_execve +# $kernel_text[0-9a-f]+$declared" "^kretprobe:bprm_execve +# $kernel_text[0-9a-f]+$declared" \
	"^kprobe:bprm_execve\+$inside +# $kernel_text[0-9a-f]+\$"

test_that 'all of it is a long list, each line a point and a comment, in a second or two'
run retsnoop probe --list
expect_status 0
expect 'more than 1,000 points' test "$(grep -c '^tp:' "$T/out")" -gt 500
expect 'a point a line' test "$(grep -c -v -E '^(tp:[a-z0-9_]+:|rawtp:)[A-Za-z0-9_]+( +# .+)?$' "$T/out")" -eq 0

details_on 7.2 || exit 0

test_that 'a list is a file of points'
retsnoop probe --list 'sched:sched_process_*' >"$T/list"
run retsnoop probe "@$T/list" -sn -S -e ${sys}_execve -- true
expect_status 0
expect_out '◎ tp:sched:sched_process_exec .*filename=.*/true'
run_sh "retsnoop probe --list 'rawtp:sched_process_exec' | retsnoop probe @- -sn -S -e ${sys}_execve -- true"
expect_status 0
expect_out '◎ rawtp:sched_process_exec .*old_pid='

test_that 'JSON has an object a line, with types'
run retsnoop probe --list --format=json sched_process_exec kprobe:bprm_execve
expect_status 0
expect_out '^\{"type":"point","point":"tp:sched:sched_process_exec","kind":"tp","name":"sched_process_exec","category":"sched","id":[0-9]+,"fields":\[\{"name":"filename","type":"__data_loc char\[\]","offset":8,"size":4,"signed":(true|false)\},' \
	'^\{"type":"point","point":"rawtp:sched_process_exec","kind":"rawtp",.*"module":null,"arguments":"struct task_struct \*p, ' \
	'^\{"type":"point","point":"kprobe:bprm_execve","kind":"kprobe","name":"bprm_execve","module":null,"line":null,"addr":"'"$kernel_text"'[0-9a-f]+","offset":0,"prototype":"int bprm_execve\('

test_that 'what there is not is no list'
run retsnoop probe --list sched_swich
expect_status 1
expect_out_empty
expect_err "^retsnoop: no tracepoint matches 'sched_swich'; did you mean 'sched_switch'\\?$"
run retsnoop probe --list tp:sched:sched_swich
expect_status 1
expect_err "did you mean 'sched_switch'"
run retsnoop probe --list 'zzyzx*'
expect_status 1
expect_err "no tracepoint matches 'zzyzx\\*'; functions are listed with 'kprobe:zzyzx\\*'"

test_that '--why says of each point what it is good for'
run retsnoop probe --why kprobe:$inside_exec kprobe:bprm_execve+1 kprobe:$unprobed kprobe:bprm_execv \
	tp:sched:sched_swich 'kprobe:*mkdir*' rawtp:sched_switch
expect_status 1
expect_out "^kprobe:bprm_execve\+$((inside)) can be used: 1 place\.\$" \
	'^kprobe:bprm_execve\+1 cannot be used: \+0x1 is in the middle of an instruction of bprm_execve; the nearest that begin are bprm_execve\+0x0 and bprm_execve\+0x[45]\.$' \
	"^kprobe:$unprobed cannot be used: $unprobed cannot be probed: it is on the kernel's kprobe blacklist\\.$" \
	"^kprobe:bprm_execv cannot be used: no function is named 'bprm_execv'; did you mean 'bprm_execve'\\?$" \
	"^tp:sched:sched_swich cannot be used: no tracepoint 'sched_swich' in category 'sched'; did you mean 'sched_switch'\\?$" \
	'^kprobe:\*mkdir\* can be used: [0-9]+ places\.$' \
	'^rawtp:sched_switch can be used: 1 place\.$'
run retsnoop probe --why kprobe:bprm_execve
expect_status 0
run retsnoop probe --why --format=json kprobe:bprm_execve kprobe:$unprobed
expect_status 1
expect_out '^\{"type":"point_why","point":"kprobe:bprm_execve","places":1,"why":null\}$' \
	"^\{\"type\":\"point_why\",\"point\":\"kprobe:$unprobed\",\"places\":0,\"why\":\"$unprobed cannot be probed: .*blacklist\"\}\$"

# wrong STATUS PATTERN ARG...: says so, in one line, and nothing else.
wrong()
{
	status_wanted=$1 pattern=$2
	shift 2
	run retsnoop probe "$@"
	expect_status "$status_wanted"
	expect_out_empty
	expect_err "^retsnoop: .*$pattern"
	expect_err_lines 1
}

test_that 'what is asked in the wrong way is pointed at'
wrong 2 "no points given; for example tp:sched:sched_process_exec, or 'retsnoop probe --list'" -e $mkdir
wrong 2 'no entry functions given' tp:sched:sched_switch
wrong 2 "unknown kind 'krpobe' at column 1 of 'krpobe:x'; did you mean 'kprobe'" krpobe:x -e $mkdir
wrong 2 'write tp:sched:sched_switch for a tracepoint' sched:sched_switch -e $mkdir
wrong 2 'the name is missing at column 9 .*tp:sched:\* for a whole category' tp:sched -e $mkdir
wrong 2 'the line is missing at column 16' line:fs/namei.c -e $mkdir
wrong 3 "selects [0-9]+ points; more than 1024 in all would take too long to attach" 'kprobe:*' -e $mkdir
wrong 3 "no function matches 'zzyzx\\*'" 'kprobe:zzyzx*' -e $mkdir
wrong 2 '--list or --why, not both' --list --why sched
wrong 2 '--why needs a point' --why

test_that 'a list with nothing in it is told of'
echo '# nothing' >"$T/none"
run retsnoop probe "@$T/none" -sn -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_err "^retsnoop: warning: the list of points $T/none has none"
printf 'tp:sched:sched_switch\nkprobr:x\n' >"$T/bad"
run retsnoop probe "@$T/bad" -e $mkdir -- true
expect_status 2
expect_err "unknown kind 'kprobr'" "(from $T/bad, line 2)"
