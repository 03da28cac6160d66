# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154	# options in words; what lib.sh and cases set
# What cases about recordings have in common; sourced after lib.sh.

# sessions_of FILE: without what JSON says of the run, which is another.
sessions_of() { grep -v -E '^\{"type":"(ledger|recording)",' "$1"; }

# same_as_live OPTION...: "$calls" are shown while they are recorded, and from the recording, with "$view".
view=
same_as_live()
{
	for format in text json; do
		run retsnoop record $view --live --format=$format -o live.data "$@" -- $calls
		expect_status 0
		sessions_of "$T/out" >"$T/live"
		expect 'something to be shown' [ -s "$T/live" ]
		run retsnoop report $view --format=$format -i live.data
		expect_status 0
		sessions_of "$T/out" >"$T/later"
		expect "the same as live, as $format" cmp "$T/live" "$T/later"
	done
}
