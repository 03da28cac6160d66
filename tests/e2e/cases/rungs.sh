#!/bin/sh
# The same failing calls on every rung that the kernel has: the expected function, errno and
# chain, and the same output everywhere.
# smoke
. "${0%/*}/../lib.sh"

# what is not inlined there
bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
mkdir_and_more="-e $mkdir -a filename_create -e $bpf -a map_create -a array_map_alloc_check"
first=
for rung in $(all_rungs); do
	test_that "--attach=$rung shows which function failed, with what, and its callers"
	# shellcheck disable=SC2086
	run_unskipped retsnoop -sn --attach="$rung" $mkdir_and_more -e path_mount -a get_fs_type \
		-- simfail fs-mkdir-exists bpf-bad-map-type bpf-bad-map-val-size-percpu-array fs-mount-unknown
	expect_status 0
	expect_sessions 4
	if is_kernel 5.10; then
		expect_stack 'TID/PID (simfail/simfail):' $callers \
			'[-EEXIST] do_mkdirat' '! [-EEXIST] filename_create'
	else
		expect_stack 'TID/PID (simfail/simfail):' $callers \
			$sys_mkdir "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
	fi
	if is_kernel 5.10; then
		expect_stack $callers "! [-EINVAL] ${sys}_bpf"
		expect_stack $callers "! [-E2BIG] ${sys}_bpf" __do_sys_bpf '! [-E2BIG] array_map_alloc_check'
	else
		expect_stack ${sys}_bpf '[-EINVAL] __sys_bpf' '! [-EINVAL] map_create'
		expect_stack ${sys}_bpf '[-E2BIG] __sys_bpf' '[-E2BIG] map_create' \
			'! [-E2BIG] array_map_alloc_check'
	fi
	expect_stack '[-ENODEV] path_mount' '! [NULL] get_fs_type'
	expect_no_out 0xfff
	expect_err 'retsnoop: 4 sessions shown, nothing (known to be )?missed'

	stacks "$T/out" >"$T/$rung"
	: "${first:=$rung}"
	if [ "$rung" != "$first" ]; then
		test_that "--attach=$rung shows the same as --attach=$first"
		expect_status 0
		expect 'stacks' [ -s "$T/$rung" ]
		expect "the same stacks" diff "$T/$first" "$T/$rung"
	fi
done

test_that 'every attach method passes its test, and funcs, doctor and --dry-run agree'
run retsnoop funcs -v --why $mkdir
expect_status 0
expect_out "^  method +$(all_rungs | tr ' ' '\n' | grep -v fsession | head -n 1)\$"
for rung in $(all_rungs); do
	expect_out "^  methods .*$rung"
	expect_err "^$rung passed its test"
done
expect_no_err 'wrong answers' 'could not be tested'
run retsnoop doctor
expect_no_out 'wrong answers' 'not tested'
run retsnoop -v --dry-run -e $mkdir
expect_status 0
expect_err 'passed its test' '^Attached \(dry run\)'
expect_no_err 'wrong answers'

test_that '-v names the rung of each function'
run retsnoop -v --attach=kprobe -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_err "Attached to function #1 '$mkdir' \(kprobe\)"

if has_rung fentry; then
	test_that 'a function that calls itself goes on fentry only if asked to, with a warning'
	run retsnoop -S --dry-run --attach=fentry -e unix_release_sock
	expect_status 0
	expect_err 'warning: unix_release_sock calls itself, and with fentry .* --attach=kprobe is safe'
	run retsnoop -v -S --dry-run -e unix_release_sock
	expect_status 0
	expect_no_err 'calls itself' 'fentry passed'
fi

for rung in $(all_rungs); do
	# A kretprobe waits for ten calls, or twice the CPUs.
	[ "$rung" != kprobe ] || continue
	test_that "--attach=$rung: calls that sleep at the same time are seen"
	# One after the other, and all asleep together: those that begin at once skip each other.
	run_unskipped retsnoop stack -S --attach="$rung" -e ${sys}_clock_nanosleep -- sh -c '
		for i in $(seq 50); do sleep 4 & n=0; while [ $n -lt 400 ]; do n=$((n + 1)); done; done; wait'
	expect_status 0
	# Hits may be skipped, which is counted: in another task of the CPU the same program runs. On 7.3 forks are
	# skipped, too.
	shown=$(grep -c ' TID/PID ' "$T/out")
	missed=$(sed -n 's/^  \([0-9]*\) hits\{0,1\} [a-z]* skipped.*/\1/p' "$T/err" | awk '{ n += $1 } END { print n + 0 }')
	expect "most of 50, not $shown" [ "$shown" -ge 30 ]
	expect "$shown shown and $missed skipped to be 50" [ $((shown + missed)) -ge 50 ]
done

if ! has_rung fsession-multi; then
	test_that 'a rung that the kernel lacks is refused with a way out'
	run retsnoop --attach=fsession-multi -e $mkdir -- simfail fs-mkdir-exists
	expect_status 3
	expect_out_empty
	expect_err 'this kernel has no fsession-multi: .*; leave out --attach'
	reason=$(sed -n 's/.*no fsession-multi: \(.*\); leave out.*/\1/p' "$T/err")
	test_that 'doctor gives the same reason'
	run retsnoop doctor
	expect_out "^  missing +fsession-multi +$reason"
fi
