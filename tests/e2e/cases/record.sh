#!/bin/sh
# Recordings: what is recorded is shown as it would have been live, to the byte; whatever ended the
# run, and wherever there was no room.
. "${0%/*}/../lib.sh"
. "${0%/*}/../record-lib.sh"

bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
cd "$T" || exit 3
calls='simfail fs-mkdir-exists bpf-bad-map-val-size-percpu-array bpf-bad-map-type'
funcs="-e $mkdir -a filename_create -e $bpf -a map_create -a array_map_alloc_check"

for rung in $(some_rungs); do
	test_that "stacks of --attach=$rung are the same as live"
	# shellcheck disable=SC2086
	same_as_live --attach="$rung" $funcs
	expect_out "$dispatcher|x64_sys_call"
done

test_that 'traces are the same as live'
# shellcheck disable=SC2086
same_as_live -T $funcs
test_that 'arguments are the same as live'
# shellcheck disable=SC2086
same_as_live -T -A $funcs -a 'security_bpf*' -a security_capable -a may_open
test_that 'points are the same as live'
# shellcheck disable=SC2086
same_as_live $funcs -e $sys_mkdir -J kprobe:filename_create -J kretprobe:filename_create -J rawtp:kmem_cache_free \
	-J tp:kmem:kmem_cache_free -J tp:kmem:kmalloc
expect_out 'tp:kmem:kmem_cache_free'

test_that 'all types of the kernel can be kept'
# shellcheck disable=SC2086
same_as_live -T -A --full-btf $funcs
expect 'a large file' [ "$(wc -c <live.data)" -gt 300000 ]

test_that 'record shows nothing, and says what it wrote'
# shellcheck disable=SC2086
run retsnoop record $funcs -- $calls
expect_status 0
expect_out_empty
expect_err '3 sessions in retsnoop.data \([0-9]+ KiB\); .retsnoop report. shows them' '3 sessions recorded, nothing'
expect 'nobody else may read it' sh -c "ls -l retsnoop.data | grep '^-rw------- '"

test_that 'report shows what was recorded in other ways, too'
run retsnoop report -T
expect_status 0
expect_sessions 3
expect_trace "→ $mkdir" '    ↔ filename_create [-EEXIST]' "← $mkdir [-EEXIST]"
expect_no_out $dispatcher
expect_err '3 sessions shown'

details_on 7.2 || exit 0

test_that 'traces with stacks and successes are the same as live'
# shellcheck disable=SC2086
same_as_live -T -E -S $funcs
test_that 'handled errors, rules and verbose stacks are the same as live'
view=-v
# shellcheck disable=SC2086
same_as_live -I $funcs --error-if "$mkdir: ret == -17" -C stacks.dec-offs
view=
test_that 'arguments, each on its own line, are the same as live'
# shellcheck disable=SC2086
same_as_live -A -C args.fmt-mode=m $funcs
test_that 'members of arguments, each on its own line, are the same as live'
# shellcheck disable=SC2086
same_as_live -T -A -C args.fmt-mode=v $funcs

test_that 'report shows some of what was recorded'
run retsnoop report -x EEXIST
expect_sessions 1
expect_out "\[-EEXIST\] +$mkdir"
run retsnoop report -e "$mkdir"
expect_sessions 1
run retsnoop report -a array_map_alloc_check -T
expect_sessions 1
expect_out 'array_map_alloc_check +\[-E2BIG\]'
run retsnoop report -X EEXIST,E2BIG -n simfail
expect_sessions 1
run retsnoop report -N simfail
expect_status 1
expect_sessions 0
run retsnoop report -L 100s
expect_status 1

test_that 'report says what was not recorded'
run retsnoop report -A
expect_status 0
expect_err 'retsnoop.data has no arguments; record with -A'
run retsnoop report -S
expect_err 'retsnoop.data has no calls that succeeded; record with -S'

test_that 'report counts what was recorded'
run retsnoop report --summary
expect_status 0
expect_out "^$mkdir +\[-EEXIST\] +1 " '^PRODUCER' '^filename_create +\[-EEXIST\] +\[-EEXIST\] +1 '

test_that 'report lists the process, and -n compares the thread'
run retsnoop record -o threads.data -e "$mkdir" -n EEXIST --max-sessions=2 -- simfail threads
run retsnoop report --list -n EEXIST threads.data
expect_status 0
expect_out ' EEXIST .* simfail/[0-9]+ .*' ' EEXIST .* simfail/[0-9]+ .*'
expect_no_out 'EEXIST/'
run retsnoop report --list -n simfail threads.data
expect_status 1
expect_err 'threads.data has no session of threads of these names; it has EEXIST/'

test_that 'a recording has the name at the end of a call'
run retsnoop record -o exec.data -S -e ${sys}_execve -n sh -- sh -c "exec $(command -v simfail) fs-mkdir-exists"
run retsnoop report -n sh exec.data
expect_status 1
expect_err 'it has simfail/'
run retsnoop report -n simfail exec.data
expect_status 0
expect_sessions 1

