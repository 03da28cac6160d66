# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# What in a kernel's console log fails a test run, for scripts/vm --strict. Sourced, in guests, too.

# Patterns, one per line, each with what prints it.
trouble_patterns()
{
	sed 's/		*#.*//' <<'END'
WARNING:			# WARN(), lockdep
BUG:				# BUG(), KASAN, page faults, soft lockups, sleeping while atomic
kernel BUG at			# BUG(), which says no "BUG:" before the place
BUG [^ ]+ \(			# SLUB, of an object that was overwritten: "BUG kmalloc-64 (Not tainted)"
Oops				# die()
Internal error:			# die() of arm64, of faults that are no Oops
Unable to handle kernel		# page faults of arm64 and riscv
general protection		# traps without an Oops line of their own
Kernel panic			# panic()
Call [Tt]race:			# dump_stack() of whatever kind; "Call trace:" on arm64 and riscv
---\[ end trace			# the end of WARN(), die() and UBSAN, whose beginning may be lost
[Hh]ung task			# khungtaskd's settings
blocked for more than		# khungtaskd
rcu.*stall			# RCU's stall detector
END
}

# What is no trouble, one per line: removed before the patterns are looked for.
allowed_lines()
{
	sed 's/		*#.*//' <<'END'
rcu_cpu_stall_timeout	# a setting of RCU's stall detector, among the kernel's arguments
RETBleed: WARNING: Spectre v2 mitigation leaves CPU vulnerable	# an emulated CPU model, on every such machine
END
}

# kernel_trouble LOG [ALLOWED]: the first line of trouble, as NUMBER:LINE; nothing where there is none. ALLOWED
# is one more pattern of what is no trouble.
kernel_trouble()
{
	tr -d '\r' <"$1" | sed -E -e "$(allowed_lines | sed 's/.*/s,&,,/')" -e "s,${2:-^$},," |
		grep -nE -m 1 -e "$(trouble_patterns | tr '\n' '|' | sed 's/|$//')"
}
