#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Cgroups that are selected by pod, container, unit and glob, those that appear later included.
# smoke
. "${0%/*}/../lib.sh"

mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
root=$T/cgroup
id=3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0
other=b0f1c2d3e4f5061728394a5b6c7d8e9fb0f1c2d3e4f5061728394a5b6c7d8e9f
pod=0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e34
slice=$root/kubepods.slice/kubepods-pod0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6e34.slice

traces() { start retsnoop -v --show=pod,container,cgroup -e $sys_mkdir -a filename_create "$@"; }

# traced PATH [TIMES]: wait until it is.
traced()
{
	wait_for 10 "$T/err" "cgroup [^ ]*$1 is traced" || problem "$1 is not traced"
	tries=200
	while [ "$(grep -c "cgroup [^ ]*$1 is traced" "$T/err")" -lt "${2:-1}" ] && [ $tries -gt 0 ]; do
		sleep 0.05
		tries=$((tries - 1))
	done
}

test_that 'a pod is selected, with containers that appear later'
mkdir -p "$slice/crio-$id.scope" "$root/other"
traces --pod "$pod"
fails_in "$slice/crio-$id.scope"
fails_in "$root/other"
mkdir "$slice/crio-$other.scope"
fails_in "$slice/crio-$other.scope"
stop INT
expect_sessions 2
expect_out ", pod $pod, container 3f5ab1c9d0e4 \(from outside\)," ", pod $pod, container b0f1c2d3e4f5 \(from outside\),"
expect_no_err 'no such cgroup'

test_that 'a container is selected by the beginning of its id'
traces --container "containerd://b0f1c2d3e4f5"
fails_in "$slice/crio-$id.scope"
fails_in "$slice/crio-$other.scope"
stop INT
expect_sessions 1
expect_out ", container b0f1c2d3e4f5 \(from outside\),"
expect_no_err 'several containers'

details_on 6.1 7.2 || {
	rmdir "$slice"/crio* "$slice" "$root/kubepods.slice" "$root/other"
	umount "$root"
	exit 0
}

test_that 'an id that is the beginning of several is said to be'
mkdir "$root/docker-3f5aaaaaaaaa7a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0.scope"
traces --container 3f5a
fails_in "$slice/crio-$id.scope"
stop INT
expect_sessions 1
expect_err '--container 3f5a: several containers have such an id, 3f5a[0-9a-f]* and 3f5a[0-9a-f]*; all of them are traced$'
rmdir "$root"/docker*
rmdir "$slice"/crio* "$slice" "$root/kubepods.slice"

test_that 'a unit is followed that starts later, and starts again'
traces --unit web
expect_err '--unit web.service: no such cgroup exists yet; it is traced when it appears'
mkdir -p "$root/system.slice/web.service"
traced /web.service
fails_in "$root/system.slice/web.service"
fails_in "$root/other"
rmdir "$root/system.slice/web.service"
mkdir "$root/system.slice/web.service"
traced /web.service 2
fails_in "$root/system.slice/web.service"
stop INT
expect_sessions 2
rmdir "$root/system.slice/web.service" "$root/system.slice"

test_that 'a cgroup given by its path is followed when it is made again'
mkdir "$root/web" "$root/db"
traces --cgroup "$root/web" --cgroup /db
for name in web db; do
	fails_in "$root/$name"
	rmdir "$root/$name"
	mkdir "$root/$name"
	traced "/$name" 2
	fails_in "$root/$name"
done
fails_in "$root/other"
stop INT
expect_sessions 4
rmdir "$root/web" "$root/db"

test_that 'a glob selects those that appear later, more of them than there is room for at once'
traces --cgroup '*/job-*'
i=0
while [ $i -lt 80 ]; do
	mkdir "$root/job-$i"
	[ $((i % 10)) -ne 9 ] || { traced "/job-$i"; fails_in "$root/job-$i"; }
	rmdir "$root/job-$i"
	i=$((i + 1))
done
fails_in "$root/other"
stop INT
expect_sessions 8
expect_out ', cgroup [^ ]*/job-9:$' ', cgroup [^ ]*/job-79:$'

rmdir "$root/other"
umount "$root"
