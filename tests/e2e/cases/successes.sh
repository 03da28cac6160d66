#!/bin/sh
# Which forms of a command show calls that succeed: traces alone do, stacks and branches do not, -S and
# -x say otherwise; and so do recordings.
. "${0%/*}/../lib.sh"

cd "$T" || exit 3
# Fails with EEXIST, fails with ENOENT, succeeds.
cat >dirs <<'END'
simfail fs-mkdir-exists
mkdir no/such/parent 2>/dev/null
mkdir fine
rmdir fine
END
here="-sn -e $mkdir -a filename_create"
both='-EEXIST -ENOENT'

# results: of the entry calls, in order: of traces, or else of stacks.
results()
{
	sed -nE -e "s/^(←|↔) $mkdir +\[([^]]*)\].*/\2/p" -e t \
		-e "/^(←|↔)/!s/.*[0-9][mu]?s \[([^]]*)\] +$mkdir(\+.*)?\$/\1/p" "$T/out" | xargs
}

# shows WANTED WHAT...: the results of the entry calls that such a command line shows.
shows()
{
	wanted=$1
	shift
	# shellcheck disable=SC2086
	run retsnoop "$@" $here -- sh dirs
	expect_status 0
	traced=$(results)
	# With -E each session has both.
	case " $* " in
	*' -E '*)	wanted=$(for i in $wanted; do echo "$i $i"; done | xargs) ;;
	esac
	expect "$*: $wanted" [ "$traced" = "$wanted" ]
}

if details_on 6.1; then
	test_that 'traces alone show calls that succeed, too'
	shows "$both 0" trace
	shows "$both 0" -T
	shows "$both 0" args
	shows "$both 0" probe kprobe:filename_create
	shows "$both 0" trace -L 1us
fi

test_that 'stacks, also with traces, and branches show calls that fail'
shows "$both" stack
shows "$both" trace -E
shows "$both" trace --lbr

details_on 7.2 || exit 0

test_that '-S adds those that succeed, -Sn and -x leave them out'
shows "$both 0" stack -S
shows "$both" trace -Sn
shows "$both" trace -S -x EEXIST,ENOENT

# words PATTERN WHAT...: what --dry-run -v says of the entry call.
words()
{
	pattern=$1
	shift
	# shellcheck disable=SC2086
	run retsnoop "$@" $here -v --dry-run
	expect_status 0
	expect_err "^  the entry call $pattern\$"
}

test_that '--dry-run -v says which'
words 'returns, failed or not' probe kprobe:filename_create
words 'returns, failed or not' stack --summary
words 'returns, failed or not' record -T -o none.data
words fails trace -E
words fails trace -x EPERM
words fails record -o none.data

test_that 'what succeeds is recorded where it would be shown, and report shows all that was recorded'
# shellcheck disable=SC2086
run retsnoop record -T -o all.data $here -- sh dirs
expect_status 0
expect_err '3 sessions in all.data'
run retsnoop report -i all.data
expect 'all' [ "$(results)" = "$both 0" ]
run retsnoop report -i all.data -Sn
expect 'what failed' [ "$(results)" = "$both" ]
run retsnoop report -i all.data -x any
expect 'what failed' [ "$(results)" = "$both" ]
run retsnoop report -i all.data -E
expect 'stacks of all' [ "$(results)" = "$both 0" ]
run retsnoop report -i all.data -S
expect 'all' [ "$(results)" = "$both 0" ]
expect_no_err warning
# shellcheck disable=SC2086
run retsnoop record -o failed.data $here -- sh dirs
expect_err '2 sessions in failed.data'
run retsnoop report -i failed.data -T
expect 'what failed' [ "$(results)" = "$both" ]
expect_no_err warning
run retsnoop report -i failed.data -T -S
expect_err 'failed.data has no calls that succeeded; record with -S'
