#!/bin/sh
# Different errors of one function, told apart by the branches before them.
# machines: lbr lbr-1-cpu lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# Offsets in array_map_alloc_check of the jumps to its error, as the kernels here have them, and the
# lines that debug info gives them: for max_entries, key_size, value_size, and map_flags.
case $kernel in
6.1)	offsets='0x22 0x28 0x2f 0x37' lines='58 58 58 59' ;;
6.12)	offsets='0x26 0x2c 0x33 0x3b' lines='58 58 58 59' ;;
7.2)	offsets='0x1e 0x24 0x2b 0x33' lines='59 59 59 60' ;;
esac

# errors: the records of the session's own jumps to the error: "OFFSET (FILE:LINE:COLUMN)", and a line
# "none" for each session that has none. An interrupt may have come, and taken all of the ring.
errors()
{
	awk -v offsets="$offsets" '
		function finish() { if (sessions++ && !found) print "none" }
		BEGIN { n = split(offsets, offset, " ") }
		/ TID\/PID / { finish(); found = 0 }
		/^\[#/ {
			for (i = 1; i <= n; i++)
				if ($2 == "array_map_alloc_check+" offset[i]) {
					print offset[i], $3
					found++
				}
		}
		END { finish() }' "$T/out" | sort | uniq -c
}

test_that 'each error has a jump of its own'
run retsnoop lbr --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail -n 2 \
	bpf-array-max-entries-0 bpf-bad-map-key-size-array bpf-array-value-size-0 bpf-array-bad-flags
expect_status 0
expect_sessions 8
errors >"$T/errors"
for offset in $offsets; do
	expect "sessions with a jump at $offset ($(cat "$T/errors"))" \
		awk -v offset="$offset" '$2 == offset { n += $1 } END { exit n < 1 || n > 2 }' "$T/errors"
done

test_that 'each jump is at a place of its own in the source'
has_lines || skip 'no debug info here'
set -- $lines
for offset in $offsets; do
	expect "$offset at line $1 ($(cat "$T/errors"))" grep -q " $offset ($arraymap:$1:[0-9]*)\$" "$T/errors"
	shift
done
expect 'four places' [ "$(grep -o '(.*)' "$T/errors" | sort -u | wc -l)" -eq 4 ]
