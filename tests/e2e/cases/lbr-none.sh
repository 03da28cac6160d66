#!/bin/sh
# Branch records where the machine, or its kernel, has none.
. "${0%/*}/../lib.sh"

if [ "$(uname -m)" = aarch64 ]; then
	why='kernels for arm64 give BPF none'
elif is_kernel 5.10; then
	why='this kernel does not let BPF see them; Linux 5\.16 and later do'
else
	why='this virtual machine has no performance counters; '
fi

test_that 'lbr says in one line what is missing, and traces nothing'
run retsnoop lbr -e $mkdir -- simfail fs-mkdir-exists
expect_status 3
expect_out_empty
expect_err "^retsnoop: no branch records: $why"
expect_err_lines 1

test_that 'so does --lbr when nothing else is to be shown'
run retsnoop stack --no-call-stack --lbr -e $mkdir -- simfail fs-mkdir-exists
expect_status 3
expect_out_empty
expect_err "^retsnoop: no branch records: $why"
expect_err_lines 1

test_that 'stack --lbr shows stacks without'
run retsnoop stack --lbr -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_out "\\[-EEXIST\\] +$mkdir"
expect_no_out '^\[#'
expect_err "no branch records: $why.*going on without"

test_that 'lbr -T shows traces without'
run retsnoop lbr -T -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_out "$mkdir +\\[-EEXIST\\]"
expect_no_out '^\[#'
expect_err "no branch records: $why.*going on without"
