#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Options that make the BPF programs largest, together, with every attach method: the kernel's verifier
# accepts them, and what they show is whole.
# smoke
. "${0%/*}/../lib.sh"

# The kernel tries a program as a script before it tries it as a program.
calls='-e bprm_execve -a load_script'

for rung in $(all_rungs); do
	test_that "--attach=$rung: stacks with -I"
	# shellcheck disable=SC2086
	run_unskipped retsnoop -sn -I --attach="$rung" $calls -- /bin/sh -c "$(command -v simfail) ok-getppid; :"
	expect_status 0
	expect_sessions 2
	expect_out 'simfail/simfail\), interim:' $dispatcher '\.\.\. +bprm_execve' \
		'! .*\[-ENOEXEC\] +load_script'
	expect_err '^retsnoop: 2 sessions shown, nothing (known to be )?missed'

	test_that "--attach=$rung: traces and stacks with -S -I -A"
	argument='bprm=&\{'
	# Its BTF has no static functions.
	! is_kernel 5.10-arm64 || argument='x0=0xffff'
	# shellcheck disable=SC2086
	run_unskipped retsnoop -sn -T -E -S -I -A --attach="$rung" $calls -- simfail ok-getppid
	expect_status 0
	expect_sessions 2
	expect_out 'simfail/simfail\), interim:' '\[-ENOEXEC\] +load_script' \
		'simfail/simfail\):' "^→ bprm_execve +$argument" "^    ↔ load_script +\[-ENOEXEC\] .* $argument" \
		'^← bprm_execve +\[0\]' $dispatcher '\[0\] +bprm_execve'
	expect_err '^retsnoop: 2 sessions shown, nothing (known to be )?missed'
done
