#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Cgroups that are selected by pod, container, unit and glob, those that appear later included, and
# names of cgroups that are gone.
# smoke
. "${0%/*}/../lib.sh"

mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
root=$T/cgroup
id=3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0
other=b0f1c2d3e4f5061728394a5b6c7d8e9fb0f1c2d3e4f5061728394a5b6c7d8e9f
pod=0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e34
slice=$root/kubepods.slice/kubepods-pod0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6e34.slice

# fails_in CGROUP: a failing call of a process in it.
fails_in() { sh -c 'echo $$ >"$0/cgroup.procs"; exec simfail fs-mkdir-exists' "$1"; }
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

test_that 'cgroups that are gone before they are shown have names'
start retsnoop --show=cgroup -e $sys_mkdir -a filename_create -n simfail
kill -s STOP "$(cat "/proc/$pid/task/$pid/children")" || problem 'it was not stopped'
i=0
while [ $i -lt 40 ]; do
	mkdir "$root/brief-$i"
	fails_in "$root/brief-$i"
	rmdir "$root/brief-$i"
	i=$((i + 1))
done
kill -s CONT "$(cat "/proc/$pid/task/$pid/children")"
stop INT
expect_sessions 40
expect_out ', cgroup [^ ]*/brief-0:$' ', cgroup [^ ]*/brief-39:$'
expect_no_out ', cgroup [?#]'

# Each container lives about as long as rmdir takes to start, in a pod of its own; each has one call that fails.
cat >"$T/brief" <<'END'
i=$2
while [ $i -le $3 ]; do
	pod=$1/kubepods.slice/kubepods-pod0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6$i.slice
	mkdir -p $pod/cri-containerd-$i$4.scope
	echo 0 >$pod/cri-containerd-$i$4.scope/cgroup.procs
	cd /nothing
	echo 0 >$1/cgroup.procs
	rmdir $pod/cri-containerd-$i$4.scope $pod
	i=$((i + 1))
done 2>/dev/null
END
id=${id#???}

# brief_containers FIRST LAST [FIRST LAST]: of numbers with three digits; the second lot beside the first.
brief_containers()
{
	mkdir -p "$root/kubepods.slice"
	lots=
	while [ $# -gt 0 ]; do
		sh "$T/brief" "$root" "$1" "$2" "$id" &
		lots="$lots $!"
		shift 2
	done
	# shellcheck disable=SC2086	# a list
	wait $lots
	rmdir "$root/kubepods.slice"
}

# each_once FIRST LAST TEXT: TEXT is in the output once for each number that stands for its "@", but for
# as many as the run's loss report says.
each_once()
{
	expectations=$((expectations + 1))
	i=$1
	while [ "$i" -le "$2" ]; do
		echo "$3" | sed "s/@/$i/g"
		i=$((i + 1))
	done >"$T/wanted"
	grep -oFf "$T/wanted" "$T/out" | sort >"$T/found"
	[ "$(diff "$T/wanted" "$T/found" | grep -c '^>')" -eq 0 ] &&
		[ "$(diff "$T/wanted" "$T/found" | grep -c '^<')" -le "$(missed)" ] ||
		problem "expected each of $1 to $2 once: $(diff "$T/wanted" "$T/found" | head)"
}

test_that 'containers that live for 10 ms have names, and so have their pods'
start retsnoop --show=pod,container -e ${sys}_chdir -x ENOENT -n sh
brief_containers 100 199 200 299
stop INT
[ "$(missed)" -ne 0 ] || expect_sessions 200
each_once 100 299 ", pod 0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6@, container @$(echo "$id" | cut -c 1-9) (from outside):"

test_that 'they are counted apart'
start retsnoop export --prom "$T/prom" --by container -e ${sys}_chdir -x ENOENT -n sh
brief_containers 100 199 200 299
stop INT
expect_status 0
grep '^retsnoop_failures_total' "$T/prom" >"$T/out"
each_once 100 299 ",container=\"@$id\",outsider=\"true\"} 1"
expect 'nobody else' [ "$(grep -Fcvf "$T/wanted" "$T/out")" -eq 1 ]

# Stopped, it reads no name before the kernel has no room for more; the kernel may still have the names.
test_that 'none is counted as of no container when their names are asked for too late'
start retsnoop export --prom "$T/prom" --by container -e ${sys}_chdir -x ENOENT -n sh
kill -s STOP "$(cat "/proc/$pid/task/$pid/children")" || problem 'it was not stopped'
brief_containers 100 499 500 899
kill -s CONT "$(cat "/proc/$pid/task/$pid/children")"
stop INT
grep '^retsnoop_failures_total' "$T/prom" >"$T/out"
known=$(grep -c "container=\"[1-9][0-9]*$id\",outsider=\"true\"} 1\$" "$T/out")
unknown=$(sed -n 's/.*container="unknown"} //p' "$T/out")
expect 'no failure of no container' [ "$(grep -c 'container=""' "$T/out")" -eq 0 ]
expect "800 failures, not $known in known containers, ${unknown:-0} in unknown ones and $(missed) missed" \
	[ $((known + ${unknown:-0} + $(missed))) -ge 800 ]
expect 'none is counted twice' [ $((known + ${unknown:-0})) -le 800 ]

rmdir "$root/other"
umount "$root"
