#!/bin/sh
# Points in between: what each kind shows and where in the trace, that they are silent outside of
# sessions, and which cannot be.
# changes the machine: whether kprobes are optimized; removes files in /tmp
. "${0%/*}/../lib.sh"

exec="-sn -S -e ${sys}_execve -a bprm_execve"
# behind what ftrace has at the beginning of functions
at=bprm_execve+$((inside))
workload='-- true'
# 5.10's BTF for arm64 has no static functions: their registers are shown. Its kretprobes set no pc there.
bprm='bprm = &\{\.' in_return=$in_pc task='\.stack=0xfff'
if is_kernel 5.10-arm64; then
	# Its task begins with a long thread_info.
	bprm='x0 = 0xfff' in_return=sp task='\.thread_info='
fi

# lines: the calls and points of a trace, indented, without what is behind them.
points()
{
	grep -E '^ *(→|←|↔|◎) ' "$1" | sed -E 's/^( *[^ ]+ [^ ]+).*/\1/'
}

# expect_points LINE...: just these, in that order, the nesting included.
expect_points()
{
	points "$T/out" >"$T/points"
	printf '%s\n' "$@" >"$T/wanted"
	expect 'these calls and points' diff "$T/wanted" "$T/points"
}

for rung in $(some_rungs); do
	test_that "--attach=$rung shows points of each kind where they are, with what they have"
	# shellcheck disable=SC2086
	run_unskipped env COLUMNS=1000 retsnoop trace --attach="$rung" $exec -J "kprobe:$at" \
		-J tp:sched:sched_process_exec -J rawtp:sched_process_exec -J kretprobe:begin_new_exec $workload
	expect_status 0
	expect_sessions 1
	expect_points "→ ${sys}_execve" '    → bprm_execve' "        ◎ kprobe:bprm_execve+$inside" \
		'        ◎ kretprobe:begin_new_exec' '        ◎ tp:sched:sched_process_exec' \
		'        ◎ rawtp:sched_process_exec' '    ← bprm_execve' "← ${sys}_execve"
	expect_out "◎ kprobe:.* regs=\{.*\.$in_argument=0xfff[0-9a-f]+.*\.$in_pc=0xfff[0-9a-f]+" \
		"◎ kretprobe:.* result=0 regs=\{.*\.$in_return=0xfff[0-9a-f]+" \
		'◎ tp:.* filename=/[a-z/]*true pid=[0-9]+ old_pid=[0-9]+$' \
		"◎ rawtp:.* p=&\{.*$task.* old_pid=[0-9]+ bprm=&\{.*\.p=$user_stack"
	# 0 is left out
	expect_no_out "◎ kretprobe:.*\.$in_result="
done

test_that "-e '*sys_execve' -a 'bprm_execve' -T -A -C args.fmt-mode=m -J 'kprobe:$at' -J 'tp:sched:sched_process_exec'"
run retsnoop -e '*sys_execve' -a bprm_execve -T -A -C args.fmt-mode=m -J kprobe:$at \
	-J tp:sched:sched_process_exec $workload
expect_status 0
expect_out "^→ ${sys}_execve" '^  › [a-z]+ = ' '^    → bprm_execve' "^      › $bprm" \
	"^        ◎ kprobe:bprm_execve\+$inside\$" '^          › regs = \{\.' \
	'^        ◎ tp:sched:sched_process_exec$' '^          › filename=.*/true pid=' '^    ← bprm_execve' \
	"^← ${sys}_execve"

if details_on 7.2; then
	test_that 'a kprobe that stays a breakpoint is seen like one that becomes a jump, without BTF too'
	optimize=/proc/sys/debug/kprobes-optimization
	: >"$T/empty"
	for types in yes no; do
		[ $types = yes ] || mount --bind "$T/empty" /sys/kernel/btf/vmlinux
		for to in 0 1; do
			[ ! -e $optimize ] || echo $to >$optimize
			# shellcheck disable=SC2086
			run retsnoop trace $exec -J kprobe:$at $workload
			expect_points "→ ${sys}_execve" '    → bprm_execve' "        ◎ kprobe:bprm_execve+$inside" \
				'    ← bprm_execve' "← ${sys}_execve"
		done
		[ $types = yes ] || umount /sys/kernel/btf/vmlinux
	done
