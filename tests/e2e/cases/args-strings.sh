#!/bin/sh
# Strings that programs pass to system calls: shown where the call reads them, const or not; buffers
# that it is to fill stay pointers.
# changes the machine: the propagation of a mount at /mnt
. "${0%/*}/../lib.sh"

host=$(hostname)
# as a pattern
like_host=$(echo "$host" | sed 's/[^a-zA-Z0-9-]/./g')
cat >"$T/workload" <<'END'
mount -t nosuchfs none /mnt 2>/dev/null
umount /simfail-not-mounted 2>/dev/null
hostname "$(hostname)"
swapoff /simfail-no-swap 2>/dev/null
rmmod simfail_no_module 2>/dev/null
head -c 1 /dev/zero >/dev/null
END

for rung in $(some_rungs); do
	test_that "--attach=$rung: retsnoop args -e '*_sys_mount' -- mount -t nosuchfs none /mnt"
	run_unskipped env COLUMNS=400 retsnoop args -sn --attach="$rung" -e '*_sys_mount' -- mount -t nosuchfs none /mnt
	expect_status 0
	expect_out "${sys}_mount +\[-ENODEV\] .* dev_name=\"none\" dir_name=\"/mnt\" type=\"nosuchfs\" flags="

	test_that "--attach=$rung: retsnoop args -e '*_sys_mount' -- mount --make-private /mnt"
	run_unskipped env COLUMNS=400 retsnoop args -sn --attach="$rung" -e '*_sys_mount' -- mount --make-private /mnt
	expect_status 0
	expect_out "${sys}_mount +\[-EINVAL\] .* dev_name=\"\" dir_name=\"/mnt\" type=\"\" flags=([A-Z_]+\\|)*MS_PRIVATE(\\|[A-Z_]+)* data="

	test_that "--attach=$rung: strings and buffers of other calls"
	run_unskipped env COLUMNS=400 retsnoop args -sn --attach="$rung" -e ${sys}_umount -e ${sys}_sethostname \
		-e ${sys}_swapoff -e ${sys}_delete_module -e ${sys}_read -e ksys_read \
		-- sh "$T/workload"
	expect_status 0
	expect_out "${sys}_umount +\[-(ENOENT|EINVAL)\] .* name=\"/simfail-not-mounted\" flags=" \
		"${sys}_sethostname +\\[0\\] .* name=\"$like_host\" len=" \
		"${sys}_swapoff +\[-E[A-Z]+\] .* specialfile=\"/simfail-no-swap\"$" \
		"${sys}_delete_module +\[-E[A-Z]+\] .* name_user=\"simfail_no_module\" flags=" \
		"${sys}_read .* buf=0x[0-9a-f]+ count=" 'ksys_read .* buf=0x[0-9a-f]+ count='
	expect_no_out 'buf="'

	test_that "--attach=$rung: a struct is shown where the call reads it, not where it fills it in"
	run_unskipped env COLUMNS=400 retsnoop args -S -sn --attach="$rung" -e '*_sys_nanosleep' -e '*_sys_clock_nanosleep' \
		-e ${sys}_newuname -- sh -c 'sleep 0.01; uname >/dev/null'
	expect_status 0
	expect_out 'nanosleep .* rqtp=&\{\.tv_nsec=(10000000|0x989680)\} rmtp=' "${sys}_newuname .* name=0x[0-9a-f]+\$"
	expect_no_out 'rmtp=&'
done
