#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Modules that are loaded and unloaded while a run traces: their functions are attached and let go of.
# changes the machine: loads and unloads modules
. "${0%/*}/../lib.sh"

rmmod dummy 2>/dev/null
needs_modules dummy
traced='^retsnoop: module dummy was loaded: [0-9]+ functions? of it (is|are) traced from now on'

# refused_link: a link of a kind that dummy refuses (a multicast address).
refused_link() { ip link add "$1" address 01:00:00:00:00:00 type dummy 2>/dev/null; }

for rung in $(some_rungs); do
	# It has no BTF of modules, which fentry needs.
	if [ "$rung" = fentry ] && is_kernel 5.10; then
		test_that "$rung: that it takes no function of a module is said when one is loaded"
		start retsnoop --attach=fentry -e "$mkdir" -e 'dummy_validate [dummy]'
		modprobe dummy
		wait_for 120 "$T/err" "no way to attach to 'dummy_validate' on this kernel with fentry: BTF does not have it"
		simfail fs-mkdir-exists
		stop TERM
		expect_status 0
		expect_sessions 1
		expect_err 'BTF does not have it'
		rmmod dummy
		continue
	fi
	test_that "$rung: functions of a module that is loaded later are traced"
	start retsnoop --attach="$rung" -e "$mkdir" -e 'dummy_*'
	modprobe dummy
	wait_for 120 "$T/err" "$traced" || problem 'nothing is said'
	refused_link d1
	wait_for 60 "$T/out" '\[-EADDRNOTAVAIL\] *dummy_validate' || problem 'no session of it'
	simfail -n 2 fs-mkdir-exists
	stop TERM
	expect_status 0
	expect_sessions 3
	expect 'once' [ "$(grep -cE "$traced" "$T/err")" = 1 ]
	expect_no_err 'start retsnoop again'
	rmmod dummy
done

test_that 'an entry function in a module that is not loaded is waited for, inside another one it is traced'
start retsnoop trace -e "$mkdir" -e 'dummy_validate [dummy]' -a 'is_valid_ether_addr'
modprobe dummy
wait_for 120 "$T/err" "$traced" || problem 'nothing is said'
refused_link d1
wait_for 60 "$T/out" '↔ dummy_validate +\[-EADDRNOTAVAIL\]' || problem 'no session of it'
stop TERM
expect_err "^retsnoop: 'dummy_validate \[dummy\]' is traced as soon as such a module is loaded"
rmmod dummy

test_that 'arguments of such a function are captured'
start retsnoop args -e "$mkdir" -e dummy_validate
modprobe dummy
wait_for 120 "$T/err" "$traced" || problem 'nothing is said'
refused_link d1
wait_for 60 "$T/out" '^↔ dummy_validate'
stop TERM
# In registers where modules have no BTF.
arguments='tb=0x[0-9a-f]+ data='
! is_kernel 5.10 || arguments='di=0x[0-9a-f]+ si='
! is_kernel 5.10-arm64 || arguments='x0=0x[0-9a-f]+ x1='
expect_out "^↔ dummy_validate .* $arguments"
rmmod dummy

if details_on 7.2; then
	test_that 'it may come and go'
	start retsnoop --attach=kprobe -e "$mkdir" -e dummy_validate
	for i in 1 2 3; do
		modprobe dummy
		wait_for 120 "$T/err" "$traced" $i || problem 'nothing is said'
		refused_link d$i
		wait_for 120 "$T/out" '\[-EADDRNOTAVAIL\] *dummy_validate' $i || problem 'no session of it'
		rmmod dummy
		wait_for 120 "$T/err" '^retsnoop: module dummy was unloaded: 1 function of it is no longer traced' $i ||
			problem 'nothing is said'
	done
	simfail fs-mkdir-exists
	stop TERM
	expect_status 0
	expect_sessions 4
fi

if details_on 7.2; then
	test_that 'one that was there from the beginning may go and come, too'
	modprobe dummy
	start retsnoop --attach=kprobe -e "$mkdir" -e dummy_validate
	rmmod dummy
	wait_for 120 "$T/err" '^retsnoop: module dummy was unloaded: 1 function of it is no longer traced' ||
		problem 'nothing is said'
	! is_kernel 5.10 || expect_err 'module dummy has no BTF: results of its 1 function count as ints'
	modprobe dummy
	wait_for 120 "$T/err" "$traced" || problem 'nothing is said'
	refused_link d1
	wait_for 120 "$T/out" '\[-EADDRNOTAVAIL\] *dummy_validate' || problem 'no session of it'
	stop TERM
	expect_status 0
	rmmod dummy
fi

test_that 'what came too late is said'
start retsnoop record -o "$T/a.data" -e "$mkdir" -e dummy_validate
suspend
modprobe dummy
kill -s INT "$suspended"
resume
finish_started
expect_err '^retsnoop: warning: module dummy: 1 function that -e or -a selects is not traced: the run ended'
rmmod dummy 2>/dev/null

details_on 7.2 || exit 0

test_that 'a recording gets the functions'
start retsnoop record -A -o "$T/a.data" -e "$mkdir" -e dummy_validate
simfail fs-mkdir-exists
modprobe dummy
wait_for 120 "$T/err" "$traced" || problem 'nothing is said'
refused_link d1
refused_link d2
simfail fs-mkdir-exists
stop TERM
expect_err '^retsnoop: 4 sessions in '
rmmod dummy

test_that 'and its reader knows them'
run retsnoop report -T "$T/a.data"
expect_sessions 4
expect_out '^↔ dummy_validate +\[-EADDRNOTAVAIL\]' '\[-EEXIST\]'

test_that 'counts have them'
run retsnoop report --summary "$T/a.data"
expect_out '^dummy_validate +\[-EADDRNOTAVAIL\] +2 '

test_that 'filters know them'
run retsnoop report -e dummy_validate "$T/a.data"
expect_sessions 2

test_that 'a module that was loaded before is not new'
modprobe dummy
run retsnoop -e "$mkdir" -e dummy_validate -- sh -c 'simfail fs-mkdir-exists; sleep 3'
expect_status 0
expect_no_err 'was loaded'
rmmod dummy

test_that 'a module without selected functions is of no interest'
run retsnoop -e "$mkdir" -- sh -c 'modprobe dummy; simfail fs-mkdir-exists; sleep 3'
expect_status 0
expect_no_err 'was loaded'
rmmod dummy

test_that 'while all is attached and nothing happens, what only attaching needed takes no memory'
start retsnoop -e '*sys_bpf' -a '*map_alloc*'
memory=$(awk '/^VmRSS/ { print $2 }' "/proc/$(program_pid)/status")
stop TERM
expect "less than 30 MB, not $memory kB" [ "$memory" -lt 30000 ]
