#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --trace-context: the span that each thread worked on, from the map of OpenTelemetry's eBPF instrumentation, or
# from the thread's own memory (OpenTelemetry's thread context).
# changes the machine: removes OpenTelemetry's map
. "${0%/*}/../lib.sh"

spans=$(command -v spans) || { echo "ok trace-context: all # SKIP this needs tests/spans"; exit; }
grep -q ' /sys/fs/bpf bpf ' /proc/mounts || mount -t bpf none /sys/fs/bpf || exit 3
mkdir -p /sys/fs/bpf/otel
pin=/sys/fs/bpf/otel/traces_ctx_v1

# published THREADS COUNT COMMAND...: the command, and the program's calls while it runs.
published()
{
	nr_threads=$1 count=$2
	shift 2
	rm -f $pin "$T/go"
	mkfifo "$T/go"
	"$spans" $pin "$nr_threads" "$count" <"$T/go" &
	program=$!
	exec 9>"$T/go"
	tries=200
	until [ -e $pin ] || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	start "$@"
	echo >&9
	exec 9>&-
	wait $program || problem 'the program did not do its calls'
	stop INT
}

# publishing WAY THREADS COUNT COMMAND...: the command, and the calls of $publisher, which publishes the spans in
# its threads' own memory (spans.c).
publisher=$spans
publishing()
{
	way=$1 nr_threads=$2 count=$3
	shift 3
	begin_publisher
	tries=600
	until grep -q ready "$T/ready" || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	start "$@"
	end_publisher
	stop INT
}

begin_publisher()
{
	rm -f $pin "$T/go"
	mkfifo "$T/go"
	: >"$T/ready"
	# shellcheck disable=SC2086	# a command and its arguments
	$publisher "$way" "$nr_threads" "$count" <"$T/go" 2>"$T/ready" &
	program=$!
	exec 9>"$T/go"
}

end_publisher()
{
	echo >&9
	exec 9>&-
	wait $program || problem 'the program did not do its calls'
}