test_that 'two recordings are compared'
# shellcheck disable=SC2086
run retsnoop record -o other.data $funcs -- simfail fs-mkdir-exists fs-mkdir-exists
run retsnoop report --diff retsnoop.data other.data
expect_status 0
expect_out '^WAYS OF ERRORS' "$bpf.* -EINVAL +1 +0 +gone" "^$mkdir > filename_create +-EEXIST +1 +2 +x2.0" \
	"^$mkdir +1 +2 +- "
run retsnoop report --diff --format=json retsnoop.data other.data
expect_out '"functions":\[.*"filename_create"\],"failed":true,"errno":"EEXIST","outcome_failed":true,"outcome_errno":"EEXIST","count_a":1,"count_b":2'

test_that 'an older recording is kept, and nothing else is overwritten'
cp retsnoop.data before
# shellcheck disable=SC2086
run retsnoop record $funcs -- simfail fs-mkdir-exists
expect_status 0
expect 'the older one' cmp before retsnoop.data.old
echo precious >script
run retsnoop record -o script -e $mkdir -- true
expect_status 3
expect_err_lines 1
expect_err 'script is there and is no recording; give another name with -o'
expect 'untouched' [ "$(cat script)" = precious ]
ln -s before link
run retsnoop record -o link -e $mkdir -- true
expect_err 'link is a symbolic link, which is not followed'

test_that 'a recording can go through a pipe'
# shellcheck disable=SC2086
run_sh "retsnoop record -q -o - $funcs -- $calls | retsnoop report -i -"
expect_status 0
expect_sessions 3
expect_err 'retsnoop: 3 sessions shown, nothing'

test_that 'nobody who reads a pipe is no error'
# shellcheck disable=SC2086
run_sh "{ retsnoop record -q -o - $funcs -- $calls; echo \$? >$T/record; } | true"
expect_status 0
expect 'status 0 of retsnoop' [ "$(cat "$T/record")" = 0 ]
expect_no_err 'error|cannot'
# shellcheck disable=SC2086
run_sh "{ retsnoop record -q -o - $funcs -- simfail -n 300 fs-mkdir-exists; echo \$? >$T/record; } | head -c 1"
expect_status 0
expect 'status 0 of retsnoop' [ "$(cat "$T/record")" = 0 ]

test_that 'what is there can be shown while recording goes on'
start retsnoop record -o growing.data -e $mkdir -a filename_create
simfail fs-mkdir-exists
sleep 3
growing=$pid
run retsnoop report -i growing.data
expect_status 0
expect_sessions 1
expect_err 'growing.data: it has no end: its run was killed, or goes on'
simfail fs-mkdir-exists
pid=$growing
stop INT
run retsnoop report -i growing.data
expect_status 0
expect_sessions 2
expect_no_err 'no end'

test_that 'killed in the middle, it has what was recorded up to a second before'
start retsnoop record -o killed.data -e $mkdir -a filename_create
for _ in 1 2 3; do simfail fs-mkdir-exists; done
sleep 3
# timeout hands on no SIGKILL
kill -9 "$(program_pid)"
finish_started
run retsnoop report -i killed.data
expect_status 0
expect_sessions 3
expect_err 'retsnoop: 3 sessions shown' 'killed.data: it has no end: its run was killed, or goes on'

test_that 'a full disk ends it in one line, and what is there can be read'
mkdir small
mount -t tmpfs -o size=1m tmpfs small
run retsnoop record -T -A -S -o small/x.data -e ksys_read -a vfs_read -- dd if=/dev/zero of=/dev/null bs=1 count=100000
expect_status 3
expect_err 'cannot write small/x.data: No space left on device; what was recorded before is in it'
run retsnoop report -q -i small/x.data -e ksys_read
expect_status 0
expect 'many sessions' [ "$(grep -c TID/PID "$T/out")" -gt 100 ]
umount small

test_that '--max-size makes room for newer sessions'
run retsnoop record -T -A -S --max-size=1M -o turns.data -e ksys_read -a vfs_read -- \
	dd if=/dev/zero of=/dev/null bs=1 count=60000
expect_status 0
expect_err "sessions in turns\.data\.1 and turns\.data \(.*; 'retsnoop report turns\.data\.1 turns\.data' shows them\$" 'older sessions had to go; a larger --max-size keeps more'
expect 'no more than that' [ $(($(wc -c <turns.data) + $(wc -c <turns.data.1))) -lt 1300000 ]
for file in turns.data turns.data.1; do
	run retsnoop report -i $file --max-sessions=5
	expect_status 0
	expect_sessions 5
	expect_nested
	expect_no_err 'no end|damaged'
done
run retsnoop report -i turns.data --summary
expect_err '[0-9]+ older sessions had to go while it was recorded \(--max-size\)'

test_that 'half a recording shows what is in it'
head -c $(($(wc -c <turns.data.1) * 2 / 3)) turns.data.1 >half.data
run retsnoop report -i half.data
expect_status 0
expect_err 'half.data: truncated after byte'

test_that 'what is no recording is refused in one line'
for file in /bin/sh /dev/null /nonexistent; do
	run retsnoop report -i $file
	expect_status 3
	expect_out_empty
	expect_err_lines 1
done
