#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# In a guest: what retsnoop export takes while ten million calls fail, as they may in a day: in its own memory, in
# that of its BPF maps, and on disk. The processes have 500 different names; the metrics have room for 100.
# Exits with 1 if a failure is not counted, or if memory grew after the first million.
# usage: failures-guest.sh [MILLIONS]
millions=${1:-10}
prom=/tmp/retsnoop.prom
mkdir -p /tmp/names

retsnoop export -e __x64_sys_read -a ksys_read --prom $prom --interval 1 --max-series 100 2>/tmp/err &
pid=$!
until grep -q '^Receiving data' /tmp/err; do sleep 0.1; done

sum() { awk '/^retsnoop_failures_total/ { n += $NF } END { printf "%d\n", n }' $prom 2>/dev/null || echo 0; }
status() { awk -v name="$1:" '$1 == name { print $2 }' /proc/$pid/status; }
# Of all maps, as the kernel counts it for each of their descriptors.
maps() { cat /proc/$pid/fdinfo/* 2>/dev/null | awk '/^memlock:/ { n += $2 } END { printf "%d\n", n / 1024 }'; }

printf '%9s %9s %9s %9s %9s %9s %9s\n' failures 'RSS KiB' 'peak KiB' 'maps KiB' 'file B' rows seconds
begin=$(cut -d. -f1 /proc/uptime)
million=0
while [ $million -lt "$millions" ]; do
	batch=0
	while [ $batch -lt 50 ]; do
		name=/tmp/names/w$(((million * 50 + batch) % 500))
		[ -e "$name" ] || cp /call "$name"
		"$name" read-bad 10000 2 >/dev/null
		batch=$((batch + 1))
		rm -f "$name"
	done
	million=$((million + 1))
	# Counts are taken over once a second.
	tries=0
	while [ "$(sum)" -lt $((million * 1000000)) ] && [ $tries -lt 100 ]; do
		sleep 0.2
		tries=$((tries + 1))
	done
	rss=$(status VmRSS) bpf=$(maps)
	printf '%9d %9d %9d %9d %9d %9d %9d\n' "$(sum)" "$rss" "$(status VmHWM)" "$bpf" "$(wc -c <$prom)" \
		"$(grep -c ^retsnoop_failures_total $prom)" $(($(cut -d. -f1 /proc/uptime) - begin))
	[ $million -ne 1 ] || first=$rss first_bpf=$bpf
done
kill -INT $pid
wait $pid
cat /tmp/err
grep '^retsnoop_label_sets\|"other"' $prom
ok=0
# What calls beside these failed is counted, too.
[ "$(sum)" -ge $((millions * 1000000)) ] || { echo 'failures are missing'; ok=1; }
[ "$rss" -le $((first + 256)) ] && [ "$bpf" -eq "$first_bpf" ] || { echo 'memory has grown'; ok=1; }
exit $ok
