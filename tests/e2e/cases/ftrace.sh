#!/bin/sh
# What ftrace sees of the same workload: functions and nesting as function_graph records them, results
# as return probes of its own read them. function_graph runs by itself: 7.2 may warn of lost data when
# fprobes are registered while it has calls under way.
# changes the machine: removes others' probes and filters from tracefs
. "${0%/*}/../lib.sh"

tracefs=/sys/kernel/tracing
[ -e $tracefs/trace ] || mount -t tracefs none $tracefs 2>/dev/null

# Nothing of it may be left to other cases.
clean_up()
{
	echo 0 >$tracefs/tracing_on
	[ ! -e $tracefs/events/retsnoop_test ] || echo 0 >$tracefs/events/retsnoop_test/enable
	: >$tracefs/kprobe_events
	echo nop >$tracefs/current_tracer
	: >$tracefs/set_ftrace_filter
	: >$tracefs/trace
	echo 1 >$tracefs/tracing_on
}

# calls FILE: our trace as "DEPTH FUNCTION", in the order of entries, a line "--" before each session.
calls()
{
	awk '
		/ TID\/PID / { print "--" }
		/^ *(→|↔) / {
			match($0, /^ */)
			print RLENGTH / 4, $2
		}' "$1"
}

# graph_calls ENTRY FILE: the same of function_graph's output, for what is inside ENTRY.
graph_calls()
{
	awk -v entry="$1" '
		!/simfail-/ || !/[a-z_0-9.]+\(\)| }/ { next }
		{
			line = $0
			sub(/^[^|]*\|[^|]*\|  /, "", line)
			match(line, /^ */)
			depth = RLENGTH / 2
			name = line
			sub(/^ */, "", name)
			sub(/\(.*/, "", name)
		}
		line ~ /\}/ {
			if (inside && depth == base)
				inside = 0
			next
		}
		name == entry && !inside {
			inside = 1
			base = depth
			print "--"
		}
		inside { print depth - base, name }
		inside && depth == base && line ~ /;/ { inside = 0 }' "$2"
}

# results FILE: our trace as "FUNCTION RESULT", in the order of returns.
results()
{
	awk '
		/ TID\/PID / { print "--" }
		/^ *(←|↔) / && $3 != "[void]" { print $2, $3 }' "$1"
}

# probe_results ENTRY KINDS FILE: the same of the return probes' events.
probe_results()
{
	awk -v entry="$1" '
		BEGIN {
			split("EPERM 1 ENOENT 2 E2BIG 7 EBADF 9 ECHILD 10 EAGAIN 11 ENOMEM 12 " \
			      "EACCES 13 EFAULT 14 EBUSY 15 EEXIST 17 ENODEV 19 ENOTDIR 20 " \
			      "EISDIR 21 EINVAL 22 EOPNOTSUPP 95", list, " ")
			for (i = 1; list[i] != ""; i += 2)
				errno[-list[i + 1]] = "-" list[i]
		}
		FNR == NR { name["f" FNR] = $1; kind["f" FNR] = $2; next }
		!/simfail-/ { next }
		/ begin: / { inside = 1; print "--"; next }
		!inside || !match($0, / f[0-9]+: /) { next }
		{
			id = substr($0, RSTART + 1, RLENGTH - 3)
			x = $0; sub(/.* x=/, "", x); sub(/ .*/, "", x)
			s = $0; sub(/.* s=/, "", s); sub(/ .*/, "", s)
			if (kind[id] == "pointer" || kind[id] == "int64") {
				error = x ~ /^0xfffffffffffff/ && s < 0
				value = error ? s : x == "0x0" ? (kind[id] == "pointer" ? "NULL" : 0) : x
			} else if (kind[id] == "bool") {
				value = s % 256 ? "true" : "false"
			} else if (s + 0 > 1048576 || s + 0 < -1073741824) {
				# path_init() of arm64 is not in BTF: half of its pointer
				value = substr(x, length(x) > 10 ? length(x) - 7 : 3)
				sub(/^0+/, "", value)
				value = "0x" value
			} else {
				value = s
			}
			if (value in errno)
				value = errno[value]
			if (kind[id] != "void")
				print name[id], "[" value "]"
			if (name[id] == entry)
				inside = 0
		}' "$2" "$3"
}

