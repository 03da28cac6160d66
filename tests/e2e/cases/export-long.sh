#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A day of retsnoop export in minutes: a million failures, in containers that live for a short time.
# kernels: 6.12
. "${0%/*}/../lib.sh"

limit=3000
lots=2880 calls=348
[ -z "${E2E_FEW-}" ] || lots=400
all=$((lots * calls))
prom=$T/retsnoop.prom
mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
id=b1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0

# contained LOT: so many failing calls in a container of their own.
contained()
{
	container=$T/cgroup/cri-containerd-$1$id.scope
	mkdir "$container"
	sh -c 'echo 0 >"$0/cgroup.procs"; exec simfail -n "$1" fs-mkdir-exists' "$container" $calls >/dev/null
	rmdir "$container"
}

# memory: of retsnoop, in kB.
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$(program_pid)/status"; }

test_that "$all failures take no more memory than the first quarter, and none is lost"
start retsnoop export --by container --max-series 100 --prom "$prom" --interval 1 -e $mkdir -a filename_create -n simfail
i=0
while [ $i -lt $lots ]; do
	contained $((1000 + i))
	i=$((i + 1))
	if [ $i -eq $((lots / 4)) ]; then
		sleep 3
		before=$(memory)
		size=$(wc -c <"$prom")
	fi
done
sleep 3
after=$(memory)
stop INT
rmdir "$T/cgroup"/cri-* 2>/dev/null
umount "$T/cgroup"
expect_status 0
expect "no more than 1 MB beyond $before kB, not $after kB" [ $((after - before)) -lt 1024 ]
expect "a file of about $size bytes" [ "$(wc -c <"$prom")" -lt $((size + 1000)) ]
expect '100 label sets' grep -qx 'retsnoop_label_sets 100' "$prom"
sum=$(awk '/^retsnoop_failures_total/ { n += $NF } END { printf "%d", n }' "$prom")
counted=$(sed -n 's/^retsnoop: \([0-9]*\) calls counted, .*/\1/p' "$T/err")
expect "the sum of all rows, $sum, in the loss report, not $counted" [ "$sum" = "$counted" ]
! grep -q 'nothing missed' "$T/err" || expect "$all failures, not $sum" [ "$sum" = $all ]
