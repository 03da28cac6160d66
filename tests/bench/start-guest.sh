#!/bin/sh
# In a guest whose clock counts instructions: millions of them that a run takes in user space and in the
# kernel, from launch to exit, waiting not included. Three functions; the mean of four runs.
# usage: start-guest.sh RUNG...
printf '%-16s %-8s %8s %8s\n' rung command user kernel
for rung; do
	for command in stack args; do
		run="retsnoop $command --attach=$rung -e *_sys_mount -a path_mount -- mount -t nosuchfs none /mnt"
		$run >/dev/null 2>&1
		time -p sh -f -c "for i in 1 2 3 4; do $run; done >/dev/null 2>&1" 2>/tmp/time
		# A second is a thousand million.
		awk -v rung="$rung" -v command="$command" '
			$1 == "user" { user = $2 }
			$1 == "sys" { printf "%-16s %-8s %8.0f %8.0f\n", rung, command, user * 250, $2 * 250 }' /tmp/time
	done
done
