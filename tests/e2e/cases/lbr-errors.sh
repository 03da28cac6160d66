#!/bin/sh
# Different errors of one function, told apart by the branches before them.
# machines: lbr lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# Where there is debug info.
details_on 6.1 || exit 0

# In the order of the conditions in array_map_alloc_check(): an array of no entries, with keys of 8
# bytes, of values of no bytes, with flags that arrays have not, all four EINVAL from one statement;
# with values beyond what there can be, E2BIG from one further down.
errors='bpf-array-max-entries-0 bpf-bad-map-key-size-array bpf-array-value-size-0 bpf-array-bad-flags
	bpf-bad-map-val-size-percpu-array'

# jumps: "N FROM PLACE TO PLACE" of the last jump inside array_map_alloc_check before it returned, for
# the error of number N; without debug info places are "-". Nothing where an interrupt took the ring.
jumps()
{
	awk '
		function finish() {
			if (sessions && from)
				print int((sessions + 1) / 2), from
		}
		function place(text,  where) {
			return match(text, /\([^()]*:[0-9]+:[0-9]+\)/) ? substr(text, RSTART + 1, RLENGTH - 2) : "-"
		}
		/ TID\/PID / { finish(); sessions++; from = "" }
		/^\[#[0-9]+\] array_map_alloc_check\+.*->  array_map_alloc_check\+/ {
			split($0, side, /->  /)
			split(side[1], left, / +/)
			split(side[2], right, / +/)
			from = left[2] " " place(side[1]) " " right[1] " " place(side[2])
		}
		END { finish() }' "$T/out" | sort -u
}

# all_errors OPTION...: each error twice.
all_errors()
{
	run retsnoop lbr --lbr=any "$@" -e __sys_bpf -a array_map_alloc_check -- simfail -n 2 $errors
	expect_status 0
	expect_sessions 10
	jumps >"$T/jumps"
	cp "$T/out" "$T/kept"
}

# same_output: one more test of what the last all_errors showed.
same_output() { cp "$T/kept" "$T/out"; }

test_that 'each error has a jump of its own, the same each time'
all_errors -sn
expect "one jump an error ($(cat "$T/jumps"))" [ "$(cut -d' ' -f1 "$T/jumps" | tr '\n' ' ')" = '1 2 3 4 5 ' ]
expect "five jumps ($(cat "$T/jumps"))" [ "$(cut -d' ' -f2 "$T/jumps" | sort -u | wc -l)" -eq 5 ]
expect "two places to go ($(cat "$T/jumps"))" [ "$(cut -d' ' -f4 "$T/jumps" | uniq | wc -l)" -eq 2 ]

test_that 'the end of each session names that jump'
same_output
while read -r _ from _ to _; do
	expect_out "^  branch taken at ${from%+*}\\+${from#*+}   -> \\+${to#*+}"
done <"$T/jumps"
expect_out '^array_map_alloc_check returned -EINVAL$' '^array_map_alloc_check returned -E2BIG$'

has_lines || exit 0

test_that 'each jump is at a place of its own in the source'
all_errors
expect "one place an error ($(cat "$T/jumps"))" \
	[ "$(grep -c "^[1-5] [^ ]* $arraymap:[0-9]*:[0-9]* [^ ]* $arraymap:[0-9]*:[0-9]*\$" "$T/jumps")" -eq 5 ]
expect "five places ($(cat "$T/jumps"))" [ "$(cut -d' ' -f3 "$T/jumps" | sort -u | wc -l)" -eq 5 ]

test_that 'the places are in the order of the conditions, and lead to the error'
same_output
expect "rising lines and columns ($(cat "$T/jumps"))" awk '
	{
		split($3, from, ":")
		split($5, to, ":")
		now = from[2] * 1000 + from[3]
		if (now <= last || to[2] <= from[2] || to[2] - from[2] > 6 || NR < 5 && error && to[2] != error)
			bad = 1
		last = now
		error = to[2]
	}
	END { exit bad || NR != 5 }' "$T/jumps"

test_that 'the end of each session names the line, and those passed over'
same_output
# The third and fourth are about the line below: GCC has their jumps at the operator that ends a line.
while read -r nr _ from _ to; do
	to=${to#*:}
	case $nr in
	3|4)	line=${from#*:}
		from=${from%%:*}:$((${line%%:*} + 1)) ;;
	esac
	expect_out "^  branch taken at $from   -> :${to%%:*}"
done <"$T/jumps"
expect_out '^  branch taken at .*lines [0-9]+-[0-9]+ not reached\)'
