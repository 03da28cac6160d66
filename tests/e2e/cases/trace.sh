#!/bin/sh
# What traces look like: the same calls on every rung, with and without stacks, as text and as JSON,
# on narrow terminals.
. "${0%/*}/../lib.sh"

# what is not inlined there
bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
first=
for rung in $(some_rungs); do
	test_that "--attach=$rung shows every call, in order, nested, with its result"
	run_unskipped retsnoop trace -sn --attach="$rung" -e $mkdir -a filename_create -e $bpf -a map_create \
		-a array_map_alloc_check -- simfail fs-mkdir-exists bpf-bad-map-val-size-percpu-array bpf-bad-map-type
	expect_status 0
	expect_sessions 3
	expect_nested
	expect_trace 'TID/PID (simfail/simfail):' "→ $mkdir" '    ↔ filename_create [-EEXIST]' "← $mkdir [-EEXIST]"
	if is_kernel 5.10; then
		expect_trace "→ $bpf" '    ↔ array_map_alloc_check [-E2BIG]' "← $bpf [-E2BIG]"
		expect_trace 'TID/PID (simfail/simfail):' "↔ $bpf [-EINVAL]"
	else
		expect_trace "→ $bpf" '    → map_create' '        ↔ array_map_alloc_check [-E2BIG]' \
			'    ← map_create [-E2BIG]' "← $bpf [-E2BIG]"
		expect_trace "→ $bpf" '    ↔ map_create [-EINVAL]' "← $bpf [-EINVAL]"
	fi
	expect_out '^FUNCTION CALLS +RESULT +DURATION$' "^← $mkdir +\[-EEXIST\] +[0-9.]+[mu]?s$"
	expect_no_out "${callers%% *}|\+0x"
	expect_err 'retsnoop: 3 sessions shown, nothing (known to be )?missed'

	traces "$T/out" >"$T/$rung"
	: "${first:=$rung}"
	if [ "$rung" != "$first" ]; then
		test_that "--attach=$rung shows the same traces as --attach=$first"
		expect_status 0
		expect 'traces' [ -s "$T/$rung" ]
		expect 'the same traces' diff "$T/$first" "$T/$rung"
	fi
done

here="-sn -e $mkdir -a filename_create"

test_that '-E -T shows the trace and then the stack'
# shellcheck disable=SC2086
run retsnoop trace $here -E -T -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_out ' TID/PID ' '^FUNCTION CALLS' '↔ filename_create' "^← $mkdir" "$dispatcher\+0x" \
	"\[-EEXIST\] +$mkdir" '! .*\[-EEXIST\] +filename_create$'
expect_nested
cp "$T/out" "$T/both"

if details_on 7.2; then
	test_that 'stack -T shows just that, too'
	# shellcheck disable=SC2086
	run retsnoop stack $here -T -- simfail fs-mkdir-exists
	expect_status 0
	traces "$T/out" | stacks /dev/stdin >"$T/stack-T"
	traces "$T/both" | stacks /dev/stdin >"$T/E-T"
	expect 'a trace and a stack' [ -s "$T/stack-T" ]
	expect 'the same as of trace -E -T' diff "$T/E-T" "$T/stack-T"

	test_that '-T without a command shows the trace alone'
	# shellcheck disable=SC2086
	run retsnoop $here -T -- simfail fs-mkdir-exists
	expect_status 0
	expect_sessions 1
	expect_trace 'TID/PID (simfail/simfail):' "→ $mkdir" '    ↔ filename_create [-EEXIST]' "← $mkdir [-EEXIST]"
	expect_no_out "$dispatcher|\+0x"
fi

test_that 'a trace alone shows calls that succeed, too'
mkdir "$T/dirs"
# shellcheck disable=SC2086
run_sh "retsnoop trace $here -- sh -c 'simfail fs-mkdir-exists; exec mkdir $T/dirs/text'"
expect_status 0
expect_trace 'TID/PID (simfail/simfail):' "→ $mkdir" '    ↔ filename_create [-EEXIST]' "← $mkdir [-EEXIST]"
expect_out '\(mkdir/mkdir\):' "^→ $mkdir" '    ↔ filename_create +\[0xffff[0-9a-f]+\]' "^← $mkdir +\[0\]"
traces "$T/out" | sed 's/\[0x[0-9a-f]*\]/[address]/' >"$T/text"