fi

refused='kprobe:native_s*' others='tp:irq_vectors:irq_work_*'
[ "$(uname -m)" = x86_64 ] || refused='kprobe:fpsimd_*' others='tp:ipi:ipi_*'
test_that 'what the kernel refuses at last is left out of what globs select, and -v says so'
# shellcheck disable=SC2086
run retsnoop trace -v $exec -J "$refused" -J "$others" \
	-J tp:sched:sched_process_exec $workload
expect_status 0
expect_out '◎ tp:sched:sched_process_exec'
expect_err "^probe '${refused%\*}.*(is left out|cannot be used)"

if details_on 7.2; then
	test_that 'args.fmt-mode=v shows all registers and the fields of tracepoints'
	# shellcheck disable=SC2086
	run env COLUMNS=60 retsnoop trace $exec -C args.fmt-mode=v -J kprobe:$at -J tp:sched:sched_process_exec $workload
	expect_status 0
	case $(uname -m) in
	x86_64)	expect_out '› regs = \{$' '^ +\.r14 = [0-9a-fx]+,$' '^ +\.orig_ax = 0x[f]+,$' '^ +\.cs = 0x10,$' '^ +\.ss = [0-9a-fx]+,$' ;;
	*)	expect_out '› regs = \{$' "^ +\.$in_argument = 0xfff[0-9a-f]+,\$" "^ +\.$in_pc = $kernel_text[0-9a-f]+,\$" ;;
	esac
	expect_out "› filename = '/.*/true'$" '› pid = [0-9]+$' '› old_pid = [0-9]+$'
fi

# repeated LETTER TIMES
repeated() { printf "%$2s" '' | tr ' ' "$1"; }

if details_on 7.2; then
	test_that 'strings of tracepoints are shown as long as they are, and what is not kept is said'
	long=/tmp/$(repeated a 200)/$(repeated b 200)/$(repeated c 200)
	mkdir -p "$long" && cp /bin/busybox "$long/true"
	# shellcheck disable=SC2086
	run env COLUMNS=3000 retsnoop trace $exec -J tp:sched:sched_process_exec -- "$long/true"
	expect_status 0
	expect_out "◎ tp:sched:sched_process_exec +filename=$long/true pid=[0-9]+ old_pid=[0-9]+\$"
	# shellcheck disable=SC2086
	run env COLUMNS=3000 retsnoop trace $exec -C args.fmt-mode=v -J tp:sched:sched_process_exec -- "$long/true"
	expect_out "› filename = '$long/true'\$" '› pid = [0-9]+$'
	for i in 1 2 3 4 5 6 7 8; do
		long=$long/$(repeated $i 200)
	done
	mkdir -p "$long" && cp /bin/busybox "$long/true"
	# shellcheck disable=SC2086
	run env COLUMNS=3000 retsnoop trace $exec -C args.fmt-mode=v -J tp:sched:sched_process_exec -- "$long/true"
	expect_status 0
	expect_out "› filename = '/tmp/aaa.*7777'…\$" '› pid = [0-9]+$'
	expect_no_out '8888888888'
	rm -rf /tmp/aaa*
fi

if details_on 7.2; then
	test_that 'arrays of tracepoints are shown as they print themselves, and as fields'
	run env COLUMNS=1000 retsnoop probe tp:sock:inet_sock_set_state -sn -e __sys_connect -- simfail net-connect-refused
	expect_status 0
	expect_out '◎ tp:sock:inet_sock_set_state .*family=AF_INET protocol=IPPROTO_TCP .*saddr=127\.0\.0\.1 daddr=127\.0\.0\.1 saddrv6=::ffff:127\.0\.0\.1 .*newstate=TCP_SYN_SENT$' \
		'oldstate=TCP_SYN_SENT newstate=TCP_CLOSE$'
	run retsnoop probe tp:sock:inet_sock_set_state -sn -C args.fmt-mode=v -e __sys_connect -- simfail net-connect-refused
	expect_status 0
	expect_out '› family = 2$' '› saddr = \[127,0,0,1\]$' '› saddr_v6 = \[0,0,0,0,0,0,0,0,0,0,255,255,127,0,0,1\]$'
fi

