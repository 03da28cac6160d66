#!/bin/sh
# retsnoop why: functions that somebody else traces meanwhile, and has probes in.
. "${0%/*}/../lib.sh"

# they_trace: whether that function is traced; arm64's kprobes are not on ftrace's calls.
they_trace()
{
	grep -q '^filename_create ' /sys/kernel/tracing/enabled_functions ||
		grep -q ' filename_create+0x' /sys/kernel/debug/kprobes/list
}

# explained NAME COMMAND...: keep what is explained, without what differs from run to run. Which of two variables with
# the value of an argument names it depends on how much of the way was probed.
explained()
{
	name=$1
	shift
	run retsnoop why -- "$@"
	expect_status 0
	sed -E 's/ \(pid [0-9]+\)//; s/(because \w+)\(\w+\)/\1(...)/; /^other calls that failed/,$d
		/^[0-9]+ runs, /d' "$T/out" >"$T/$name"
}

# as_before NAME COMMAND...: the same is explained now.
as_before()
{
	before=$1
	shift
	explained now "$@"
	expect "it is explained as before: $(diff "$T/$before" "$T/now")" cmp -s "$T/$before" "$T/now"
}

test_that 'while nobody traces'
explained mkdir mkdir /proc
expect_out '= -EEXIST ' ' returned -EEXIST$'
expect 'no kprobe is left' [ ! -s /sys/kernel/debug/kprobes/list ]

if details_on none; then
	test_that 'while nobody traces, a call that has two functions to explain'
	explained mount mount -t nosuchfs none /mnt
	expect_out '= -ENODEV '
fi

if details_on 7.2; then
	for rung in $(some_rungs); do
		test_that "while others trace the functions, all is explained as before (--attach=$rung)"
		load retsnoop trace -S --attach="$rung" -e "$mkdir" -e "${sys}_mount" -a filename_create \
			-a do_mkdirat -a '*lookup_*' -a path_mount -a get_fs_type -a '*get_filesystem' -d '*rcu*'
		tries=300
		until they_trace || [ $((tries -= 1)) -eq 0 ]; do sleep 0.1; done
		expect 'they trace' they_trace
		as_before mkdir mkdir /proc
		! details_on none || as_before mount mount -t nosuchfs none /mnt
		end_loads
	done
fi

test_that 'while others have probes inside the function, all is explained as before'
run retsnoop why -v -- mkdir /proc
function=$(sed -n '/^$/,$ s/^\([a-z_0-9]*\) returned -EEXIST$/\1/p' "$T/out" | head -n 1)
tracing=/sys/kernel/tracing
places=$(seq 60 | sed "s/^/kprobe:$function+/")
# shellcheck disable=SC2086 # a word for each place
retsnoop probe --why $places >"$T/places" 2>&1
nr=0 probes=
for offset in $(sed -n "s/^$function: .* passed +0x0 //p" "$T/out"); do
	nr=$((nr + 1))
	# The kernel takes none on some instructions.
	echo "p:others/at$nr $function$offset" >>$tracing/kprobe_events 2>/dev/null || continue
	echo 1 >$tracing/events/others/at$nr/enable
	probes="$probes at$nr"
done
# The kernel replaces breakpoints by jumps after a while.
sleep 1
expect 'there are probes' [ "$(echo "$probes" | wc -w)" -ge 3 ]
as_before mkdir mkdir /proc

test_that 'while others have probes inside a function, it is known where its instructions begin'
# shellcheck disable=SC2086 # a word for each place
run retsnoop probe --why $places
cat "$T/out" "$T/err" >"$T/now"
expect 'instructions begin at some places' grep -q ' can be used: ' "$T/places"
expect "nothing has changed: $(diff "$T/places" "$T/now")" cmp -s "$T/places" "$T/now"
for probe in $probes; do
	echo 0 >$tracing/events/others/"$probe"/enable
	echo "-:others/$probe" >>$tracing/kprobe_events
done
