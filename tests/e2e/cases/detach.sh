#!/bin/sh
# Leaving takes long when single probes are many.
. "${0%/*}/../lib.sh"

# background_ends: the process that closes the links does so, and ends. A busy machine may take
# minutes for all of them, but not for one.
background_ends()
{
	background=$(sed -n 's/.*background (pid \([0-9]*\)).*/\1/p' "$T/err")
	tries=600
	before=
	while [ -d "/proc/$background" ] && [ $tries -gt 0 ]; do
		left=$(find "/proc/$background/fd" -mindepth 1 2>"$T/find" | wc -l)
		[ "$left" = "$before" ] || tries=600
		before=$left
		tries=$((tries - 1))
		sleep 0.1
	done
	expect 'an end of that process after a while' [ ! -d "/proc/$background" ]
}

if details_on 6.1; then
	test_that 'a second Ctrl-C while it detaches gives the terminal back'
	start retsnoop -sn --attach=kprobe -e $mkdir -a 'vfs_*' -a 'bpf_map_*'
	simfail fs-mkdir-exists
	kill -s INT $pid
	if wait_for 30 "$T/err" 'Detaching'; then
		kill -s INT $pid 2>/dev/null
	fi
	finish_started
	expect_status 0
	expect_sessions 1
	if [ $duration_ms -lt 500 ] && ! grep -q background "$T/err"; then
		skip 'it was done before'
	else
		expect_err 'links are closed in the background \(pid [0-9]+\)'
		background_ends
	fi
fi

# A single link, which the kernel takes seconds to close in one system call.
test_that 'a second Ctrl-C gives the terminal back with thousands of functions on one link, too'
if has_rung kprobe-session; then
	start retsnoop -sn -e $mkdir -a 's*' -a 't*' -a 'd*' -a 'p*'
	simfail fs-mkdir-exists
	kill -s INT $pid
	if wait_for 30 "$T/err" '^Detaching [0-9]+ functions, .*attaching did \([0-9]+ s\)'; then
		kill -s INT $pid 2>/dev/null
	fi
	finish_started
	expect_status 0
	# If the second Ctrl-C is ignored, it is done, too, but not at once.
	if grep -q '^DONE in' "$T/err" && [ $duration_ms -lt $((500 * $(slowness))) ]; then
		skip 'it was done before'
	else
		expect_err 'The other [1-3] links are closed in the background \(pid [0-9]+\)'
		background_ends
	fi
else
	skip 'this kernel has no link for many functions'
fi
