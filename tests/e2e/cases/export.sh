#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# retsnoop export: failing calls counted in the kernel, as metrics in a file and over HTTP.
# smoke
. "${0%/*}/../lib.sh"

calls="-e $mkdir -a filename_create"
prom=$T/retsnoop.prom

# failures LABELS: the value in the file.
failures() { sed -n "s/^retsnoop_failures_total{$1} //p" "$prom"; }

# expect_failures N LABELS
expect_failures()
{
	expectations=$((expectations + 1))
	value=$(failures "$2")
	[ "$value" = "$1" ] || problem "expected $1 failures of {$2}, got ${value:-none}: $(cat "$prom")"
}

# sum: of all failures in the file.
sum() { awk '/^retsnoop_failures_total/ { n += $NF } END { print n + 0 }' "$prom"; }

# await N LABELS: until the file has so many, which is written every second; then expectations tell.
await()
{
	tries=600
	until [ "$(failures "$2" 2>/dev/null)" = "$1" ] || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
}

# get [HEADER]: what the server answers.
get()
{
	port=$(sed -n 's,^Metrics at http://127.0.0.1:\([0-9]*\)/metrics$,\1,p' "$T/err")
	printf 'GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n' "${2-/metrics}" "${1-X: y}" |
		nc 127.0.0.1 "$port"
}

mkdir_labels="entry=\"$mkdir\",errno=\"EEXIST\",producer=\"filename_create\",comm=\"simfail\""

for rung in $(some_rungs); do
	test_that "each failure is counted once, by its labels, and the file has the last state ($rung)"
	# shellcheck disable=SC2086
	start retsnoop export --attach=$rung --prom "$prom" --interval 1 $calls -e ${sys}_bpf \
		-a array_map_alloc_check
	simfail -n 300 bpf-bad-map-val-size-percpu-array
	simfail -n 5 fs-mkdir-exists
	await 5 "$mkdir_labels"
	expect_failures 5 "$mkdir_labels"
	cp "$prom" "$T/before"
	simfail -n 700 fs-mkdir-exists
	stop INT
	expect_status 0
	expect_failures 705 "$mkdir_labels"
	expect_failures 300 "entry=\"${sys}_bpf\",errno=\"E2BIG\",producer=\"array_map_alloc_check\",comm=\"simfail\""
	expect_failures 0 'entry="other",errno="other",producer="other",comm="other"'
	expect 'calls of retsnoop itself are not counted' [ "$(grep -c 'comm="retsnoop"' "$prom")" -eq 0 ]
	expect_err "^retsnoop: $(sum) calls counted, "
	expect 'only the file' [ "$(find "$T" -name '*.new' | wc -l)" -eq 0 ]
	rm -f "$prom"
done

test_that 'failures are counted by cgroup, of cgroups that are gone, too'
mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
unit=$T/cgroup/system.slice/web.service
# shellcheck disable=SC2086
start retsnoop export --prom "$prom" --by unit $calls -n simfail
for n in 2 3; do
	mkdir -p "$unit"
	sh -c 'echo $$ >"$0/cgroup.procs"; exec simfail -n "$1" fs-mkdir-exists' "$unit" $n
	rmdir "$unit"
done
simfail fs-mkdir-exists
stop INT
rmdir "$T/cgroup/system.slice"
umount "$T/cgroup"
expect_failures 5 "${mkdir_labels%,comm*},unit=\"web.service\""
expect_failures 1 "${mkdir_labels%,comm*},unit=\"\""

details_on 6.1 7.2 || exit 0

