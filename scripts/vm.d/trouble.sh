# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What in a kernel's console log fails a test run, for scripts/vm --strict. Sourced.

# Each with what prints it.
trouble_patterns=(
	'WARNING:'			# WARN(), lockdep
	'BUG:'				# BUG(), KASAN, page faults, soft lockups, sleeping while atomic
	'Oops'				# die()
	'general protection'		# traps without an Oops line of their own
	'Kernel panic'			# panic()
	'Call Trace:'			# dump_stack() of whatever kind
	'[Hh]ung task'			# khungtaskd's settings
	'blocked for more than'		# khungtaskd
	'rcu.*stall'			# RCU's stall detector
)

# What is no trouble: removed before the patterns are looked for.
allowed_lines=(
	# The kernel's opinion of an emulated CPU model: it says so on every such machine.
	'RETBleed: WARNING: Spectre v2 mitigation leaves CPU vulnerable'
)

# kernel_trouble LOG: the first line of trouble, as NUMBER:LINE; nothing where there is none.
kernel_trouble()
{
	local allowed=() line pattern patterns=()
	for line in "${allowed_lines[@]}"; do allowed+=(-e "s/$line//"); done
	for pattern in "${trouble_patterns[@]}"; do patterns+=(-e "$pattern"); done
	tr -d '\r' <"$1" | sed "${allowed[@]}" | grep -nE -m 1 "${patterns[@]}"
}