if details_on 7.2; then
	test_that 'names in formats of tracepoints have their values, and numbers that are not in records are left out'
	run retsnoop probe -sn -S -e '*_sys_nanosleep' -e '*_sys_clock_nanosleep' tp:timer:hrtimer_start -- sleep 0.01
	expect_status 0
	expect_out '◎ tp:timer:hrtimer_start .* mode=REL( |$)'
	run env COLUMNS=1000 retsnoop probe -sn -S -e "${sys}_execve" tp:kmem:mm_page_alloc -- true
	expect_status 0
	expect_out '◎ tp:kmem:mm_page_alloc +page=\? pfn=(0x)?[0-9a-f]+ order=0 migratetype=[0-9] gfp_flags=GFP_[A-Z_|]+$'
fi

if details_on 7.2; then
	test_that 'raw tracepoints show what pointers lead to, as arguments of functions do'
	# shellcheck disable=SC2086
	run retsnoop trace $exec -C args.fmt-mode=m -J rawtp:sched_process_exec $workload
	expect_status 0
	expect_out '^        ◎ rawtp:sched_process_exec$' '^          › p = &\{.*…$' '^          › old_pid = [0-9]+$' \
		'^          › bprm = &\{\.'
	# shellcheck disable=SC2086
	run retsnoop trace $exec -C args.fmt-mode=v -J rawtp:sched_process_exec $workload
	expect_out '› p = &\(struct task_struct\)\{$' '^ +\.stack = \(void \*\)0xfff' '› old_pid = \(pid_t\)[0-9]+$' \
		'› bprm = &\(struct linux_binprm\)\{$'
	# shellcheck disable=SC2086
	run retsnoop trace $exec -C args.capture-raw-ptrs=true -C args.max-sized-arg-size=16 -J rawtp:sched_process_exec $workload
	expect_out '◎ rawtp:sched_process_exec.* p=\(0xfff[0-9a-f]+\)&\{.* old_pid=[0-9]+ bprm=\(0xfff[0-9a-f]+\)&\{'
	# shellcheck disable=SC2086
	run retsnoop trace $exec --format=json -J rawtp:sched_process_exec -J kretprobe:begin_new_exec $workload
	expect_out '"probe":"kretprobe:begin_new_exec","args":\{"result":"0","regs":"\{.*"probe":"rawtp:sched_process_exec","args":\{"p":"&\{.*","old_pid":"[0-9]+","bprm":"&\{'
fi

test_that 'a kretprobe has the result by its type'
run env COLUMNS=1000 retsnoop probe kretprobe:filename_create -sn -e $sys_mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_out "◎ kretprobe:filename_create +result=-EEXIST regs=\{.*\.$in_result=0xffffffffffffffef"

test_that 'points that tracing itself passes leave the trace as it is'
# Strings that are not in memory yet make page faults where they are read; an exec has some.
busy='-J rawtp:kmem_cache_*'
[ "$(uname -m)" != x86_64 ] || busy="$busy -J rawtp:page_fault_kernel"
! since 6.12 || busy="$busy -J rawtp:contention_*"
for rung in $(some_rungs); do
	# shellcheck disable=SC2086
	run_unskipped env COLUMNS=1000 retsnoop trace -A --attach="$rung" $exec $busy $workload
	expect_status 0
	expect_out "^→ ${sys}_execve .*filename=\"/.*true\"" '^    → bprm_execve' '^    ← bprm_execve' "^← ${sys}_execve"
	expect_no_out 'lost here' 'not seen'
done

