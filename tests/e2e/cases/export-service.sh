#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# contrib/retsnoop-export.service: systemd starts it, and its capabilities are enough, and needed.
# kernels: 6.1 6.12 7.2
# changes the machine: files in /etc; mounts over /run
. "${0%/*}/../lib.sh"

setpriv=/usr/bin/setpriv
unit=${0%/*}/../../../contrib/retsnoop-export.service
[ "$(id -u)" = 0 ] && [ -x $setpriv ] && [ -e $unit ] ||
	{ echo "ok export-service: all # SKIP this needs root, setpriv and $unit"; exit; }

caps=$(sed -n 's/^CapabilityBoundingSet=//p' $unit | sed 's/CAP_//g' | tr 'A-Z ' 'a-z,')
prom=$T/retsnoop.prom
mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
mkdir -p "$T/cgroup/web.service"

# with CAPABILITIES: calls of a process in web.service are counted by a root that has no others.
with()
{
	set_of=-all
	for cap in $(echo "$1" | tr ',' ' '); do
		set_of=$set_of,+$cap
	done
	rm -f "$prom"
	run $setpriv --bounding-set "$set_of" --inh-caps "$set_of" retsnoop export --prom "$prom" --by unit \
		-e $mkdir -a filename_create -- sh -c \
		'echo $$ >"$0/web.service/cgroup.procs"; exec simfail -n 50 fs-mkdir-exists' "$T/cgroup"
}

counted() { grep -q "^retsnoop_failures_total{.*,unit=\"$1\"} 50\$" "$prom"; }

test_that 'with the capabilities of the service all is counted, by unit'
with "$caps"
expect_status 0
expect '50 failures of the unit' counted web.service
expect_no_err warning

if details_on 6.1; then
	test_that 'without CAP_SYSLOG it says what is missing'
	with "$(echo ",$caps," | sed 's/,syslog,/,/; s/^,//; s/,$//')"
	expect_status 3
	expect_err '^retsnoop: .*CAP_SYSLOG'

	test_that 'without those that load BPF programs, too'
	with syslog,dac_read_search
	expect_status 3
	expect_err '^retsnoop: tracing needs root, or CAP_'

	test_that 'without CAP_DAC_READ_SEARCH a warning says that names of cgroups are not known'
	with "$(echo ",$caps," | sed 's/,dac_read_search,/,/; s/^,//; s/,$//')"
	expect_status 0
	expect_err 'warning: --by: names of cgroups .* need CAP_DAC_READ_SEARCH$'
	expect '50 failures whose unit is not known' counted unknown
fi

echo $$ >"$T/cgroup/cgroup.procs"
rmdir "$T/cgroup/web.service"
umount "$T/cgroup"

test_that 'the journal gets each failing call of a burst, with fields that journalctl finds'
if [ -z "${VM_KERNEL-}" ] || [ ! -x /lib/systemd/systemd-journald ]; then
	skip 'this needs a booted kernel with systemd-journald'
else
	mount -t tmpfs none /run
	mkdir -p /run/systemd/journal /run/log/journal
	echo 0123456789abcdef0123456789abcdef >/etc/machine-id
	/lib/systemd/systemd-journald >/dev/null 2>&1 &
	journald=$!
	start retsnoop export --journal --prom "$prom" -sn -e $mkdir -a filename_create -n simfail
	simfail -n 300 fs-mkdir-exists
	stop TERM
	expect_status 0
	expect '300 are delivered' grep -qx 'retsnoop_delivered_total{receiver="journal"} 300' "$prom"
	run journalctl -q -o export -t retsnoop RETSNOOP_ERRNO=EEXIST RETSNOOP_ENTRY=$mkdir \
		RETSNOOP_PRODUCER=filename_create RETSNOOP_COMM=simfail ERRNO=17
	expect '300 entries' [ "$(grep -c '^MESSAGE=simfail/[0-9]*: .* failed with EEXIST from filename_create ' "$T/out")" -eq 300 ]
	kill $journald
	wait $journald 2>/dev/null
	umount /run
fi

details_on 7.2 || exit 0

# A systemd for this service alone, in a namespace of processes: it is the first one there.
test_that 'systemd runs the service in its sandbox, and stops it'
if [ -z "${VM_KERNEL-}" ] || [ ! -x /lib/systemd/systemd ]; then
	skip 'this needs a booted kernel with systemd'
else
	mkdir -p /etc/systemd/system/retsnoop-export.service.d
	mount -t tmpfs none /run
	echo 0123456789abcdef0123456789abcdef >/etc/machine-id
	[ -e /etc/passwd ] || echo 'root:x:0:0:root:/root:/bin/sh' >/etc/passwd
	[ -e /etc/group ] || echo 'root:x:0:' >/etc/group
	cp "$unit" /etc/systemd/system/
	cat >/etc/systemd/system/retsnoop-export.service.d/test.conf <<-END
		[Service]
		Environment="RETSNOOP_EXPORT=-e $mkdir -a filename_create --by comm --listen 9435"
	END
	printf '[Unit]\nWants=retsnoop-export.service\n' >/etc/systemd/system/test.target
	# Services need these; from version 257 on they are not started without.
	for target in sysinit basic; do
		printf '[Unit]\nDefaultDependencies=no\n' >/etc/systemd/system/$target.target
	done
	container=vm unshare --fork --pid --mount-proc /lib/systemd/systemd --system \
		--unit=test.target --log-target=console --show-status=no >"$T/err" 2>&1 &
	metrics() { printf 'GET /metrics HTTP/1.1\r\n\r\n' | nc 127.0.0.1 9435 2>/dev/null >"$T/out"; }
	tries=600
	until metrics && grep -q '^retsnoop_functions.state="attached". 2' "$T/out" || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	simfail -n 12 fs-mkdir-exists
	tries=100
	until metrics && grep -q 'comm="simfail". 12$' "$T/out" || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.2
	done
	expect_out 'comm="simfail". 12$' '^retsnoop_functions.state="attached". 2$'
	service=$(pidof retsnoop | awk '{ print $1 }')
	expect 'no new privileges, and a filter of system calls' \
		[ "$(grep -cE '^(NoNewPrivs:.*1|Seccomp:.*2)$' "/proc/$service/status")" -eq 2 ]
	kill -HUP "$service"
	tries=300
	until metrics && grep -q '^retsnoop_reloads_total.result="done". 1' "$T/out" || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.2
	done
	expect 'SIGHUP reloads it in its sandbox' grep -q '^retsnoop_reloads_total.result="done". 1' "$T/out"
	expect 'counts are kept' grep -q 'comm="simfail". 12' "$T/out"
	kill -TERM "$service"
	tries=100
	while [ -d "/proc/$service" ] && [ $tries -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.2
	done
	expect 'SIGTERM stops it' [ ! -d "/proc/$service" ]
	# shellcheck disable=SC2046	# a list
	kill -KILL $(pidof systemd)
	wait
	umount /run
fi
