#!/bin/sh
# -o: what a command prints goes to a file, and what the workload prints does not.
. "${0%/*}/../lib.sh"

shown="$T/shown"
calls="-sn -e $mkdir -a filename_create"
workload='simfail fs-mkdir-exists; echo from the workload'

test_that 'sessions go to the file, messages and the output of the workload do not'
# shellcheck disable=SC2086
run retsnoop $calls -o "$shown" -- sh -c "$workload"
expect_status 0
expect_out '^from the workload$'
expect_no_out EEXIST
expect_err '^Receiving data' '^retsnoop: 1 session'
in_order 'the file' "$shown" "\[-EEXIST\] +$mkdir" 'filename_create'
expect 'nobody else may read it' [ "$(stat -c %a "$shown")" = 600 ]

test_that 'a file with contents is refused before anything is attached or run'
# shellcheck disable=SC2086
run retsnoop $calls -o "$shown" -- sh -c "$workload"
expect_status 3
expect_out_empty
expect_err_lines 1
expect_err "^retsnoop: $shown is there already; remove it"

test_that 'JSON goes to the file with its loss report'
rm "$shown"
# shellcheck disable=SC2086
run retsnoop trace --json $calls -o "$shown" -- sh -c "$workload"
expect_status 0
expect_out '^from the workload$'
expect_no_out '"type"'
in_order 'the file' "$shown" '^\{"type":"session"' '^\{"type":"ledger"'

details_on 7.2 || exit 0

test_that 'a summary goes to the file'
rm "$shown"
# shellcheck disable=SC2086
run retsnoop --summary $calls --output="$shown" -- sh -c "$workload"
expect_status 0
in_order 'the file' "$shown" '^ENTRY FUNCTION ' '^PRODUCER '

test_that 'a dry run prints to the file'
rm "$shown"
# shellcheck disable=SC2086
run retsnoop --dry-run $calls -o "$shown"
expect_status 0
expect_out_empty
in_order 'the file' "$shown" '^filename_create$'

case $(uname -m) in x86_64|aarch64)
	test_that 'why prints its answer to the file, and the command keeps its output'
	rm "$shown"
	run retsnoop why -o "$shown" -x EEXIST -- sh -c "$workload"
	expect_status 0
	expect_out '^from the workload$'
	in_order 'the file' "$shown" EEXIST
esac
