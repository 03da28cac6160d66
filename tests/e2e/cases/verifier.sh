#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How much work the kernel's verifier has with the BPF programs: it is most of what starting takes, and
# with fentry it comes again for each function. tests/verified/limits has what it may be.
. "${0%/*}/../lib.sh"

limits=${0%/*}/../../verified/limits

# limit_for COMMAND: in the kernel's column, of the compiler's rows; nothing: there is none.
limit_for()
{
	awk -v kernel="$kernel" -v command="$1" -v clang="${E2E_CLANG%%.*}" '
		$1 == "clang" { for (i = 3; i <= NF; i++) if ($i == kernel) column = i }
		$1 == clang && $2 == command && column && $column != "-" { print $column }' "$limits"
}

# options_of COMMAND: of a row of the table.
options_of()
{
	case $1 in
	all)	echo -T -E -S -I -A ;;
	*)	echo "$1" ;;
	esac
}

for rung in $(all_rungs); do
	for command in stack trace args all; do
		test_that "--attach=$rung: the verifier's work for '$command' is what it was"
		allowed=$(limit_for "$command")
		# shellcheck disable=SC2046	# options
		start retsnoop $(options_of "$command") --attach="$rung" -e $mkdir
		# With fentry there are two programs for each function: of one function here.
		found=$(verified | awk '/^(entry|exit|session)_/ { sum += $2 } END { print sum + 0 }')
		simfail fs-mkdir-exists
		stop INT
		expect_status 0
		expect_sessions 1
		! since 5.16 || expect 'the kernel says what it looked at' [ "$found" -gt 0 ]
		echo "# verified $kernel $rung $command $found"
		if ! since 5.16; then
			skip 'this kernel does not say what it looked at'
		elif [ -z "$allowed" ]; then
			skip "tests/verified/limits has nothing for this kernel and compiler: $found instructions"
		else
			expect "$found instructions to be at most $allowed" [ "$found" -le "$allowed" ]
			expect "$found instructions to be near $allowed: lower the limit" \
				[ "$found" -ge $((allowed * 3 / 4)) ]
		fi
	done
done