# check_ids: what is wrong with sessions in JSON, and a line that counts those that are right.
check_ids()
{
	awk '
		function member(name,   at) {
			at = index($0, "\"" name "\":")
			if (!at)
				return ""
			value = substr($0, at + length(name) + 3, 40)
			sub(/^"/, "", value)
			sub(/[",}].*/, "", value)
			return value
		}
		function hex(digits,   i, n) {
			for (i = 1; i <= length(digits); i++)
				n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
			return n
		}
		function wrong(why) {
			if (bad++ < 5)
				print why ": " substr($0, 1, 300)
		}
		BEGIN { split("EEXIST ENOENT ENOTDIR", errnos, " ") }
		/"type":"session"/ {
			trace = member("trace_id")
			span = member("span_id")
			tid = member("tid")
			errno = member("errno")
			if (errno == "EFAULT") {
				outside++
				if (trace != "")
					wrong("a span that was over")
				next
			}
			n = hex(substr(trace, 25))
			if (trace == "" || trace == "null")
				wrong("no span")
			else if (substr(trace, 1, 16) != sprintf("%016x", tid) || substr(span, 1, 8) != sprintf("%08x", tid))
				wrong("the span of another thread")
			else if (substr(span, 9) != substr(trace, 25) || n < next_of[tid] + 0 ||
				 errnos[n % 3 + 1] != errno)
				wrong("the span of another call")
			else
				right++
			next_of[tid] = n + 1
		}
		END {
			for (tid in next_of)
				nr++
			print nr " threads, " right + 0 " right, " bad + 0 " wrong, " outside + 0 " outside"
		}' "$T/out"
}

json="retsnoop stack -sn --format=json -C bpf.ringbuf-size=64M"

# expect_ids THREADS RIGHT OUTSIDE: so many threads, calls with their own span, and calls without one. A
# kernel skips a call while it runs the same program in another task of that CPU: so many may lack,
# as it says, even all those of a thread.
expect_ids()
{
	expect_status 0
	check_ids >"$T/ids"
	# "... by the kernel", or "...: they came while a program of ours ran on that CPU; ..."
	hits=$(awk '/^ *[0-9]+ hits? (was|were) skipped( by the kernel$|: )/ { sum += $1 }
		END { print sum + 0 }' "$T/err")
	expect "$1 threads, $2 right, 0 wrong, $3 outside, or fewer by $hits" awk -v threads="$1" \
		-v right="$2" -v outside="$3" -v hits="$hits" '
		{ missing = right + outside - $3 - $7 }
		END { exit !(NR == 1 && (threads - $1) * int((right + outside) / threads) <= missing &&
			$1 <= threads && $5 == 0 && $3 <= right && $7 <= outside && missing <= hits) }' "$T/ids"
	[ ! -s "$T/problems" ] || head "$T/ids" >>"$T/problems"
	head -n 40 "$T/out" >"$T/some" && mv "$T/some" "$T/out"
}

ulimit -l unlimited 2>/dev/null
if details_on 7.2; then
	test_that 'of 10,000 spans of 8 threads each is that of its call'
	# shellcheck disable=SC2086	# a list
	published 8 1250 $json --trace-context -e "$mkdir" -n spans
	expect_ids 8 10000 1000
	keep_json
fi

for rung in $(some_rungs); do
	test_that "the text has both ids (--attach=$rung)"
	published 1 10 retsnoop stack -sn --attach="$rung" --trace-context=$pin -e "$mkdir" -n spans
	expect_status 0
	id=$(sed -n 's/.*(spans\/spans), trace \([0-9a-f]*\)0000000000000009, span .*/\1/p' "$T/out")
	expect_out ', trace 0{8}[0-9a-f]{8}0{15}0, span [0-9a-f]{8}0{8}:$' \
		", trace ${id:-none}0{15}9, span ${id#00000000}0{7}9:\$" '/spans\):$' EFAULT
	expect_sessions 11
done

# Types say where a thread's memory begins; without them there is the map alone.
no_threads=
[ -e /sys/kernel/btf/vmlinux ] || no_threads=1
lib=${spans%/*}/libspans.so

if details_on 7.2; then
	test_that 'of 10,000 spans that 8 threads publish themselves each is that of its call'
	if [ -n "$no_threads" ]; then
		skip 'this kernel has no BTF'
	else
		# shellcheck disable=SC2086	# a list
		publishing swap 8 1250 $json --trace-context=threads -e "$mkdir" -n spans
		expect_ids 8 10000 1000
		keep_json
	fi
fi

test_that 'records that are written in place count while they are valid'
if [ -n "$no_threads" ]; then
	skip 'this kernel has no BTF'
else
	# shellcheck disable=SC2086	# a list
	publishing in-place 8 100 $json --trace-context -e "$mkdir" -n spans
	expect_ids 8 800 80
fi

for how in "env LD_PRELOAD=$lib $spans-lib" "$spans-lib"; do
	test_that "a library's variable is found (${how%% *})"
	if [ -n "$no_threads" ]; then
		skip 'this kernel has no BTF'
		continue
	fi
	publisher=$how
	# shellcheck disable=SC2086	# a list
	publishing swap 4 50 $json --trace-context=threads -e "$mkdir" -n spans-lib
	expect_ids 4 200 20
done
publisher=$spans

details_on 6.1 || { rm -f $pin; exit 0; }

for rung in $(some_rungs); do
	test_that "the workload's spans are known from the start (--attach=$rung)"
	if [ -n "$no_threads" ]; then
		skip 'this kernel has no BTF'
		continue
	fi
	# The first call is outside of all spans.
	# shellcheck disable=SC2086	# a list
	run $json --attach="$rung" --trace-context -e "$mkdir" -- spans swap 2 20
	expect_ids 2 40 5
done

for how in "$spans" "$spans-lib"; do
	test_that "a process that starts later is found out at its first call (${how##*/})"
	if [ -n "$no_threads" ]; then
		skip 'this kernel has no BTF'
		continue
	fi
	publisher=$how way=in-place nr_threads=2 count=20
	# shellcheck disable=SC2086	# a list
	start $json -v --trace-context=threads -e "$mkdir" -n "${how##*/}"
	begin_publisher
	wait_for 60 "$T/err" "Process $program publishes the spans" || problem 'it is not found'
	end_publisher
	stop INT
	expect_status 0
	expect_ids 2 40 5
done
publisher=$spans

test_that 'what processes publish is recorded'
if [ -n "$no_threads" ]; then
	skip 'this kernel has no BTF'
else
	publishing swap 2 20 retsnoop record -o "$T/threads.data" --trace-context=threads -e "$mkdir" -n spans
	expect_status 0
	run retsnoop report --format=json "$T/threads.data"
	expect_ids 2 40 4
fi

test_that 'what processes publish is not read without the option'
if [ -n "$no_threads" ]; then
	skip 'this kernel has no BTF'
else
	publishing swap 1 10 retsnoop stack -sn --format=json -e "$mkdir" -n spans
	expect_status 0
	expect_out '"errno":"EEXIST"'
	expect_no_out trace_id
fi

test_that 'without types a thread has no memory that could be read'
if [ -z "$no_threads" ]; then
	skip 'this kernel has BTF'
else
	run retsnoop stack --trace-context=threads -e "$mkdir" --duration 0.1
	expect_status 3
	expect_err '^retsnoop: --trace-context=threads needs a kernel with BTF'
fi

test_that 'recordings keep them'
published 2 20 retsnoop record -o "$T/data" --trace-context -e "$mkdir" -n spans
expect_status 0
run retsnoop report --format=json "$T/data"
expect_ids 2 40 4
run retsnoop report -sn "$T/data"
expect_out ', trace [0-9a-f]{32}, span [0-9a-f]{16}:$'

test_that 'without the option nothing is read'
published 1 10 retsnoop stack -sn --format=json -e "$mkdir" -n spans
expect_status 0
expect_out '"errno":"EEXIST"'
expect_no_out trace_id

test_that 'without the map there are the threads'
rm -f $pin
run retsnoop stack --trace-context -e "$mkdir" --duration 0.1
if [ -n "$no_threads" ]; then
	expect_status 3
	expect_err "^retsnoop: --trace-context: $pin does not exist;"
else
	expect_status 1
fi

test_that 'what is no such map is refused'
rm -f $pin
run retsnoop stack --trace-context=map -e "$mkdir" --duration 0.1
expect_status 3
expect_err "^retsnoop: --trace-context: $pin does not exist; run OpenTelemetry's eBPF instrumentation, or give the path of its map\$"
run retsnoop stack --trace-context=/etc/passwd -e "$mkdir" --duration 0.1
expect_status 3
expect_err '^retsnoop: --trace-context: cannot open /etc/passwd: '
