# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What a case is written with; sourced by each. For busybox's shell and any other.
#
#	. "${0%/*}/../lib.sh"
#
#	test_that '-x shows only calls that failed so'
#	run retsnoop -e do_mkdirat -x EPERM -- simfail fs-mkdir-exists
#	expect_status 1
#	expect_no_out EEXIST
#
# A test goes from one test_that to the next and may run several commands; what is expected
# is expected of the last one. Patterns are extended regular expressions. A test without a
# single expectation fails.
set -u
# text has arrows
export LC_ALL=C.UTF-8

case_name=${0##*/}
case_name=${case_name%.sh}
T=$(mktemp -d) || exit 3
: >"$T/command" >"$T/out" >"$T/err" >"$T/problems"
# seconds after which a command counts as hung; the machines are emulated, and their host may be busy
limit=240
status=
sentence=
skipped=
expectations=0
nr_json=0
pid=
loads=

# shellcheck disable=SC2086	# a list
trap 'kill $loads 2>/dev/null; end_test; rm -rf "$T"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

. "${0%/*}/../cpu.sh"

# The kernel's series (6.12), and its name in tests/kernels, with the flavour (6.12-rt) where scripts/vm booted it.
series=$(uname -r | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
kernel=${VM_KERNEL:-$series$kernel_suffix}

# has_func NAME: whether the kernel has a function of that name that can be traced.
has_func() { grep -qE "^$1( |\$)" /sys/kernel/tracing/available_filter_functions; }

# first_func NAME...: the first of these that the kernel has.
first_func()
{
	for name; do
		! has_func "$name" || { echo "$name"; return; }
	done
	echo "none-of-$1"
}

# The function behind mkdir(2), which is cheap to trace alone and fails by itself.
mkdir=$(first_func filename_mkdirat do_mkdirat)

# all_rungs: the ways of attaching that this kernel must have.
all_rungs()
{
	known=$(awk -v kernel="$kernel" '$1 == kernel { gsub(/,/, " ", $6); print $6 }' "${0%/*}/../../kernels")
	if [ -n "$known" ]; then
		echo "$known"
		return
	fi
	# A kernel outside the list: methods that work.
	for rung in fsession-multi kprobe-session kprobe-multi fentry kprobe; do
		timeout 60 retsnoop -q --attach=$rung -e $mkdir --duration 0.01 >/dev/null 2>&1
		[ $? -eq 3 ] || echo $rung
	done
}

# some_rungs: all of them; with E2E_FEW one, which differs from case to case. What is run without
# --attach is on the method that is chosen by itself.
some_rungs()
{
	# shellcheck disable=SC2046	# a list
	set -- $(all_rungs)
	if [ -z "${E2E_FEW-}" ]; then
		echo "$@"
		return
	fi
	shift $(((${#case_name} + 1) % $#))
	echo "$1"
}

# details_on KERNEL...: whether this run does the details of a case: with E2E_FEW on these kernels only, where
# the rest of the case is done on each. "none" leaves them to `make check-all`.
details_on() { [ -z "${E2E_FEW-}" ] || is_kernel "$@"; }

# has_rung RUNG: whether it is one of these.
has_rung()
{
	for rung_there in $(all_rungs); do
		[ "$rung_there" != "$1" ] || return 0
	done
	return 1
}

# is_kernel NAME...: whether it is one of these: series, or names in tests/kernels.
is_kernel()
{
	for one_kernel; do
		[ "$one_kernel" != "$kernel" ] && [ "$one_kernel" != "$series" ] || return 0
	done
	return 1
}

# since SERIES: whether it is that one or a later one.
since()
{
	[ "${series%.*}" -gt "${1%.*}" ] ||
		{ [ "${series%.*}" -eq "${1%.*}" ] && [ "${series#*.}" -ge "${1#*.}" ]; }
}

# read_clock: into $now_ms, how long the machine has been running.
read_clock()
{
	read -r now_ms _ </proc/uptime
	now_ms=${now_ms%.*}${now_ms#*.}0
}

# slowness: how many times slower this machine is, at this moment, than on an idle host.
slowness()
{
	read_clock
	clock=$now_ms
	i=0
	while [ $i -lt 15000 ]; do i=$((i + 1)); done
	read_clock
	clock=$(((now_ms - clock + 299) / 300))
	[ $clock -gt 0 ] || clock=1
	echo $clock
}

# most_slowness: the same over some seconds, since a busy host is not busy all the time.
most_slowness()
{
	most=1
	for _ in 1 2 3 4 5; do
		sample=$(slowness)
		[ "$sample" -le "$most" ] || most=$sample
		sleep 0.5
	done
	echo $most
}

# ---- tests ----

# test_that SENTENCE: the test before ends here, this one begins.
test_that()
{
	end_test
	sentence=$1
	skipped=
	expectations=0
	: >"$T/problems" >"$T/command" >"$T/out" >"$T/err"
}

# skip REASON: this test can't be done here.
skip() { skipped=$1; }

# has_module NAME: whether this kernel has such a module, which is not loaded after that. Debian's archive
# has no modules for some versions.
has_module() { modprobe "$1" 2>/dev/null && rmmod "$1"; }

# needs_modules NAME...: without them, the whole case can't be done.
needs_modules()
{
	for name in "$@"; do
		has_module "$name" && continue
		test_that 'modules are loaded and unloaded'
		skip "there is no module $name"
		exit
	done
}

end_test()
{
	[ -n "$sentence" ] || return 0
	if [ -z "$skipped" ] && [ $expectations -eq 0 ]; then
		echo 'the test expects nothing' >>"$T/problems"
	fi
	if [ -s "$T/problems" ]; then
		{
			echo "not ok $case_name: $sentence"
			explain | sed 's/^/#   /'
		} >"$T/report"
		cat "$T/report"
	elif [ -n "$skipped" ]; then
		echo "ok $case_name: $sentence # SKIP $skipped"
	else
		echo "ok $case_name: $sentence"
	fi
	sentence=
}

# shown FILE: what a command printed, if that is not too much.
shown()
{
	if [ "$(wc -l <"$1")" -le 60 ]; then
		cat "$1"
	else
		head -n 30 "$1"
		echo "... ($(wc -l <"$1") lines) ..."
		tail -n 30 "$1"
	fi
}

explain()
{
	cat "$T/problems" "$T/command"
	echo "exit status ${status:-none}; standard output:"
	shown "$T/out" | sed 's/^/    /'
	echo 'standard error:'
	shown "$T/err" | sed 's/^/    /'
}

problem() { echo "$*" >>"$T/problems"; }

# ---- commands ----

note_command()
{
	line='$'
	for word; do
		case $word in
		''|*[!A-Za-z0-9_./:=,@%+-]*) line="$line '$word'" ;;
		*) line="$line $word" ;;
		esac
	done
	echo "$line" >"$T/command"
}

# run COMMAND [ARG]...: to its end; its output is what the expectations look at.
run()
{
	note_command "$@"
	read_clock
	begin=$now_ms
	timeout -k 20 "$limit" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	read_clock
	duration_ms=$((now_ms - begin))
	[ $duration_ms -lt $((limit * 1000)) ] || problem "no end within $limit s"
	case " $* " in
	*' --format=json '*)	keep_json ;;
	esac
}

# keep_json: what the last command printed is JSON, which tests/e2e/run looks at when all is over.
keep_json()
{
	[ -n "${E2E_JSON:-}" ] && [ -s "$T/out" ] || return 0
	nr_json=$((nr_json + 1))
	cp "$T/out" "$E2E_JSON/$case_name.$nr_json.json"
}

# run_sh TEXT: the same for a line of shell.
run_sh()
{
	run sh -c "$1"
	echo "\$ $1" >"$T/command"
}

# run_unskipped COMMAND [ARG]...: as run(), and again while the kernel skipped hits because the same program was
# preempted in another task of that CPU, five times at most. Trampolines' programs can be (fsession-multi, fentry).
run_unskipped()
{
	for _ in 1 2 3 4 5; do
		run "$@"
		grep -qE 'hits? (was|were) skipped: (it|they) came while a program of ours ran' "$T/err" || break
	done
}

# run_complete TEXT: the same until a run misses nothing, five times at most. A kernel skips a traced
# call while it runs the same program in another task of that CPU, and says so; the run says it, too.
run_complete()
{
	for _ in 1 2 3 4 5; do
		run_sh "$1"
		! grep -q 'nothing missed' "$T/err" || break
	done
	expect_err 'nothing missed'
}

# missed: how many calls the run's loss report says may be missing.
missed()
{
	sed -n '/some may be missing/,$ s/^  \([0-9][0-9]*\) .*/\1/p' "$T/err" |
		awk '{ n += $1 } END { print n + 0 }'
}

# start COMMAND [ARG]...: in the background; returns when tracing is on, or it has ended.
start()
{
	note_command "$@"
	# Not in the background: the messages of a run before would be taken for this one's.
	: >"$T/err"
	timeout -k 20 "$limit" "$@" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	wait_for 60 "$T/err" 'Receiving data' || problem 'tracing did not start'
}

# wait_for SECONDS FILE PATTERN [TIMES]: until the background command has printed it, in so many lines. The
# seconds are those of an idle host.
wait_for()
{
	tries=$(($1 * 10))
	longer=
	until [ "$(grep -cE "$3" "$2")" -ge "${4:-1}" ]; do
		[ -d "/proc/$pid" ] || return 1
		if [ $tries -eq 0 ]; then
			[ -z "$longer" ] || return 1
			longer=$(slowness)
			tries=$(($1 * 10 * (longer - 1)))
			[ $tries -gt 0 ] || return 1
		fi
		tries=$((tries - 1))
		sleep 0.1
	done
}

# program_pid: the process of the program that was started. busybox's timeout becomes the program; the one of
# coreutils is its parent.
program_pid()
{
	if [ "$(cat "/proc/$pid/comm")" = timeout ]; then
		tr -d ' ' <"/proc/$pid/task/$pid/children"
	else
		echo "$pid"
	fi
}

is_stopped() { grep -qE '^[0-9]+ \(.*\) T ' "/proc/$1/stat"; }

# suspend: stop the program that was started, until "resume".
suspend()
{
	suspended=$(program_pid)
	kill -s STOP "$suspended"
	tries=100
	until is_stopped "$suspended" || [ $((tries -= 1)) -eq 0 ]; do sleep 0.1; done
	expect 'the program is stopped' is_stopped "$suspended"
}

resume() { kill -s CONT "$suspended"; }

# stop SIGNAL: end what was started; then expectations look at it.
stop()
{
	kill -s "$1" "$pid"
	finish_started
}

# finish_started: wait for its end.
finish_started()
{
	read_clock
	begin=$now_ms
	wait "$pid" 2>/dev/null	# the shell announces those that were killed
	status=$?
	pid=
	read_clock
	duration_ms=$((now_ms - begin))
}

# load COMMAND [ARG]...: runs beside the tests until end_loads.
load()
{
	"$@" >/dev/null 2>"$T/load.err" &
	loads="$loads $!"
}

# end_loads: ends them. A load that ended before, or that never had a CPU, was none: the test fails.
end_loads()
{
	expectations=$((expectations + 1))
	[ -n "$loads" ] || problem 'there is no load'
	for load in $loads; do
		ticks=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$load/stat" 2>/dev/null)
		[ "${ticks:-0}" -gt 0 ] ||
			problem "a load did not run (ticks: ${ticks:-none, it ended}): $(cat "$T/load.err")"
		kill "$load" 2>/dev/null
		wait "$load" 2>/dev/null
	done
	loads=
}

# console_off: the kernel's log is not on the console, where stack traces that a test asks for mean trouble.
console_off()
{
	read -r console_levels </proc/sys/kernel/printk
	dmesg -c >/dev/null
	echo 1 >/proc/sys/kernel/printk
}

# console_on: it is there again.
console_on()
{
	echo "$console_levels" >/proc/sys/kernel/printk
	judge_log
}

# judge_log: what the kernel has logged since console_off, or since this was called; often enough for its
# buffer to hold that.
judge_log()
{
	dmesg -c >"$T/log"
	expect_no_trouble "$T/log"
}

# ---- expectations ----

expect_status()
{
	expectations=$((expectations + 1))
	[ "$status" -eq "$1" ] || problem "expected exit status $1, got $status"
}

# in_order WHAT FILE PATTERN...: each on a line after the one before.
in_order()
{
	what=$1 file=$2
	shift 2
	[ $# -gt 0 ] || problem 'nothing to look for'
	expectations=$((expectations + 1))
	printf '%s\n' "$@" >"$T/patterns"
	awk '
		FNR == NR { pattern[++n] = $0; next }
		m < n && $0 ~ pattern[m + 1] { m++ }
		END {
			if (m < n)
				print pattern[m + 1] (m ? "    (after " pattern[m] ")" : "")
		}' "$T/patterns" "$file" >"$T/missing"
	# An empty file leaves awk in the first block: then nothing was found.
	[ -s "$file" ] || echo "$1" >"$T/missing"
	[ ! -s "$T/missing" ] || problem "expected on $what: $(cat "$T/missing")"
}

none_of()
{
	what=$1 file=$2
	shift 2
	expectations=$((expectations + 1))
	for pattern; do
		if grep -E -e "$pattern" "$file" >"$T/found"; then
			problem "not expected on $what: $pattern    (there is: $(head -n 1 "$T/found"))"
		fi
	done
}

expect_out() { in_order 'standard output' "$T/out" "$@"; }
expect_err() { in_order 'standard error' "$T/err" "$@"; }
expect_no_out() { none_of 'standard output' "$T/out" "$@"; }
expect_no_err() { none_of 'standard error' "$T/err" "$@"; }

expect_out_empty()
{
	expectations=$((expectations + 1))
	[ ! -s "$T/out" ] || problem 'expected nothing on standard output'
}

# expect_err_lines N: so many and no more.
expect_err_lines()
{
	expectations=$((expectations + 1))
	[ "$(wc -l <"$T/err")" -eq "$1" ] || problem "expected $1 lines on standard error"
}

# expect_no_trouble LOG: of the kernel, but for stack traces.
expect_no_trouble()
{
	. "${0%/*}/../../../scripts/vm.d/trouble.sh"
	trouble=$(kernel_trouble "$1" 'Call [Tt]race:')
	expect "no trouble in the kernel's log: $trouble" [ -z "$trouble" ]
}

# expect WHAT COMMAND [ARG]...: something else holds.
expect()
{
	what=$1
	shift
	expectations=$((expectations + 1))
	"$@" >"$T/expect" 2>&1 || problem "expected: $what$(sed 's/^/; /' "$T/expect")"
}

# expect_within MS: the last command's end came as soon, on an idle host.
expect_within()
{
	expectations=$((expectations + 1))
	[ "$duration_ms" -lt "$1" ] || [ "$duration_ms" -lt $(($1 * $(most_slowness))) ] ||
		problem "expected an end within $1 ms, not $duration_ms"
}

# expect_sessions N: so many stacks were shown.
expect_sessions()
{
	expectations=$((expectations + 1))
	count=$(grep -c ' TID/PID ' "$T/out")
	[ "$count" -eq "$1" ] || problem "expected $1 sessions, got $count"
}

# stacks FILE: without what differs from run to run and from rung to rung: times, offsets, thread
# ids. "TID/PID (simfail/simfail):", "[-EINVAL] __sys_bpf", "! [-EINVAL] map_create".
stacks()
{
	sed -E -e 's/^(#[0-9]+ [0-9-]+ )?[0-9:.]+ -> [0-9:.]+( [-+][0-9:]+)? (TID\/PID) [0-9]+\/[0-9]+/\3/' \
		-e 's/^([!*~.]*) *([0-9.]+[mun]?s)? +/\1 /' \
		-e 's/  +\(.*\)$//' -e 's/\+0x[0-9a-f]+//' -e 's/  +/ /g' -e 's/^ +//' -e 's/ +$//' "$1" |
		grep -v '^$'
}

# consecutive WHAT FILE LINE...: these lines of FILE, one after the other.
consecutive()
{
	what=$1 file=$2
	shift 2
	expectations=$((expectations + 1))
	printf '%s\n' "$@" >"$T/patterns"
	awk '
		FNR == NR { wanted[++n] = $0; next }
		{ line[++lines] = $0 }
		END {
			for (i = 1; i <= lines; i++) {
				for (j = 1; j <= n && line[i + j - 1] == wanted[j]; j++)
					;
				if (j > n)
					exit 0
			}
			exit 1
		}' "$T/patterns" "$file" || problem "expected these $what, one after the other:
$(sed 's/^/    /' "$T/patterns")"
}

# expect_stack FRAME...: consecutive frames, as "stacks" prints them.
expect_stack()
{
	stacks "$T/out" >"$T/stacks"
	consecutive frames "$T/stacks" "$@"
}

# traces FILE: traces without what differs from run to run and from rung to rung: times, durations,
# thread ids, and the width of columns. "TID/PID (dd/dd):", "    ↔ filename_create [-EEXIST]".
traces()
{
	sed -E -e 's/^(#[0-9]+ [0-9-]+ )?[0-9:.]+ -> [0-9:.]+( [-+][0-9:]+)? (TID\/PID) [0-9]+\/[0-9]+/\3/' \
		-e 's/ +[0-9.]+[mu]?s$//' -e 's/ +(\[[^]]*\])$/ \1/' \
		-e '/^FUNCTION CALLS/d' -e '/^-+ +-+ +-+$/d' "$1" | grep -v '^ *$'
}

# json_traces FILE: the same of sessions in JSON.
json_traces()
{
	sed -e 's/"calls":\[/\n/' -e 's/{"kind":/\n&/g' "$1" | awk '
		function value(key,  text) {
			if (!match($0, "\"" key "\":(\"[^\"]*\"|[^,}]*)"))
				return ""
			text = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
			gsub(/"/, "", text)
			return text
		}
		/"type":"session"/ { printf "TID/PID (%s/%s):\n", value("comm"), value("proc_comm") }
		/^[{]"kind":/ {
			kind = value("kind")
			arrow = kind == "call" ? "→" : kind == "return" ? "←" : kind == "leaf" ? "↔" : "‼"
			printf "%" value("depth") * 4 "s%s %s", "", arrow,
				arrow == "‼" ? kind " " value("count") : value("function")
			if (kind == "return" || kind == "leaf") {
				errno = value("errno")
				result = value("result")
				printf " [%s]", errno == "null" ? result : errno == "NULL" ? errno : "-" errno
			}
			print ""
		}'
}

# expect_trace LINE...: consecutive lines, as "traces" prints them.
expect_trace()
{
	traces "$T/out" >"$T/traces"
	consecutive lines "$T/traces" "$@"
}

# expect_nested: in each trace every ← ends the → that it should, whatever was lost in between, and
# the trace begins and ends with the entry call, unless it says that its end was lost.
expect_nested()
{
	expectations=$((expectations + 1))
	awk '
		function wrong(why) {
			if (bad++ < 3)
				print "line " NR ": " why ": " $0
		}
		function finish() {
			if (header && !lines)
				wrong("no trace before")
			if (header && depth && !free)
				wrong("the trace before does not end")
			traces += header
		}
		/ TID\/PID / { finish(); header = 1; lines = depth = free = 0; next }
		!/^ *(…[0-9]+ )?(→|←|↔|‼) / { next }
		{
			match($0, /^ */)
			at = RLENGTH / 4
			rest = substr($0, RLENGTH + 1)
			if (rest ~ /^…/) {
				sub(/^…/, "", rest)
				at = rest + 0
				sub(/^[0-9]+ /, "", rest)
			}
			split(rest, word, " ")
			lines++
			if (!header)
				wrong("no header")
			if (lines > 1 && !depth && !free)
				wrong("more after the end")
			if (word[1] == "‼") {
				if (rest ~ /lost here$/) {
					for (i = 1; i < depth; i++)
						doubt[i] = 1
					free = 1
				} else if (rest ~ /not seen$/) {
					depth = at
				}
				next
			}
			below = word[1] == "←" ? at + 1 : at
			if (free)
				for (i = depth; i < below; i++) { open[i] = "?"; doubt[i] = 1 }
			else if (below != depth)
				wrong("depth " at " where " depth " calls are open")
			free = 0
			depth = at
			if (word[1] == "→") {
				open[at] = word[2]
				doubt[at] = 0
				depth = at + 1
			} else if (word[1] == "←" && open[at] != word[2] && !doubt[at]) {
				wrong("not the return of " open[at])
			}
		}
		END {
			finish()
			if (!traces)
				print "no trace at all"
			exit bad || !traces
		}' "$T/out" >"$T/nesting" || problem "wrong nesting: $(cat "$T/nesting")"
}

# fails_in CGROUP: a failing call of a process in it; a path to its directory.
fails_in() { sh -c 'echo $$ >"$0/cgroup.procs"; exec simfail fs-mkdir-exists' "$1"; }

# fault_of CASE: the functions that simfail says may be at fault, as a pattern.
fault_of() { simfail -l | awk -v name="$1" '$1 == name { print $3 }'; }

# explains CASE ERRNO [LINE...]: retsnoop why names the function at fault and a branch in it, with these
# lines.
explains()
{
	test_that "$1: the function at fault and its branch"
	run retsnoop why -x "$2" -- simfail "$1"
	expect_status 0
	expect_out "^($(fault_of "$1")) returned -$2\$" '^  branch (not )?taken at '
	expect_no_out 'likely|not known'
	expect_err_lines 1
	shift 2
	for line; do
		expect_out "$line"
	done
}
