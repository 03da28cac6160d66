#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# retsnoop export on SIGHUP: the list of functions is read again, and counts are kept.
# changes the machine: loads and unloads modules
. "${0%/*}/../lib.sh"

prom=$T/retsnoop.prom
list=$T/functions
mkdir_labels="entry=\"$mkdir\",errno=\"EEXIST\",producer=\"$mkdir\",comm=\"simfail\""
mount_labels="entry=\"${sys}_bpf\",errno=\"E2BIG\",producer=\"${sys}_bpf\",comm=\"simfail\""

# metric NAME{LABELS}: its value in the file.
metric() { sed -n "s/^$1 //p" "$prom" 2>/dev/null; }

# await_metric VALUE NAME{LABELS}: the file is written every second; then expectations tell.
await_metric()
{
	tries=600
	until [ "$(metric "$2")" = "$1" ] || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	expectations=$((expectations + 1))
	[ "$(metric "$2")" = "$1" ] || problem "expected $1 of $2: $(cat "$prom")"
}

# reload: timeout(1), which starts the run, would take the signal for its end.
reload() { kill -HUP "$(program_pid)"; }

test_that 'functions are read again, and what was counted stays counted'
echo "$mkdir" >"$list"
start retsnoop export --prom "$prom" --interval 1 --listen 0 -e "@$list"
port=$(sed -n 's,^Metrics at http://127.0.0.1:\([0-9]*\)/metrics$,\1,p' "$T/err")
simfail -n 7 fs-mkdir-exists
await_metric 7 "retsnoop_failures_total{$mkdir_labels}"
echo ${sys}_bpf >>"$list"
reload
wait_for 120 "$T/err" '^Configuration read again; calls were not counted for [0-9]+ ms\.' ||
	problem 'not read again'
simfail -n 5 fs-mkdir-exists
simfail -n 3 bpf-bad-map-val-size-percpu-array
await_metric 3 "retsnoop_failures_total{$mount_labels}"
await_metric 12 "retsnoop_failures_total{$mkdir_labels}"
await_metric 2 'retsnoop_functions{state="attached"}'
await_metric 1 'retsnoop_reloads_total{result="done"}'
printf 'GET /metrics HTTP/1.1\r\n\r\n' | nc 127.0.0.1 "$port" >"$T/answer"
expect 'the server is the same' grep -q "^retsnoop_failures_total{$mkdir_labels} 12" "$T/answer"

test_that 'what cannot be used changes nothing'
# The run of the test before goes on.
echo 'no such function' >"$list"
reload
wait_for 120 "$T/err" 'warning: SIGHUP: the configuration cannot be used and is left as it was$' ||
	problem 'nothing is said'
simfail -n 2 fs-mkdir-exists
await_metric 14 "retsnoop_failures_total{$mkdir_labels}"
await_metric 1 'retsnoop_reloads_total{result="failed"}'
expect 'counts are kept' [ "$(metric "retsnoop_failures_total{$mount_labels}")" = 3 ]
stop TERM
expect_status 0

details_on 7.2 || exit 0

test_that 'the time without counting includes what is handed on before the change'
start retsnoop export --prom "$prom" --interval 1 --otlp -sn -e "$mkdir" -n simfail
simfail -n 30000 fs-mkdir-exists
read_clock
begun=$now_ms
reload
wait_for 120 "$T/err" '^Configuration read again; ' || problem 'not read again'
read_clock
elapsed=$((now_ms - begun))
gap=$(sed -n 's/^Configuration read again; calls were not counted for \([0-9]*\) ms\.$/\1/p' "$T/err")
# On a fast machine there is not much to be handed on.
[ $elapsed -lt 5000 ] || expect "$gap ms is most of $elapsed ms" [ "$gap" -gt $((elapsed / 2)) ]
expect "$gap ms is not more than $elapsed ms" [ "$gap" -le $elapsed ]
stop TERM
expect_status 0

test_that 'a signal that comes while it starts is kept until it can be answered'
retsnoop export --prom "$prom" --interval 1 -e "$mkdir" >"$T/out" 2>"$T/err" </dev/null &
pid=$!
tries=1000
# It alone is blocked: the run, which takes others, too, has not begun.
until grep -q '^SigBlk:.*0001$' "/proc/$pid/status" || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
done
expect 'it starts' [ $tries -gt 0 ]
kill -HUP $pid
wait_for 60 "$T/err" '^Configuration read again; ' || problem 'not read again'
await_metric 1 'retsnoop_reloads_total{result="done"}'
stop TERM
expect_status 0

test_that 'SIGTERM while it reads the configuration again ends it'
start retsnoop export --prom "$prom" --interval 1 -e "$mkdir"
reload
# Not at once: both signals would be taken together.
sleep 0.1
stop TERM
expect_status 0

if [ ! -e /run/systemd/journal/socket ]; then
	test_that 'a journal that is gone when the configuration is read again costs only the entries'
	# Its name is enough to begin.
	mkdir -p /run/systemd/journal
	: >/run/systemd/journal/socket
	start retsnoop export --prom "$prom" --interval 1 --journal -sn -e "$mkdir" -n simfail
	simfail -n 2 fs-mkdir-exists
	await_metric 2 "retsnoop_failures_total{$mkdir_labels}"
	rm /run/systemd/journal/socket
	reload
	wait_for 120 "$T/err" '^Configuration read again; ' || problem 'not read again'
	simfail -n 3 fs-mkdir-exists
	await_metric 5 "retsnoop_failures_total{$mkdir_labels}"
	await_metric 5 'retsnoop_dropped_total{receiver="journal",reason="unreachable"}'
	stop TERM
	expect_status 0
fi

rmmod dummy 2>/dev/null
if has_module dummy; then
	test_that 'functions of a module that is loaded later are counted, and what else there is goes on'
	start retsnoop export --prom "$prom" --interval 1 -e "$mkdir" -e dummy_validate
	simfail -n 4 fs-mkdir-exists
	await_metric 1 'retsnoop_functions{state="attached"}'
	modprobe dummy
	wait_for 120 "$T/err" '^retsnoop: module dummy was loaded: 1 function of it is traced from now on' ||
		problem 'nothing is said'
	ip link add d1 address 01:00:00:00:00:00 type dummy 2>/dev/null
	simfail -n 2 fs-mkdir-exists
	await_metric 1 'retsnoop_failures_total{entry="dummy_validate",errno="EADDRNOTAVAIL",producer="dummy_validate",comm="ip"}'
	await_metric 6 "retsnoop_failures_total{$mkdir_labels}"
	stop TERM
	expect_status 0
	expect_no_err 'Configuration read again'

	test_that 'a module without selected functions changes nothing'
	rmmod dummy
	start retsnoop export --prom "$prom" --interval 1 -e "$mkdir"
	modprobe dummy
	rm -f "$prom"
	simfail -n 4 fs-mkdir-exists
	await_metric 4 "retsnoop_failures_total{$mkdir_labels}"
	stop TERM
	expect_no_err 'was loaded' 'Configuration read again'
	rmmod dummy
fi

test_that 'a run with a limit ends on SIGHUP'
start retsnoop export --prom "$prom" -e "$mkdir" --duration 1h
stop HUP
expect_status 0
