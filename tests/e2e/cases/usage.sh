#!/bin/sh
# Asked in the wrong way, or for what isn't there.
. "${0%/*}/../lib.sh"

test_that 'no entry function is a usage error'
run retsnoop stack
expect_status 2
expect_out_empty
expect_err '^retsnoop: .*-e'

test_that 'an unknown option is a usage error'
run retsnoop --no-such-option
expect_status 2
expect_out_empty
expect_err 'no-such-option'

test_that 'an unknown command offers the nearest'
run retsnoop stak
expect_status 2
expect_out_empty
expect_err stack

details_on 6.1 || exit 0

test_that 'an unknown function offers the nearest'
run retsnoop -e do_mkdiratt -- true
expect_status 1
expect_out_empty
expect_err "'do_mkdiratt' matches no function; did you mean '[a-z_]*mkdirat'"

test_that 'a glob in -a that matches nothing is a warning only'
run retsnoop -sn -e $mkdir -a 'no_such_function*' -- simfail fs-mkdir-exists
expect_status 0
expect_err "-a 'no_such_function\*' matches no function"
expect_sessions 1

# do_mount_root is gone when the kernel has booted, do_umount is not.
test_that 'a glob inside another one is not said to match only what cannot be traced'
run retsnoop --dry-run -e $mkdir -a 'do_*' -a 'do_*mount*'
expect_status 0
expect_no_err 'matches only'

test_that 'a bad glob file is named'
run retsnoop -e @/no/such/file
expect_status 3
expect_out_empty
expect_err '/no/such/file'

test_that '--help and --version are on standard output, nothing on standard error'
run_sh 'retsnoop --help && retsnoop --version && retsnoop stack --help'
expect_status 0
expect_out '^Usage: retsnoop' '^retsnoop .*[0-9]\.[0-9]' '^Usage: retsnoop stack'
expect_no_err .

test_that 'every command has help'
run_sh 'for c in $(retsnoop --list-cmds); do retsnoop $c -h || exit; done'
expect_status 0
expect_out '^Usage: retsnoop stack' '^Usage: retsnoop funcs'
expect_no_err .
