#!/bin/sh
# Eight threads fail at once, each with an errno of its own, which is also its name.
. "${0%/*}/../lib.sh"

calls="-e ${sys}_openat -e ${sys}_fchdir -e ${sys}_unshare -e ${sys}_kill -e ${sys}_socket
	-e $sys_mkdir -a do_sys_openat2 -a do_filp_open -a path_openat -a ksys_unshare -a kill_something_info
	-a __sys_socket -a __sock_create -a filename_create"
rungs=$(all_rungs)
# The others of these kernels are no different, and slow to leave.
! has_rung kprobe-session || rungs='kprobe-session kprobe'
! has_rung fsession-multi || rungs="$rungs fsession-multi"

for rung in $rungs; do
	test_that "no session mixes the calls of threads (--attach=$rung)"
	# shellcheck disable=SC2086
	run retsnoop -sn --attach=$rung $calls -- simfail threads
	cp "$T/out" "$T/all"
	awk '
		function wrong(why) {
			if (!shown++)
				printf "%s: %s\n", why, header
			bad++
		}
		function finish() {
			if (header != "" && frames < 1)
				wrong("no frame with a result")
			frames = 0
		}
		/ TID\/PID / {
			finish()
			header = $0
			name = $NF
			sub(/^\(/, "", name)
			sub(/\/.*/, "", name)
			sessions[name]++
			next
		}
		/\[[^]]*\]/ {
			match($0, /\[[^]]*\]/)
			result = substr($0, RSTART + 1, RLENGTH - 2)
			frames++
			# loading and starting the program, before the threads have their names
			if (name != "simfail" && result != "-" name)
				wrong("a result that is not of this thread: " result)
		}
		END {
			finish()
			n = split("ENOENT EBADF EINVAL ESRCH EAFNOSUPPORT EEXIST ENOTDIR EFAULT", names, " ")
			for (i = 1; i <= n; i++) {
				if (sessions[names[i]] != 300)
					print names[i] ": " sessions[names[i]] + 0 " sessions"
			}
			print bad + 0 " wrong results"
		}' "$T/all" >"$T/out"
	expect_status 0
	expect_out '^0 wrong results'
	missing=$(awk '/sessions$/ { n += 300 - $2 } END { print n + 0 }' "$T/out")
	if [ "$rung" = fsession-multi ] && [ "$missing" -gt 0 ]; then
		# The kernel skips its program while another thread is preempted in it: then say so, and how often.
		expect_err 'sessions shown, some may be missing' 'hits? (was|were) skipped'
		hits=$(awk '/^ *[0-9]+ hits? (was|were) skipped( by the kernel$|: )/ { n += $1 } END { print n + 0 }' "$T/err")
		expect "$missing missing sessions to be among $hits skipped hits" [ "$missing" -le "$hits" ]
	elif is_kernel 5.10 && [ "$rung" = kprobe ] && grep -q sessions "$T/out"; then
		# As many return probes of a function at once as there are CPUs: then say so.
		expect_err 'sessions shown, some may be missing' 'returns were not seen'
	else
		expect_no_out sessions
		expect_err 'sessions shown, nothing (known to be )?missed'
	fi
done
