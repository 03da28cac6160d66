#!/bin/sh
# JSON of every command and mode. What "run" prints with --format=json is kept, and looked at with the
# schema by tests/e2e/run; here, that there is what there should be.
. "${0%/*}/../lib.sh"

bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
cd "$T" || exit 3
calls='simfail fs-mkdir-exists bpf-bad-map-val-size-percpu-array bpf-bad-map-type ok-getppid'
funcs="-e $mkdir -a filename_create -e $bpf -a map_create -a array_map_alloc_check"

# expect_run N: so many sessions, and the ledger behind them.
expect_run()
{
	expect_status 0
	expect "$1 sessions" [ "$(grep -c '^{"type":"session",' "$T/out")" -eq "$1" ]
	expect 'the ledger, once, at the end' [ "$(grep -c '^{"type":"ledger",' "$T/out")" -eq 1 ]
	expect 'the ledger, once, at the end' sh -c "tail -n 1 '$T/out' | grep -q '^{\"type\":\"ledger\",.*}\$'"
	expect "$1 sessions counted" grep -q "\"sessions_[a-z]*\":$1," "$T/out"
}

for rung in $(some_rungs); do
	test_that "stacks and traces of --attach=$rung"
	# shellcheck disable=SC2086
	run_unskipped retsnoop --format=json -E -T --attach="$rung" $funcs -- $calls
	expect_run 3
	expect_out '"function":"array_map_alloc_check",.*"errno":"E2BIG"' '"missed":"[a-z_]*"'
done

test_that 'stacks, of successes and handled errors, too'
# shellcheck disable=SC2086
run retsnoop stack --format=json -v -S -I $funcs -e ${sys}_getppid -- $calls
expect_status 0
expect_out '"producer":\{"function"' '"producer":null'
test_that 'traces'
# shellcheck disable=SC2086
run retsnoop trace --format=json $funcs -- $calls
expect_run 3
if details_on 7.2; then
	test_that 'arguments'
	# shellcheck disable=SC2086
	run retsnoop args --format=json -v $funcs -a 'security_bpf*' -a security_capable -- $calls
	expect_run 3
	expect_out '"args":\{"' '"args_bytes":[1-9]'
	test_that 'arguments with their members, each on a line of its own'
	# shellcheck disable=SC2086
	run retsnoop args --format=json -C args.fmt-mode=v $funcs -- $calls
	expect_run 3
	test_that 'arguments that are chosen, one of them twice'
	# shellcheck disable=SC2086
	run retsnoop trace --format=json --args "$mkdir: mode, mode" -e $mkdir -- simfail fs-mkdir-exists
	[ "$status" -eq 2 ] && expect_err . || expect_run 1
	test_that 'branches, where there are none'
	# shellcheck disable=SC2086
	run retsnoop -E --lbr --format=json $funcs -- $calls
	expect_run 3
	test_that 'points'
	# shellcheck disable=SC2086
	run retsnoop probe --format=json kprobe:filename_create kretprobe:filename_create tp:kmem:kmem_cache_free \
		rawtp:kmem_cache_free -e $sys_mkdir -- simfail fs-mkdir-exists
	expect_run 1
	expect_out '"kind":"probe"'
	details_on 7.2 || exit 0
fi

test_that 'conditions'
# shellcheck disable=SC2086
run retsnoop trace --format=json $funcs --where 'array_map_alloc_check: attr->map_type == 6' -- $calls
expect_status 0
expect_out '"type":"ledger"'

test_that 'counts'
# shellcheck disable=SC2086
run retsnoop --summary --format=json -S $funcs -- $calls
expect_status 0
expect_out '^\{"type":"summary",' '^\{"type":"producer",' '^\{"type":"ledger","calls_counted":[1-9]'
test_that 'counts in intervals'
# shellcheck disable=SC2086
run retsnoop --summary --interval 0.3 --format=json $funcs -- sh -c "$calls; sleep 0.5; $calls"
expect_status 0
expect_out '^\{"type":"summary",' '^\{"type":"ledger","calls_counted":6,'