if details_on 7.2; then
	test_that 'points at the edges of an entry function are warned of'
	run retsnoop probe kprobe:${sys}_execve kretprobe:${sys}_execve -sn -S -e ${sys}_execve -- true
	expect_status 0
	expect_err "warning: kprobe:${sys}_execve is passed before that entry function's session begins" 'so is 1 more'
	expect_no_out '◎'

	test_that 'a kprobe at the beginning of a function and its return frame the call'
	# shellcheck disable=SC2086
	run retsnoop trace $exec -J kprobe:begin_new_exec -J kretprobe:begin_new_exec $workload
	expect_status 0
	expect_points "→ ${sys}_execve" '    → bprm_execve' '        ◎ kprobe:begin_new_exec' \
		'        ◎ kretprobe:begin_new_exec' '    ← bprm_execve' "← ${sys}_execve"

	test_that 'a glob selects tracepoints; only those inside of sessions are shown'
	# shellcheck disable=SC2086
	run retsnoop trace $exec -J 'tp:sched:sched_process_*' $workload
	expect_status 0
	expect_out '◎ tp:sched:sched_process_exec .*filename=.*/true'
	# The workload exits after it.
	expect_no_out '◎ tp:sched:sched_process_(fork|exit)'

	test_that 'points outside of sessions show nothing, and send nothing'
	run retsnoop trace -sn -v -e path_mount -J tp:sched:sched_process_exec -J kprobe:begin_new_exec $workload
	expect_status 1
	expect_out_empty
	expect_err 'ring buffer: 0 records, 0 bytes'
fi

details_on 6.1 || exit 0

test_that 'points of sessions that do not pass show nothing'
run retsnoop trace -sn -Sn -v -e ${sys}_execve -J tp:sched:sched_process_exec $workload
expect_err 'ring buffer: 0 records, 0 bytes'
expect_out_empty

test_that '-J @FILE has a point a line'
printf '%s\n' '# of an exec' "kprobe:$at" '' 'tp:sched:sched_process_exec' >"$T/list"
# shellcheck disable=SC2086
run retsnoop trace $exec -J "@$T/list" $workload
expect_status 0
expect_points "→ ${sys}_execve" '    → bprm_execve' "        ◎ kprobe:bprm_execve+$inside" \
	'        ◎ tp:sched:sched_process_exec' '    ← bprm_execve' "← ${sys}_execve"

# wrong STATUS POINT PATTERN: is refused, with such a message and no other.
wrong()
{
	run retsnoop trace -sn -e $mkdir -J "$2" -- true
	expect_status "$1"
	expect_out_empty
	expect_err "^retsnoop: .*$3"
	expect_err_lines 1
}

test_that 'an offset inside of an instruction is refused, with those next to it'
wrong 2 kprobe:bprm_execve+1 "\+0x1 is in the middle of an instruction of bprm_execve; .*bprm_execve(\+0x0)? and bprm_execve\+$second"
wrong 2 kprobe:bprm_execve+99999 '\+0x1869f is outside of bprm_execve, which has 0x[0-9a-f]+ bytes'
wrong 2 kretprobe:bprm_execve+5 'a return has no offset at column 22'

test_that 'functions that there are not, or that cannot be probed, are refused'
wrong 3 kprobe:bprm_execv "no function is named 'bprm_execv'; did you mean 'bprm_execve'"
wrong 3 kretprobe:bprm_execv "no function is named 'bprm_execv'; did you mean 'bprm_execve'"
wrong 3 kprobe:$unprobed "$unprobed cannot be probed: it is on the kernel's kprobe blacklist"

test_that 'tracepoints that there are not are refused, with the nearest'
wrong 3 tp:sched:sched_process_exc "no tracepoint 'sched_process_exc' in category 'sched'; did you mean 'sched_process_exec'"
wrong 3 tp:shed:sched_process_exec "not in category 'shed'; did you mean 'tp:sched:sched_process_exec'"
wrong 3 'tp:sched:nosuch*' "no tracepoint 'nosuch\\*' in category 'sched'"
wrong 3 rawtp:sched_process_exc "no raw tracepoint is named 'sched_process_exc'; did you mean 'sched_process_exec'"

test_that 'points that are written wrongly are refused, with the column'
wrong 2 foo:bar "unknown kind 'foo' at column 1.*kprobe:FUNC"
wrong 2 tp:sched 'the name is missing at column 9'

test_that 'a list of points that is not there is named'
wrong 3 @/no/such/list 'cannot read the list of points /no/such/list: No such file'

test_that 'without tracefs, tracepoints are refused and all else works'
# In a mount namespace of its own, where nothing is there to be seen.
cat >"$T/hidden" <<END
mount --make-rprivate / && umount -l /sys/kernel/debug/tracing 2>/dev/null
umount -l /sys/kernel/tracing 2>/dev/null; umount -l /sys/kernel/debug 2>/dev/null
[ ! -e /sys/kernel/tracing/events ] && [ ! -e /sys/kernel/debug/tracing/events ] || exit 77
COLUMNS=400 retsnoop trace $exec -A -J kprobe:$at $workload || exit 78
exec retsnoop trace $exec -J tp:sched:sched_process_exec $workload
END
run unshare -m sh "$T/hidden"
if [ $status -eq 77 ] || [ $status -eq 127 ]; then
	skip 'tracefs cannot be hidden here'