test_that '--format=json has the same calls'
# shellcheck disable=SC2086
run_sh "retsnoop trace $here --format=json -- sh -c 'simfail fs-mkdir-exists; exec mkdir $T/dirs/json'"
expect_status 0
expect 'one object a session' [ "$(grep -c '^{"type":"session",' "$T/out")" -eq "$(grep -c TID/PID "$T/text")" ]
# Pointers are pointers there, failed or not; errnos have their names.
json_traces "$T/out" | sed 's/\[0x[0-9a-f]*\]/[address]/' >"$T/json"
expect 'the same calls' diff "$T/text" "$T/json"
expect 'durations' sh -c "grep -c '\"kind\":\"leaf\".*\"duration_ns\":[0-9]' $T/out"

# columns FILE: the longest line's.
columns()
{
	sed -E 's/(→|←|↔|‼|…)/x/g' "$1" | awk 'length($0) > n { n = length($0) } END { print n + 0 }'
}

deep='-sn -S -e ksys_write -a ep_poll_callback'
# 5.10's kprobes keep as many returns of a function at a time as there are CPUs (stacks.sh).
kept=5 innermost='…5 +↔'
if is_kernel 5.10 && ! has_rung fentry; then
	kept=$(nproc) innermost="…$kept +←"
fi
test_that 'on a terminal of 80 columns no line is longer'
# shellcheck disable=SC2086
run env COLUMNS=80 retsnoop trace $deep -- simfail deep-epoll-wake
expect_status 0
expect_sessions 1
expect_nested
expect '80 columns at most' [ "$(columns "$T/out")" -le 80 ]
expect "$kept calls of ep_poll_callback" [ "$(grep -cE '(←|↔) ep_poll_callback +\[1\]' "$T/out")" -eq "$kept" ]

test_that 'where it is too narrow for indentation and names, what is cut is marked'
# shellcheck disable=SC2086
run env COLUMNS=40 retsnoop trace $deep -- simfail deep-epoll-wake
expect_status 0
sed -i '/TID.PID/d' "$T/out"
expect '40 columns at most' [ "$(columns "$T/out")" -le 40 ]
expect_out '^→ ksys_write$' "$innermost"' ep_.* \[1\] +[0-9.]+[mu]?s$' '^← ksys_write +\[8\] '
expect 'no name cut without a mark' sh -c "! grep -E '(→|←|↔) ' $T/out | grep -vE 'ksys_write|ep_poll_callback|…'"

test_that 'traces of threads never mix'
run retsnoop trace -sn -e $sys_mkdir -a filename_create -e ${sys}_socket -a __sock_create \
	-e ${sys}_openat -a path_openat -- simfail threads
expect_status 0
expect_nested
cp "$T/out" "$T/all"
awk '
	/ TID\/PID / { header = $0; name = $NF; sub(/^\(/, "", name); sub(/\/.*/, "", name); next }
	/(→|←|↔|‼)/ { if (name == "simfail") next }
	/(←|↔)/ {
		match($0, /\[[^]]*\]/)
		result = substr($0, RSTART + 1, RLENGTH - 2)
		if (result != "-" name && bad++ < 3)
			print result " in " header
		results[name]++
	}
	END {
		wanted["EEXIST"] = wanted["EAFNOSUPPORT"] = wanted["ENOENT"]
		print bad + 0 " wrong results"
		for (i in wanted)
			missing += 600 - results[i]
		print missing + 0 " results missing"
	}' "$T/all" >"$T/out"
expect_out '^0 wrong results'
if ! is_kernel 5.10 && ! has_rung fsession-multi; then
	expect_out '^0 results missing$'
fi
# Each of 1,800 results is in its trace, or lost for a hit that the loss report counts: 5.10 follows few
# calls of a function at once, and fsession-multi skips hits while another thread is preempted in it.
# A hit of an entry call that is lost takes its session with it: two results.
expect 'no result missing that is not counted' awk '
	FNR == NR { if (/results missing/) missing = $1; next }
	/returns? (was|were) not seen|hits? (was|were) skipped/ { counted += $1 }
	END { print missing " missing, " counted + 0 " counted"; exit missing > 2 * counted }' \
	"$T/out" "$T/err"
