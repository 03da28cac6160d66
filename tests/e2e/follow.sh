# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2154	# what lib.sh sets
# For cases that follow a document, doing what it does; sourced after lib.sh.
#
# Commands in it stand behind four blanks and "# " or "$ ", and may go on behind a backslash; the
# indented lines below are what comes of it. Of those,
#
#	- all that goes to standard output is there, in order, a line "..." standing for any number,
#	- others are on standard error, in order; not all of that need be there.
#
# Times, process ids, addresses and the like may differ, as may white space; offsets, source lines
# and all other numbers only if the document does not name the kernel that is running.

documents=${0%/*}/../../..

# what_differs: from run to run; and other numbers from kernel to kernel.
what_differs()
{
	sed -E -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ -> [0-9:.]+/TIME -> TIME/' \
		-e 's,TID/PID [0-9]+/[0-9]+,TID/PID N/N,' \
		-e 's/\b[0-9]+(\.[0-9]+)? ?[mun]?s\b/TIME/g' -e '/\|[@ ]*\|$/d' \
		-e 's/[0-9.]+ [KM]?i?B([^a-z]|$)/SIZE\1/' -e 's/bpf_trampoline_[0-9]+\+0x[0-9a-f]+/bpf_trampoline/' \
		-e 's/(_pid ?= ?|\(pid )[0-9]+/\1N/g' -e 's/0x[0-9a-f]{9,}/ADDRESS/g' -e 's/(^|[^0-9a-f])ffffffff[0-9a-f]{8}/\1ADDRESS/g' \
		-e 's/--+/--/g' -e 's/[ \t]+/ /g' -e 's/^ //' -e 's/ $//' -e '/^$/d' "$1" |
	if [ -n "$same_kernel" ]; then
		cat
	else
		sed -E -e 's/0x[0-9a-f]+/N/g' -e 's/[0-9]+/N/g'
	fi
}

# as_written EXPECTED OUT ERR: all what_differs; prints the first line that is not as it should be.
as_written()
{
	awk -v out="$2" -v err="$3" '
		BEGIN {
			while ((getline line <out) > 0)
				o[++n] = line
			while ((getline line <err) > 0)
				e[++m] = line
			i = j = 1
		}
		function in_out(line,  k) {
			for (k = i; k <= (any ? n : i) && k <= n; k++) {
				if (o[k] == line) {
					i = k + 1
					any = 0
					return 1
				}
			}
			return 0
		}
		function in_err(line,  k) {
			for (k = j; k <= m; k++) {
				if (e[k] == line) {
					j = k + 1
					return 1
				}
			}
			return 0
		}
		$0 == "..." { any = 1; next }
		!in_out($0) && !in_err($0) {
			print "the document has: " $0 "\nthere is: " o[i]
			bad = 1
			exit
		}
		END {
			if (!bad && i <= n && !any)
				print "the document does not have: " o[i]
		}' "$1"
}

# follow DOCUMENT: a test for each command.
follow()
{
	same_kernel=
	! grep -qF "$(uname -r)" "$documents/$1" || same_kernel=yes
	mkdir "$T/follow" "$T/there"
	awk -v dir="$T/follow" '
		more {
			sub(/^[ \t]*/, "")
			more = sub(/\\$/, "")
			printf "%s%s", $0, more ? "" : "\n" >command
			next
		}
		/^    [#$] / {
			command = sprintf("%s/%03d.command", dir, ++n)
			output = sprintf("%s/%03d.output", dir, n)
			printf "" >output
			sub(/^    [#$] /, "")
			more = sub(/\\$/, "")
			printf "%s%s", $0, more ? "" : "\n" >command
			next
		}
		n && /^    / { print substr($0, 5) >output; next }
		/./ { output = "/dev/null" }' "$documents/$1"
	for command in "$T"/follow/*.command; do
		text=$(cat "$command")
		test_that "$1: $text"
		case $text in
		strace\ *)	command -v strace >/dev/null || { skip 'no strace here'; continue; } ;;
		esac
		what_differs "${command%.command}.output" >"$T/written"
		# An interrupt may take a part of a branch record.
		for try in 1 2 3 4 5; do
			run_sh "cd $T/there && $text"
			grep -qE '\(interrupt|no branch of' "$T/out" || break
		done
		echo "\$ $text" >"$T/command"
		what_differs "$T/out" >"$T/out.same"
		what_differs "$T/err" >"$T/err.same"
		expectations=$((expectations + 1))
		as_written "$T/written" "$T/out.same" "$T/err.same" >"$T/differs"
		[ ! -s "$T/differs" ] || problem "$(cat "$T/differs")"
		[ -s "$T/written" ] || expect_status 0
	done
	rm -r "$T/follow" "$T/there"
}