elif is_kernel 5.10-arm64; then
	# The functions in BTF are taken for traceable: bprm_execve, a static one, is not.
	expect_status 78
	expect_err 'tracefs is not mounted.*mount -t tracefs'
else
	expect_status 3
	expect_out "→ ${sys}_execve" '→ bprm_execve .*bprm=&' "◎ kprobe:bprm_execve\+$inside"
	expect_err 'tracefs is not mounted.*mount -t tracefs'
fi

vmlinux=/usr/lib/debug/boot/vmlinux-$(uname -r)
if [ ! -e "$vmlinux" ]; then
	test_that 'line:FILE:LINE wants debug info'
	wrong 3 line:fs/exec.c:1 "lines need the kernel's debug info; leave out -s none, or give a vmlinux with -k"
	exit 0
fi

limit=300
test_that 'line:FILE:LINE is where the debug info has that line, in inlined copies, too'
# begin_new_exec's own line, which its beginning has
address=$(awk '$3 == "begin_new_exec" { print $1 }' /proc/kallsyms)
own_line=$(retsnoop symbolize "0x$address" 2>/dev/null | sed -nE 's/.*fs\/exec.c:([0-9]+).*/\1/p' | head -n 1)
# shellcheck disable=SC2086
run retsnoop trace -S -e ${sys}_execve -a bprm_execve -J "line:fs/exec.c:$own_line" $workload
expect_status 0
expect_out '^ *→ bprm_execve' "^ *◎ line:fs/exec.c:$own_line" '^ *← bprm_execve'

# symbolize shows which lines of headers are inlined into a function; all of them together are passed.
offset=0
while [ $offset -lt 250 ]; do
	echo "filename_create+$offset"
	offset=$((offset + 1))
done >"$T/offsets"
# shellcheck disable=SC2046
retsnoop symbolize $(cat "$T/offsets") 2>/dev/null |
	sed -nE 's/.*\((include\/linux\/[a-z_\/]+\.h:[0-9]+).*/line:\1/p' | sort -u | head -n 6 >"$T/lines"
expect 'something inlined into filename_create' test -s "$T/lines"
# shellcheck disable=SC2046
run retsnoop probe --list $(cat "$T/lines")
expect_status 0
expect_out "^kprobe:filename_create\\+0x[0-9a-f]+ +# 0xffffffff[0-9a-f]+ line:include/linux/"
expect 'the same lines are in other functions, too' test "$(sed 's/+.*//' "$T/out" | sort -u | wc -l)" -gt 1
grep '^kprobe:filename_create+' "$T/out" >"$T/list"
run retsnoop probe "@$T/list" -e do_mkdirat -a filename_create -- mkdir /tmp
expect_status 0
expect_out '^→ do_mkdirat' '^ *→ filename_create' '^ *◎ kprobe:filename_create\+0x' '^ *← filename_create' '^← do_mkdirat'

# wrong_line LINE PATTERN: as "wrong", with debug info.
wrong_line()
{
	run retsnoop probe "line:$1" -e $mkdir -- true
	expect_status 3
	expect_out_empty
	expect_err "^retsnoop: probe 'line:$1': $2"
	expect_err_lines 1
}

test_that 'lines and files that there are not are refused'
wrong_line fs/exec.c:999999 'that line has no code; the nearest that has is line:fs/exec.c:[0-9]+$'
wrong_line fs/exek.c:10 "no source file 'fs/exek.c' is in the debug info; did you mean 'fs/exec.c'"
wrong_line exec.c:10 "no source file 'exec.c' is in the debug info; did you mean 'fs/exec.c'"
run retsnoop probe --why "line:fs/exec.c:$own_line" --format=json
expect_status 0
expect_out "^\\{\"type\":\"point_why\",\"point\":\"line:fs/exec.c:$own_line\",\"places\":[1-9]"
