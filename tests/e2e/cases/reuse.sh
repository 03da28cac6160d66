#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the kernel uses again: addresses of modules, ids of cgroups. Nothing is shown as of the one that
# had it before.
# changes the machine: loads and unloads modules
. "${0%/*}/../lib.sh"

rmmod dummy ifb 2>/dev/null
traced='^retsnoop: module (dummy|ifb) was loaded: [0-9]+ functions? of it (is|are) traced from now on'

# refused_link KIND: a link with a multicast address.
refused_link() { ip link add r1 address 01:00:00:00:00:00 type "$1" 2>/dev/null; }

if details_on 6.1 && has_module dummy && has_module ifb; then
	test_that 'modules in turn at the same addresses have their own names'
	start retsnoop record --attach=kprobe -o "$T/a.data" -e rtnl_newlink -e dummy_validate -e ifb_validate -a dummy_validate -a ifb_validate
	for i in 1 2; do
		module=dummy
		[ $((i % 2)) = 1 ] || module=ifb
		modprobe $module
		wait_for 120 "$T/err" "$traced" $i || problem 'nothing is said'
		refused_link $module
		sleep 1.5
		rmmod $module
		wait_for 120 "$T/err" 'was unloaded' $i || problem 'nothing is said'
	done
	stop TERM
	run retsnoop report -e rtnl_newlink "$T/a.data"
	expect 'dummy' [ "$(grep -c '\] *dummy_validate' "$T/out")" = 1 ]
	expect 'ifb' [ "$(grep -c '\] *ifb_validate' "$T/out")" = 1 ]
fi

# in_cgroup PATH COMMAND...
in_cgroup() { sh -c "echo \$\$ >$1/cgroup.procs; shift; exec \"\$@\"" sh "$@"; }

root=/sys/fs/cgroup
grep -q ' cgroup2 ' /proc/mounts || mount -t cgroup2 none $root
test_that 'cgroups made one after the other keep their failures, also where an id is used again'
start retsnoop export --prom "$T/r.prom" --interval 1 --by cgroup -e "$mkdir" -n simfail
for i in 1 2 3 4 5 6; do
	mkdir "$root/job-$i"
	in_cgroup "$root/job-$i" simfail -n $((10 + i)) fs-mkdir-exists
	rmdir "$root/job-$i"
done
sleep 3
stop TERM
for i in 1 2 3 4 5 6; do
	expect "$((10 + i)) of job-$i" grep -q "cgroup=\"/job-$i\"} $((10 + i))\$" "$T/r.prom"
done
expect 'none unknown' [ "$(grep -c 'cgroup="unknown"' "$T/r.prom")" = 0 ]
