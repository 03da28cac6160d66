#!/bin/sh
# Traces longer than a session's buffer, and traces of which something had to be left out.
. "${0%/*}/../lib.sh"

mkdir "$T/files"
mount -t tmpfs none "$T/files"
trap 'end_test; umount "$T/files"; rm -rf "$T"' EXIT

# A write of 1024 pages, some calls for each.
write_many="rm -f $T/files/it; dd if=/dev/zero of=$T/files/it bs=4M count=1 2>/dev/null"
get_page=shmem_get_folio_gfp
! is_kernel 5.10 || get_page=shmem_getpage_gfp
many="-sn -S -v -e generic_perform_write -a shmem_write_begin -a shmem_write_end -a $get_page"

test_that 'a trace that fits its buffer'
# shellcheck disable=SC2086
run retsnoop trace $many -C bpf.session-buf-size=128K -- sh -c "$write_many"
expect_status 0
expect_sessions 1
expect_nested
expect_trace 'TID/PID (dd/dd):' '→ generic_perform_write'
expect 'thousands of calls' [ "$(grep -cE '(→|↔)' "$T/out")" -gt 2048 ]
expect_err 'nothing (known to be )?missed' 'ring buffer: 2 records'
traces "$T/out" >"$T/whole"

test_that 'one that is much longer than its buffer is the same'
# shellcheck disable=SC2086
run retsnoop trace $many -C bpf.session-buf-size=1K -- sh -c "$write_many"
expect_status 0
expect_sessions 1
traces "$T/out" >"$T/parts"
expect 'the same trace' cmp "$T/whole" "$T/parts"
expect_err 'nothing (known to be )?missed' 'ring buffer: [0-9]{2,} records'

if details_on 7.2; then
	test_that 'one that does not pass after all is not shown, others are'
	# shellcheck disable=SC2086
	run retsnoop trace $many -Sn -e $mkdir -C bpf.session-buf-size=1K -- sh -c "$write_many; simfail fs-mkdir-exists"
	expect_status 0
	expect_sessions 1
	expect_trace 'TID/PID (simfail/simfail):' "↔ $mkdir [-EEXIST]"
	expect_no_out 'generic_perform_write'
	expect_err '^retsnoop: 1 session shown, nothing (known to be )?missed' 'ring buffer: [0-9]{2,} records'

	test_that 'with nothing else, nothing is shown'
	# shellcheck disable=SC2086
	run retsnoop trace $many -x EPERM -C bpf.session-buf-size=1K -- sh -c "$write_many"
	expect_status 1
	expect_out_empty
fi

# A write into a pipe goes on when its reader does: 16 pages, which is what a pipe holds, 160 more,
# and the rest of 256. Meanwhile retsnoop stands still or not.
cat >"$T/pace" <<'END'
exec 3<"$1"
dd bs=64k count=10 <&3 >/dev/null 2>&1
sleep 0.5
kill -CONT "$2"
sleep 0.5
dd bs=64k <&3 >/dev/null 2>&1
END
mkfifo "$T/pipe"
alloc=$(first_func __alloc_frozen_pages_noprof __alloc_pages_noprof __alloc_pages_nodemask __alloc_pages)

# pipe_write OPTION...: what is traced is a write of 256 pages into a pipe.
pipe_write()
{
	stopped=$1
	shift
	start retsnoop trace -sn -S -n dd -e ksys_write -a vfs_write -a $alloc -L 500 "$@"
	[ -z "$stopped" ] || kill -STOP $pid
	dd if=/dev/zero of="$T/pipe" bs=1M count=1 2>/dev/null &
	sh "$T/pace" "$T/pipe" $pid
	stop INT
}

calls_of() { grep -cE '(→|↔) ' "$1"; }
lost_in() { sed -nE 's/^.*‼ ([0-9]+) calls? lost here$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }

test_that 'a slow write is traced'
pipe_write ''
expect_status 0
expect_sessions 1
expect_nested
expect_no_out 'lost'
total=$(calls_of "$T/out")
expect 'a call for most pages' [ "$total" -ge 220 ]

test_that 'calls that found no room are counted where they are missing, and what follows is right'
pipe_write stopped -C bpf.session-buf-size=1K -C bpf.ringbuf-size=4K
expect_status 0
expect_sessions 1
expect_nested
expect_trace 'TID/PID (dd/dd):' '→ ksys_write' '    → vfs_write'
expect_out "^        ↔ $alloc " '^ +‼ [0-9]+ calls lost here$' "^        ↔ $alloc " '^    ← vfs_write +\[1048576\]' \
	'^← ksys_write +\[1048576\] .*[0-9][mu]?s$'
lost=$(lost_in "$T/out")
expect 'some lost' [ "$lost" -gt 0 ]
expect "shown and lost ones, $(calls_of "$T/out") and $lost, to be all $total" \
	[ $(($(calls_of "$T/out") + lost)) -eq "$total" ]
expect_err "^retsnoop: 1 session shown, some may be missing" \
	"^ +$lost calls are missing in traces: there was no room for them; try -C bpf.ringbuf-size=N"

test_that 'calls nested too deep are counted where they are missing'
run retsnoop trace -sn -S --max-depth=3 -e ksys_write -a ep_poll_callback -- simfail deep-epoll-wake
expect_status 0
expect_sessions 1
expect_nested
expect_trace '→ ksys_write' '    → ep_poll_callback' '        → ep_poll_callback' \
	'            ‼ 3 calls nested deeper than 3 not kept' '        ← ep_poll_callback [1]' \
	'    ← ep_poll_callback [1]' '← ksys_write [8]'
expect_err '^retsnoop: 1 session shown, some may be missing' \
	'^ +3 calls were nested deeper than 3 and not kept; try --max-depth=256'
