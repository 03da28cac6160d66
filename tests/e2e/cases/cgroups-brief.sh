#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names of cgroups that are gone before they are shown, of many containers that live for a moment.
. "${0%/*}/../lib.sh"

mkdir "$T/cgroup"
mount -t cgroup2 none "$T/cgroup" || exit 3
root=$T/cgroup
id=3f5ab1c9d0e47a2266f0a3b1c5d7e9f00112233445566778899aabbccddeeff0

test_that 'cgroups that are gone before they are shown have names'
start retsnoop --show=cgroup -e $sys_mkdir -a filename_create -n simfail
suspend
i=0
while [ $i -lt 40 ]; do
	mkdir "$root/brief-$i"
	fails_in "$root/brief-$i"
	rmdir "$root/brief-$i"
	i=$((i + 1))
done
resume
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

details_on 6.1 || { umount "$root"; exit 0; }

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
suspend
brief_containers 100 499 500 899
resume
stop INT
grep '^retsnoop_failures_total' "$T/prom" >"$T/out"
known=$(grep -c "container=\"[1-9][0-9]*$id\",outsider=\"true\"} 1\$" "$T/out")
unknown=$(sed -n 's/.*container="unknown"} //p' "$T/out")
expect 'no failure of no container' [ "$(grep -c 'container=""' "$T/out")" -eq 0 ]
expect "800 failures, not $known in known containers, ${unknown:-0} in unknown ones and $(missed) missed" \
	[ $((known + ${unknown:-0} + $(missed))) -ge 800 ]
expect 'none is counted twice' [ $((known + ${unknown:-0})) -le 800 ]

umount "$root"
