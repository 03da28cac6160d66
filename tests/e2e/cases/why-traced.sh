#!/bin/sh
# retsnoop why: functions that somebody else traces meanwhile.
. "${0%/*}/../lib.sh"

# explained FILE: what is the same in each run of it. Which of two variables with the value of an argument names it
# depends on how much of the way was probed.
explained()
{
	sed -E 's/ \(pid [0-9]+\)//; s/(because \w+)\(\w+\)/\1(...)/; /^other calls that failed/,$d; /^[0-9]+ runs, /d' "$1"
}

# alone NAME COMMAND...: what is explained while nobody traces.
alone()
{
	name=$1
	shift
	run retsnoop why -- "$@"
	expect_status 0
	explained "$T/out" >"$T/$name"
}

# traced NAME COMMAND...: the same is explained now.
traced()
{
	name=$1
	shift
	run retsnoop why -- "$@"
	expect_status 0
	explained "$T/out" >"$T/now"
	expect "it is explained as when nobody traced: $(diff "$T/$name" "$T/now")" cmp -s "$T/$name" "$T/now"
}

test_that 'while nobody traces'
alone mkdir mkdir /proc
expect_out '= -EEXIST ' ' returned -EEXIST$'
alone mount mount -t nosuchfs none /mnt
expect_out '= -ENODEV '

for rung in $(some_rungs); do
	test_that "while others trace the functions, all is explained as before (--attach=$rung)"
	load retsnoop trace -S --attach="$rung" -e "$mkdir" -e "${sys}_mount" -a filename_create -a do_mkdirat \
		-a '*lookup_*' -a path_mount -a get_fs_type -a '*get_filesystem' -d '*rcu*'
	tries=300
	until grep -q '^filename_create ' /sys/kernel/tracing/enabled_functions || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.1
	done
	expect 'they trace' grep -q '^filename_create ' /sys/kernel/tracing/enabled_functions
	traced mkdir mkdir /proc
	traced mount mount -t nosuchfs none /mnt
	end_loads
done
