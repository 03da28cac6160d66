#!/bin/sh
# Different errors of one function, told apart by the branches before them.
# machines: lbr lbr-1-cpu lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# Offsets in array_map_alloc_check of the jumps to its error, as the kernels here have them, and the
# lines that debug info gives them.
case $kernel in
6.1)	max_entries=0x22 key_size=0x28 value_size=0x2f flags=0x37 line=58 flags_line=59 ;;
6.12)	max_entries=0x26 key_size=0x2c value_size=0x33 flags=0x3b line=58 flags_line=59 ;;
7.2)	max_entries=0x1e key_size=0x24 value_size=0x2b flags=0x33 line=59 flags_line=60 ;;
esac

# error SIMFAIL-CASE OFFSET LINE
error()
{
	run retsnoop lbr --lbr=any -e '*sys_bpf' -a array_map_alloc_check -- simfail "$1"
	expect_status 0
	expect_sessions 1
	# Taken to where the error is, and there is no other branch before the return.
	expect_out "^\\[#[0-9]+\\] array_map_alloc_check\\+$2 " '^\[#[0-9]+\] (array_map_alloc_check|its_return_thunk|__x86_return_thunk)\+.*->  '
	if has_lines; then
		expect_out "^\\[#[0-9]+\\] array_map_alloc_check\\+$2 +\\($arraymap:$3:"
	fi
}

test_that 'an array of no entries'
error bpf-array-max-entries-0 $max_entries $line

test_that 'an array with the wrong size of keys'
error bpf-bad-map-key-size-array $key_size $line

test_that 'an array of no bytes'
error bpf-array-value-size-0 $value_size $line

test_that 'an array with flags that it does not have'
error bpf-array-bad-flags $flags $flags_line

test_that 'none of them passes by the jump of another'
run retsnoop lbr --lbr=any -e '*sys_bpf' -a array_map_alloc_check -- simfail bpf-array-bad-flags
expect_no_out "array_map_alloc_check\\+($max_entries|$key_size|$value_size) "