selected="-e $mkdir -a 'filename_*' -a 'path_*at' -a path_init -a 'link_path_walk*' -a walk_component \
	-a 'lookup_*' -a __d_lookup_rcu -a d_lookup -a __d_lookup -a dput -a mntput -a 'getname*' -a putname \
	-a 'security_path_*' -a 'apparmor_path_*' -a 'mnt_*_write' -a done_path_create -a 'may_*' -d 'lookup_*mod*'"
if ! since 6.12 || ! grep -q function_graph $tracefs/available_tracers 2>/dev/null; then
	test_that 'the calls are those that function_graph records'
	skip 'only where it can run beside'
	exit 0
fi

eval retsnoop funcs -q -l "$(echo "$selected" | sed 's/-e /-a /')" 2>/dev/null |
	awk '{ print $1, $6 }' >"$T/functions"

for rung in $(all_rungs); do
	[ "$rung" != kprobe ] && [ "$rung" != fentry ] || continue
	test_that "--attach=$rung: the calls and their nesting are those that function_graph records"
	clean_up
	echo 0 >$tracefs/tracing_on
	while read -r name _; do
		# Where a name is not ftrace's own for the function, the comparison will show it.
		{ echo "$name" >>$tracefs/set_ftrace_filter; } 2>/dev/null
	done <"$T/functions"
	echo 1 >$tracefs/options/funcgraph-proc
	echo function_graph >$tracefs/current_tracer
	# The first time paths are looked up, and kept.
	simfail fs-mkdir-exists >/dev/null 2>&1
	echo 1 >$tracefs/tracing_on
	simfail fs-mkdir-exists fs-mkdir-exists fs-mkdir-exists >/dev/null 2>&1
	echo 0 >$tracefs/tracing_on
	cp $tracefs/trace "$T/graph"
	clean_up
	run_complete "retsnoop trace --attach=$rung -S $selected -- simfail fs-mkdir-exists fs-mkdir-exists fs-mkdir-exists"
	expect_status 0
	calls "$T/out" >"$T/ours"
	graph_calls $mkdir "$T/graph" >"$T/theirs"
	expect 'more than 20 calls to compare' sh -c "[ \$(wc -l <'$T/theirs') -gt 20 ]"
	expect 'the same calls' diff "$T/theirs" "$T/ours"
done

test_that 'results are those that return probes of ftrace read'
clean_up
n=0
echo "p:retsnoop_test/begin $mkdir" >>$tracefs/kprobe_events
while read -r name _; do
	n=$((n + 1))
	# A name that several functions have is refused; the comparison will show if one matters.
	{ echo "r:retsnoop_test/f$n $name x=\$retval:x64 s=\$retval:s32" >>$tracefs/kprobe_events; } 2>/dev/null
done <"$T/functions"
echo 1 >$tracefs/events/retsnoop_test/enable
# Each run is read with its own events.
for _ in 1 2 3 4 5; do
	: >$tracefs/trace
	run_sh "retsnoop trace -S $selected -- simfail fs-mkdir-exists fs-mkdir-exists fs-mkdir-exists"
	! grep -q 'nothing missed' "$T/err" || break
done
cp $tracefs/trace "$T/events"
clean_up
expect_err 'nothing missed'
expect_status 0
results "$T/out" >"$T/ours"
probe_results $mkdir "$T/functions" "$T/events" >"$T/theirs"
expect 'more than 12 results to compare' sh -c "[ \$(wc -l <'$T/theirs') -gt 12 ]"
expect 'the same results' diff "$T/theirs" "$T/ours"
