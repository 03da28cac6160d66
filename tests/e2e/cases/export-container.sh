#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# contrib/Containerfile and retsnoop-daemonset.yaml: the root of the container, with the capabilities and
# mounts that they name and no others, in namespaces of its own.
# kernels: 6.1 6.12 7.2
# changes the machine: makes cgroups
. "${0%/*}/../lib.sh"

contrib=${0%/*}/../../../contrib
manifest=$contrib/retsnoop-daemonset.yaml
recipe=$contrib/Containerfile
program=${0%/*}/../../../retsnoop.static
engine=${0%/*}/../../../unshare	# busybox's has no namespaces of cgroups
[ "$(id -u)" = 0 ] && [ -x /usr/bin/setpriv ] && [ -e "$manifest" ] && [ -x "$program" ] && [ -x "$engine" ] ||
	{ echo "ok export-container: all # SKIP this needs root, setpriv, $manifest and $program"; exit; }

root=$T/root
pod=0b5f3a2e-1111-2222-3333-444455556666
id=$(printf '%064d' 7)
slice=kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$(echo $pod | tr - _).slice

# What the documents say.
caps=$(sed -n 's/^ *add: \[\(.*\)\]$/\1/p' "$manifest" | tr -d ' ' | tr 'A-Z' 'a-z')
listen=$(sed -n 's/^ *- "\(.*:9435\)"$/\1/p' "$manifest")
mounts=$(sed -n 's/^ *mountPath: //p' "$manifest")

# A host with cgroups of Kubernetes.
mkdir -p /sys/fs/cgroup
grep -q ' /sys/fs/cgroup cgroup2 ' /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup || exit 3
mkdir -p "/sys/fs/cgroup/$slice/cri-containerd-$id.scope" /sys/fs/cgroup/engine.slice || exit 3

# The image: its one file, and what setpriv takes, which stands for the engine.
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/usr/bin"
mount -t tmpfs none "$root" && mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/usr/bin"
cp "$program" "$root$(sed -n 's/^COPY .* //p' "$recipe")"
cp /usr/bin/setpriv "$root/usr/bin/"
LD_TRACE_LOADED_OBJECTS=1 /usr/bin/setpriv | grep -o '/[^ ]*' | while read -r lib; do
	mkdir -p "$root${lib%/*}" && cp -L "$lib" "$root$lib"
done

# As an engine starts it: sysfs and /proc of its own, /proc/kcore hidden, the host's directories read only.
cat >"$T/engine" <<'END'
root=$1 mounts=$2 set_of=$3
shift 3
mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" || exit 3
touch "$root/dev/null" && mount --bind /dev/null "$root/dev/null"
mount --bind /dev/null "$root/proc/kcore"
# Its own view of cgroups is below the host's.
mount -t cgroup2 none "$root/sys/fs/cgroup" || exit 3
for at in $mounts; do
	mount --rbind "$at" "$root$at" && mount -o remount,bind,ro "$root$at" || exit 3
done
exec chroot "$root" /usr/bin/setpriv --bounding-set "$set_of" --inh-caps "$set_of" --no-new-privs "$@"
END

# contained CAPABILITIES PROGRAM...: in the background.
contained()
{
	set_of=-all
	for cap in $(echo "$1" | tr ',' ' '); do
		set_of=$set_of,+$cap
	done
	shift
	note_command "$@"
	# shellcheck disable=SC2016	# of that shell
	env -i PATH="$PATH" sh -c 'echo $$ >/sys/fs/cgroup/engine.slice/cgroup.procs; exec "$@"' sh "$engine" \
		--mount --pid --fork --cgroup --ipc --uts /bin/sh "$T/engine" "$root" "$mounts" "$set_of" "$@" \
		>"$T/out" 2>"$T/err" </dev/null &
	pid=$!
}

metrics() { printf 'GET /metrics HTTP/1.1\r\n\r\n' | nc 127.0.0.1 9435 2>/dev/null >"$T/out"; }

test_that 'recipe and manifest name the same capabilities and mounts'
expect 'capabilities' grep -qx "#	$(echo "$caps" | tr 'a-z,' 'A-Z ')" "$recipe"
# shellcheck disable=SC2086	# several
expect 'the address' grep -qF "\"--listen\", \"$listen\", \"--allow-remote\"" "$recipe"
expect 'mounts' grep -qx "#	$(echo $mounts)" "$recipe"

test_that 'the image traces with these, and knows pods'
contained "$caps" /retsnoop export -e "$mkdir" -a filename_create --cgroup '*kubepods*' --by pod \
	--listen "$listen" --allow-remote
wait_for 120 "$T/err" '^Receiving data' || problem "not started: $(cat "$T/err")"
expect_no_err warning
simfail -n 3 fs-mkdir-exists
# Five calls from outside of the pod, as runc's; its own processes have mounts of their own.
sh -c 'echo $$ >"$0/cgroup.procs"; simfail -n 5 fs-mkdir-exists; exec "$1" --mount simfail -n 20 fs-mkdir-exists' \
	"/sys/fs/cgroup/$slice/cri-containerd-$id.scope" "$engine"
tries=300
until metrics && grep -q "pod=\"$pod\"} 20" "$T/out" || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
expect_out "^retsnoop_failures_total\{entry=\"$mkdir\",errno=\"EEXIST\",producer=\"filename_create\",pod=\"$pod\"\} 20"
expect_out "producer=\"filename_create\",pod=\"$pod\",outsider=\"true\"\} 5"
expect 'nobody else' [ "$(grep -c '^retsnoop_failures_total' "$T/out")" -eq 3 ]
service=$(pidof retsnoop)
# bits: of a number in hexadecimal, on standard input.
bits()
{
	awk '{ n = 0
		for (i = 1; i <= length($1); i++) {
			digit = index("0123456789abcdef", substr($1, i, 1)) - 1
			for (; digit > 0; digit = int(digit / 2))
				n += digit % 2
		}
		print n }'
}
has=$(sed -n 's/^CapEff:[ 	]*//p' "/proc/$service/status" | bits)
expect "as many capabilities as are named, not $has" [ "$has" -eq "$(echo "$caps" | tr ',' '\n' | grep -c .)" ]
expect 'no new privileges' grep -q '^NoNewPrivs:.*1$' "/proc/$service/status"
kill -TERM "$service"
wait $pid
expect 'SIGTERM ends it' [ ! -d "/proc/$service" ]

test_that 'what the arguments of the recipe say is taken'
set -f	# the address has brackets
# shellcheck disable=SC2046	# words
contained "$caps" /retsnoop $(sed -n 's/^CMD \[\(.*\)\]$/\1/p' "$recipe" | sed 's/", "/ /g; s/"//g') --dry-run
set +f
wait $pid
status=$?
expect_status 0
expect_out "^${sys}_bpf$"

umount "$root"
rmdir "/sys/fs/cgroup/$slice/cri-containerd-$id.scope" /sys/fs/cgroup/engine.slice 2>/dev/null