id=3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0
mount -t cgroup2 none "$T/cgroup" || exit 3
mkdir "$T/cgroup/crio-$id.scope"
# enters COMMAND...: a process that is put into the container's cgroup.
enters() { sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$T/cgroup/crio-$id.scope" "$@"; }
for rung in $(some_rungs); do
	test_that "an outsider in a container's cgroup is counted apart from the container's own processes ($rung)"
	# shellcheck disable=SC2086
	start retsnoop export --attach=$rung --prom "$prom" --by container $calls -n simfail
	enters simfail -n 3 fs-mkdir-exists
	enters unshare -m simfail -n 4 fs-mkdir-exists
	unshare -m simfail -n 5 fs-mkdir-exists
	simfail -n 6 fs-mkdir-exists
	stop INT
	expect_failures 3 "${mkdir_labels%,comm*},container=\"$id\",outsider=\"true\""
	expect_failures 4 "${mkdir_labels%,comm*},container=\"$id\""
	expect_failures 11 "${mkdir_labels%,comm*},container=\"\""
	rm -f "$prom"
done
rmdir "$T/cgroup/crio-$id.scope"
umount "$T/cgroup"

test_that 'the metrics are served on loopback, in both forms'
# shellcheck disable=SC2086
start retsnoop export --listen 0 $calls
simfail -n 17 fs-mkdir-exists
tries=100
until get | grep -qF "retsnoop_failures_total{$mkdir_labels} 17" || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.2
done
get 'Accept: application/openmetrics-text;version=1.0.0' >"$T/openmetrics"
get 'X: y' / >"$T/404"
printf 'DELETE /metrics HTTP/1.1\r\n\r\n' | nc 127.0.0.1 "$port" >"$T/405"
# A client that asks for nothing holds up neither others nor the end.
sleep 60 | nc 127.0.0.1 "$port" &
idle=$!
get >"$T/text"
stop INT
kill $idle 2>/dev/null
expect_status 0
expect_within 10000
in_order 'text' "$T/text" '^HTTP/1.1 200 OK' '^Content-Type: text/plain; version=0.0.4' \
	'^# TYPE retsnoop_failures_total counter$' "^retsnoop_failures_total.*comm=\"simfail\"} 17\$" \
	'^retsnoop_lost_total.kind="sessions_lost_no_room".' '^retsnoop_functions.state="attached". 2$'
in_order 'OpenMetrics' "$T/openmetrics" '^Content-Type: application/openmetrics-text; version=1.0.0' \
	'^# TYPE retsnoop_failures counter$' "^retsnoop_failures_total.*comm=\"simfail\"} 17\$" '^# EOF$'
in_order '/' "$T/404" '^HTTP/1.1 404 '
in_order 'DELETE' "$T/405" '^HTTP/1.1 405 ' '^Allow: GET'

details_on 7.2 || exit 0

test_that 'SIGTERM ends it, too, and label sets without room are counted together'
# shellcheck disable=SC2086
start retsnoop export --prom "$prom" --max-series 1 --by nothing $calls -e ${sys}_bpf -a array_map_alloc_check
simfail -n 4 fs-mkdir-exists
await 4 "${mkdir_labels%,comm*}"
simfail -n 3 bpf-bad-map-val-size-percpu-array
stop TERM
expect_status 0
expect_failures 4 "${mkdir_labels%,comm*}"
expect_err "^retsnoop: $(sum) calls counted, "
expect 'the other failures in one row' \
	[ "$(failures 'entry="other",errno="other",producer="other"')" -eq $(($(sum) - 4)) ]

test_that 'a file that cannot be written is counted, and a file that cannot be written at the end is status 3'
mkdir "$T/full"
mount -t tmpfs -o size=4k none "$T/full"
# shellcheck disable=SC2086
start retsnoop export --prom "$T/full/prom" --interval 1 --listen 0 $calls
dd if=/dev/zero of="$T/full/much" bs=4k count=1 2>/dev/null
tries=300
until get >"$T/text" && grep -q '^retsnoop_file_errors_total [1-9]' "$T/text" || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
expect 'the errors are counted' grep -q '^retsnoop_file_errors_total [1-9]' "$T/text"
stop TERM
expect_status 3
expect_err '^retsnoop: .*cannot write .*/full/prom: No space left on device'
expect 'no file that is not whole' [ "$(ls "$T/full")" = much ]
umount "$T/full"

test_that 'a workload is counted, and its status is passed on'
# shellcheck disable=SC2086
run retsnoop export --prom "$prom" --forward-status $calls -- sh -c 'simfail -n 9 fs-mkdir-exists; exit 7'
expect_status 7
expect_failures 9 "$mkdir_labels"

test_that 'without cgroup2 nobody wonders why the names are not known'
run unshare -m sh -c 'umount -a -t cgroup2; exec "$@"' sh \
	retsnoop export --by pod --prom "$prom" -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_err '^retsnoop: warning: --by: names of cgroups are not known: cgroup2 is not mounted, as a rule at /sys/fs/cgroup$'
expect 'its pod is not known' grep -q '^retsnoop_failures_total{.*,pod="unknown"} 1$' "$prom"