test_that 'what is lost is in the ledger, by name'
# shellcheck disable=SC2086
run retsnoop trace --format=json --max-depth=1 -e $bpf -e $mkdir -a array_map_alloc_check -- $calls
expect_status 0
expect_out '"missed":"some","functions_asked":3,.*"calls_too_deep":[1-9].*"text":\[".*some may be missing'
expect_err 'some may be missing' 'nested deeper than 1 and not kept'

test_that 'nothing to show is a ledger'
run retsnoop --format=json -e $mkdir -x ENOTTY -- simfail fs-mkdir-exists
expect_status 1
expect 'a line' [ "$(wc -l <"$T/out")" -eq 1 ]
expect_out '^\{"type":"ledger","sessions_shown":0,'

test_that 'Ctrl-C ends in whole lines'
start retsnoop --format=json -e $mkdir -S
simfail -n 20 fs-mkdir-exists
stop INT
keep_json
expect_run 20
test_that 'the time that is up ends in whole lines'
run retsnoop --format=json -e $mkdir --duration 0.5
expect_status 1
expect_out '^\{"type":"ledger","sessions_shown":0,'
test_that 'a reader who leaves has whole lines'
run_sh "retsnoop --format=json -e $mkdir -- simfail -n 300 fs-mkdir-exists | head -n 20"
keep_json
expect '20 lines' [ "$(wc -l <"$T/out")" -eq 20 ]
expect_no_err 'Broken pipe|rror'
test_that 'a reader who does not read is not written to any more'
mkfifo "$T/unread"
# shellcheck disable=SC2086
retsnoop --format=json -T $funcs -- simfail -n 2000 fs-mkdir-exists >"$T/unread" 2>"$T/err" </dev/null &
pid=$!
# It is open, and nobody reads.
exec 9<>"$T/unread"
wait_for 120 "$T/err" 'the output is not being read' || problem 'it does not say so'
kill -INT $pid
sleep 1
stop INT
exec 9<&-
expect_within 5000
expect_err '[1-9][0-9]* sessions? (was|were) not shown'

test_that 'a name that is no text is one in JSON'
mkdir -p dirs
name=$(printf 'dirs/a\377"\\b\033')
run retsnoop args --format=json -S -e $mkdir -- mkdir "$name"
expect_run 1

test_that 'what is recorded, and the same again'
# shellcheck disable=SC2086
run retsnoop record --format=json $funcs -- $calls
expect_status 0
expect 'two lines' [ "$(wc -l <"$T/out")" -eq 2 ]
expect_out '^\{"type":"recording","file":"retsnoop.data","files":1,"bytes":[1-9][0-9]*,"sessions":3,"sessions_dropped":0,"records":[1-9]' \
	'^\{"type":"ledger","sessions_recorded":3,'
# shellcheck disable=SC2086
run retsnoop record --live --format=json -o live.data $funcs -- $calls
expect_run 3
expect_out '^\{"type":"recording","file":"live.data",'
run retsnoop report --format=json -i live.data
expect_run 3
run retsnoop record --format=json -o - -e $mkdir -- $calls
expect_status 2
expect_err 'cannot both go to standard output'

test_that 'functions'
# shellcheck disable=SC2086
run retsnoop --dry-run --format=json $funcs
expect_status 0
expect_out '^\{"type":"function","name":"array_map_alloc_check",'
run retsnoop funcs --format=json 'bpf_*'
expect_status 0
for function in map_create $unprobed no_such; do
	run retsnoop funcs --format=json --why $function
	expect_out '^\{"type":"function_why",'
done
test_that 'points that there are'
run retsnoop probe --list --format=json 'sched:*' 'bpf_test*' kprobe:do_exit
expect_out '^\{"type":"point",'
run retsnoop probe --why --format=json kprobe:$unprobed tp:sched:sched_switch
expect_out '^\{"type":"point_why",'
test_that 'the machine'
run retsnoop doctor --format=json
expect_out '^\{"type":"verdict",'
test_that 'addresses, and the log'
run retsnoop symbolize --format=json do_exit+0x10 0xffffffffffffffff
expect_out '^\{"type":"address",'
# A case before this one may have emptied the log.
run_sh 'echo "json: a line" >/dev/kmsg && dmesg | retsnoop symbolize --log --format=json'
keep_json
expect_out '^\{"type":"log_line",'
