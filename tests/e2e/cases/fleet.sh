#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The commands of retsnoop-fleet(7), as they are there: each "# retsnoop" and "$ retsnoop" line of it is a
# test_that here (tests/docs/check). Hosts are one after the other.
# changes the machine: sets its clock and host name; removes OpenTelemetry's map
. "${0%/*}/../lib.sh"

cd "$T" || exit 3
prom=/var/lib/prometheus/node-exporter
mkdir -p $prom
port=9435

# has_failures: whether it serves one that has occurred; there is always a row of others.
has_failures()
{
	printf 'GET /metrics HTTP/1.1\r\n\r\n' | nc 127.0.0.1 $port >"$T/answer"
	grep -q '^retsnoop_failures_total{entry="[^"]*",errno="E.*} [1-9]' "$T/answer"
}

# exports COMMAND...: it begins, serves or writes, and ends on SIGTERM.
exports()
{
	start "$@"
	simfail -n 3 bpf-bad-map-type fs-open-not-dir
	case " $* " in
	*' --listen '*)
		tries=300
		until has_failures || [ $((tries -= 1)) -eq 0 ]; do sleep 0.1; done
		expect "metrics with failures: $(grep '^retsnoop_failures_total' "$T/answer")" has_failures ;;
	esac
	stop TERM
	expect_status 0
	expect_no_err 'matches no function'
}

test_that 'retsnoop export --syscall mount,bpf,perf_event_open --by unit --listen 9435'
exports retsnoop export --syscall mount,bpf,perf_event_open --by unit --listen 9435
test_that 'retsnoop export --syscall openat,connect -X ENOENT,EINPROGRESS,EAGAIN --by pod --listen 9435'
exports retsnoop export --syscall openat,connect -X ENOENT,EINPROGRESS,EAGAIN --by pod --listen 9435

dry=
! is_kernel 5.10 6.1 || dry=--dry-run	# single probes for hundreds of functions take minutes
few() { if [ -n "$dry" ]; then run "$@" --dry-run; expect_status 0; else exports "$@"; fi; }

test_that "retsnoop export --budget 1% --syscall mount,bpf -a '*mount*' --by unit --listen 9435"
few retsnoop export --budget 1% --syscall mount,bpf -a '*mount*' --by unit --listen 9435
test_that "retsnoop export --syscall mount,bpf -a '*mount*' --prom /var/lib/prometheus/node-exporter/retsnoop.prom"
few retsnoop export --syscall mount,bpf -a '*mount*' --prom /var/lib/prometheus/node-exporter/retsnoop.prom
[ -n "$dry" ] || expect 'the file' grep -q "^retsnoop_failures_total{entry=\"${sys}_bpf\",errno=\"E" $prom/retsnoop.prom
test_that "retsnoop export --syscall mount -a '*mount*' --otlp"
few retsnoop export --syscall mount -a '*mount*' --otlp
test_that "retsnoop export --syscall mount -a '*mount*' --journal"
if [ -S /run/systemd/journal/socket ]; then
	few retsnoop export --syscall mount -a '*mount*' --journal
else
	run retsnoop export --syscall mount -a '*mount*' --journal
	expect_status 3
	expect_err '^retsnoop: .*journal'
fi

# The map is there while the program is.
grep -q ' /sys/fs/bpf bpf ' /proc/mounts || mount -t bpf none /sys/fs/bpf
mkdir -p /sys/fs/bpf/otel
spans /sys/fs/bpf/otel/traces_ctx_v1 1 1 </dev/null
test_that 'retsnoop export --syscall connect,openat -X EINPROGRESS,ENOENT --otlp --trace-context'
few retsnoop export --syscall connect,openat -X EINPROGRESS,ENOENT --otlp --trace-context
test_that 'retsnoop record --syscall connect -X EINPROGRESS --trace-context -o spans.data --duration 10s'
run retsnoop record --syscall connect -X EINPROGRESS --trace-context -o spans.data --duration 0.1s
expect_status 1
expect_err '^retsnoop: 0 sessions recorded'
rm -f /sys/fs/bpf/otel/traces_ctx_v1

details_on 6.1 || exit 0

# recorded HOST COMMAND...: by a host of that name.
recorded()
{
	hostname "$1"
	shift
	# shellcheck disable=SC2086
	run "$@" -- simfail bpf-bad-map-val-size-percpu-array bpf-bad-map-type
	expect_status 0
}
if [ -n "$dry" ]; then
	funcs='-e *_sys_bpf -a map_create -a array_map_alloc_check'
else
	funcs='-c bpf'
fi
name=$(hostname)

test_that 'retsnoop record -c bpf --duration 10s -o web-1.data'
set -f
# shellcheck disable=SC2086
recorded web-1 retsnoop record $funcs --duration 10s -o web-1.data
set +f

# Each host is told to begin at a time, as in the loop over ssh(1); the clock is set to it.
test_that 'retsnoop record --at=$at --duration=10s -c bpf -o - >$host.data'
for host in web-2 db-1; do
	hostname $host
	begin=$(($(date +%s) + 3600))
	at=$(date -u -d "@$begin" +%Y-%m-%dT%H:%M:%SZ)
	: >"$T/err"	# of the run before
	set -f
	# shellcheck disable=SC2086
	timeout -k 20 "$limit" retsnoop record --at=$at --duration=10s $funcs -o - \
		-- simfail bpf-bad-map-val-size-percpu-array bpf-bad-map-type >$host.data 2>"$T/err" </dev/null &
	set +f
	pid=$!
	wait_for 60 "$T/err" '^Attached; recording begins in ' || problem "$host is not attached"
	date -s "@$begin" >/dev/null
	finish_started
	expect_status 0
done
hostname "$name"

test_that 'retsnoop report web-1.data web-2.data --format=pprof -o failures.pb.gz'
run retsnoop report web-1.data web-2.data --format=pprof -o failures.pb.gz
expect_status 0
expect 'a profile' [ -s failures.pb.gz ]
test_that 'retsnoop report --by=host web-1.data web-2.data db-1.data'
run retsnoop report --by=host web-1.data web-2.data db-1.data
expect_status 0
for host in web-1 web-2 db-1; do
	expect "$host" grep -Eq "^$host +${sys}_bpf +\[-E2BIG\] +1 " out
done
expect_err '^retsnoop: 3 recordings of 3 hosts \(web-1, web-2, db-1\), the first begun '
test_that 'retsnoop report --list web-1.data web-2.data db-1.data'
run retsnoop report --list web-1.data web-2.data db-1.data
expect_status 0
expect 'hosts in order of time' [ "$(grep -o '  \(web-1\|web-2\|db-1\)  ' out | uniq | xargs)" = 'web-1 web-2 db-1' ]
test_that 'retsnoop report --session=2 web-1.data web-2.data db-1.data'
run retsnoop report --session=2 web-1.data web-2.data db-1.data
expect_status 0
expect_sessions 1
expect_out ', host web-1:$'
test_that 'retsnoop report web-1.data web-2.data db-1.data --format=html -o fleet.html'
run retsnoop report web-1.data web-2.data db-1.data --format=html -o fleet.html
expect_status 0
expect 'a page' grep -q '"host":"db-1"' fleet.html
test_that 'retsnoop report --diff web-1.data web-2.data -- db-1.data'
run retsnoop report --diff web-1.data web-2.data -- db-1.data
expect_status 0
expect_out '^A: web-1.data and 1 other, '
