#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# User, CPU and cgroup of sessions: shown on request, in JSON always, and in recordings.
# smoke
. "${0%/*}/../lib.sh"

mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
mkdir "$T/cgroup/one"

test_that 'uid, CPU and cgroup are shown on request'
run_sh "echo \$\$ >$T/cgroup/one/cgroup.procs; exec retsnoop --show=cgroup,uid,cpu -e '*_sys_mkdir' -a filename_create -- simfail fs-mkdir-exists"
expect_status 0
expect_out '^[0-9:.]+ -> [0-9:.]+ TID/PID [0-9]+/[0-9]+ \(simfail/simfail\), uid 0, CPU [0-9]+, cgroup (/.*)?/one:$'
run retsnoop -e '*_sys_mkdir' -a filename_create -- simfail fs-mkdir-exists
expect_no_out ', uid 0'

test_that 'a recording has them, and the path of a cgroup that is gone'
run_sh "echo \$\$ >$T/cgroup/one/cgroup.procs; exec retsnoop record -q -o $T/data -e '*_sys_mkdir' -a filename_create -- simfail fs-mkdir-exists"
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

umount "$T/cgroup"
