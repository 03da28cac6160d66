#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# User, CPU and cgroup of sessions: shown on request, in JSON always, and in recordings.
. "${0%/*}/../lib.sh"

mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
mkdir "$T/cgroup/one"

test_that 'uid, CPU and cgroup are shown on request'
run_sh "echo \$\$ >$T/cgroup/one/cgroup.procs; exec retsnoop --show=cgroup,uid,cpu -e $sys_mkdir -a filename_create -- simfail fs-mkdir-exists"
expect_status 0
expect_out '^[0-9:.]+ -> [0-9:.]+ TID/PID [0-9]+/[0-9]+ \(simfail/simfail\), uid 0, CPU [0-9]+, cgroup (/.*)?/one:$'
run retsnoop -e $sys_mkdir -a filename_create -- simfail fs-mkdir-exists
expect_no_out ', uid 0'

test_that 'a recording has them, and the path of a cgroup that is gone'
run_sh "echo \$\$ >$T/cgroup/one/cgroup.procs; exec retsnoop record -q -o $T/data -e $sys_mkdir -a filename_create -- simfail fs-mkdir-exists"
expect_status 0
rmdir "$T/cgroup/one"
run retsnoop report --format=json "$T/data"
expect_out '"cpu":[0-9]+,"uid":0,"cgroup_id":[0-9]+,"cgroup":"(/[^"]*)?/one",'
run retsnoop report --show=cgroup "$T/data"
expect_out ', cgroup (/.*)?/one:$'
run retsnoop report --uid=0 "$T/data"
expect_sessions 1
run retsnoop report --uid=1 "$T/data"
expect_status 1
expect_err '^retsnoop: 0 of 1 session shown' '--uid: .* has no session of these users$'

test_that 'an outsider in the cgroup of a container is told from its own processes'
id=3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0
pod=0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e34
place=$T/cgroup/kubepods.slice/kubepods-pod0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6e34.slice/crio-$id.scope
mkdir -p "$place"
# enters COMMAND...: a process that is put into the container's cgroup.
enters() { sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$place" "$@"; }
start retsnoop --show=container -e $sys_mkdir -a filename_create -n simfail
enters simfail fs-mkdir-exists
enters unshare -m simfail fs-mkdir-exists
unshare -m simfail fs-mkdir-exists
stop INT
expect_sessions 3
expect_out ', container 3f5ab1c9d0e4 \(from outside\):$' ', container 3f5ab1c9d0e4:$' ', no container:$'

details_on 7.2 || { rmdir -p "$place" 2>/dev/null; umount "$T/cgroup"; exit 0; }

test_that 'pod, container and unit are kept in recordings'
run_sh "echo \$\$ >$place/cgroup.procs; exec retsnoop record -q -o $T/pod.data -e $sys_mkdir -a filename_create -- simfail fs-mkdir-exists"
expect_status 0
rmdir -p "$place" 2>/dev/null
run retsnoop report --format=json "$T/pod.data"
expect_out "\"pod\":\"$pod\",\"container\":\"$id\",\"unit\":\"crio-$id.scope\","
run retsnoop report --show=pod,container,unit "$T/pod.data"
expect_out ", pod $pod, container 3f5ab1c9d0e4 \(from outside\), unit crio-$id.scope:\$"
run retsnoop report --list --format=csv "$T/pod.data"
expect_out ",$pod,$id,crio-$id.scope\$"
run retsnoop report --format=html "$T/pod.data"
expect_out "$pod"
run retsnoop report --format=chrome "$T/pod.data"
expect_out "\"pod\":\"$pod\""

umount "$T/cgroup"
