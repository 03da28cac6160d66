#!/bin/sh
# The emulated CPU by itself: its records are of branches that the kernel's code has.
# machines: lbr lbr-1-cpu lbr-4-cpus 7.2/lbr-nehalem
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"

# It is the same CPU under each kernel.
details_on 7.2 || exit 0

depth=16
! grep -q Skylake /proc/cpuinfo || depth=32

test_that 'the kernel knows how many branches this CPU keeps'
run cat /sys/devices/cpu/caps/branches
expect_status 0
expect_out "^$depth\$"

# records NAME [OPTION]... SUBJECT...: into the file of that name, checked.
records()
{
	file=$T/$1
	shift
	run lbr-snapshot "$@"
	mv "$T/out" "$file"
	expect_status 0
	expect 'consistent records' "${0%/*}/../../lbr/check" "$file"
	: >"$T/out"
}

test_that 'every branch is one that the code has, and the code between them runs through'
records any -n 2 fexit array_map_alloc_check map fentry array_map_alloc_check map \
	kretprobe do_sys_openat2 open kprobe do_sys_openat2 open raw_tp sys_enter getppid
expect 'full records' [ "$(grep -c '^branch' "$T/any")" -eq $((depth * 10)) ]
if [ $depth -eq 32 ]; then	# of 16, getting to the program takes all
	expect 'branches of the function' grep -q '^branch [0-9]* [0-9a-f]* array_map_alloc_check+' "$T/any"
fi

test_that 'each CPU has its own'
records cpus -n 8 fexit do_sys_openat2 open
expect 'full records' [ "$(grep -c '^branch' "$T/cpus")" -eq $((depth * 8)) ]

test_that 'a record of returns has nothing else'
records returns -b any_return fexit array_map_alloc_check map
expect 'returns' grep -q '^branch' "$T/returns"

test_that 'a record of calls has nothing else'
records calls -b any_call fexit array_map_alloc_check map
expect 'calls' grep -q '^branch' "$T/calls"

# spoiled SCRIPT: whether the check finds what awk's SCRIPT does to one good ring.
spoiled()
{
	awk "/^ring/ { rings++ } rings > 1 { exit } $1 { print }" "$T/any" >"$T/spoiled"
	if "${0%/*}/../../lbr/check" "$T/spoiled"; then return 1; fi
}

test_that 'a record that is wrong is found'
expect 'another target' spoiled '/^branch .* 0xe8,/ { $7 = "8" }'
expect 'no branch where one is said to be' spoiled '/^branch 3 / { $NF = "0x90,0x90" }'
expect 'a branch in between' spoiled '/^run 3 / { $3 = "ffff" }'
expect 'none at all' spoiled '{ next }'
