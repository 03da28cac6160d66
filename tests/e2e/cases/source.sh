#!/bin/sh
# With debug info: source lines, inlined calls, globs over source paths.
. "${0%/*}/../lib.sh"

if [ ! -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then
	test_that 'source lines, inlined calls and source globs'
	skip 'no debug info of this kernel'
	exit 0
fi
limit=240

test_that 'frames have source lines and the inlined calls between them'
run retsnoop -e ${sys}_bpf -a array_map_alloc_check -- simfail bpf-bad-map-val-size-percpu-array
expect_status 0
expect_out 'do_syscall_64\+0x[0-9a-f]+ +\(.*arch/x86/entry/common.c:[0-9]+:[0-9]+\)' \
	'\. do_syscall_x64 +\(.*arch/x86/entry/common.c:[0-9]+:[0-9]+\)' \
	"\[-E2BIG\] +${sys}_bpf\+0x[0-9a-f]+ +\(.*kernel/bpf/syscall.c:[0-9]+:[0-9]+\)" \
	'\[-E2BIG\] +array_map_alloc_check'
expect_no_out '\(/build' '\(/usr/src'

test_that '-s shows lines without inlined calls'
run retsnoop -s -e ${sys}_bpf -- simfail bpf-bad-map-type
expect_status 0
expect_out 'do_syscall_64\+0x.*common.c:[0-9]+'
expect_no_out '^ *\. '

test_that '-sn shows symbols only'
run retsnoop -sn -e ${sys}_bpf -- simfail bpf-bad-map-type
expect_status 0
expect_out 'do_syscall_64\+0x'
expect_no_out '\.c:'

test_that "retsnoop -e '*sys_bpf' -a ':kernel/bpf/arraymap.c'"
run retsnoop -e '*sys_bpf' -a ':kernel/bpf/arraymap.c' -- simfail bpf-bad-map-val-size-percpu-array
expect_status 0
expect_out "\[-E2BIG\] +${sys}_bpf" '\[-E2BIG\] +array_map_alloc_check'

test_that "':kernel/bpf/*.c' selects the functions of that folder"
run_sh "retsnoop funcs ':kernel/bpf/*.c' >$T/all; retsnoop funcs -l ':kernel/bpf/arraymap.c'; wc -l <$T/all"
expect_status 0
expect_out 'array_map_alloc_check.*kernel/bpf/arraymap.c:[0-9]+'
expect 'a thousand functions' [ "$(wc -l <"$T/all")" -gt 900 ]
expect 'functions of other files among them' grep -qx bpf_prog_put "$T/all"
expect 'none of elsewhere' sh -c "! grep -x vfs_read $T/all"

test_that "retsnoop -v --dry-run -e '*sys_bpf' -a ':kernel/bpf/*.c'"
run retsnoop -v --dry-run -e '*sys_bpf' -a ':kernel/bpf/*.c'
expect_status 0
expect_err "dry run\) to function #[0-9]+ '${sys}_bpf'" 'Total 1?[0-9]{3} kernel functions'

test_that 'a source glob that matches nothing says so'
run retsnoop funcs ':no/such/dir/*.c'
expect_status 1
expect_err 'no/such/dir'

test_that 'symbolize gives the line of an address'
address=$(awk '$3 == "array_map_alloc_check" { print $1 }' /proc/kallsyms)
run retsnoop symbolize "0x$address"
expect_status 0
expect_out 'array_map_alloc_check.*kernel/bpf/arraymap.c:[0-9]+'

test_that '-k VMLINUX takes addresses as it was linked, and with --running those of the running kernel'
vmlinux=/usr/lib/debug/boot/vmlinux-$(uname -r)
run retsnoop symbolize -k "$vmlinux" --running "0x$address"
expect_status 0
expect_out 'array_map_alloc_check.*kernel/bpf/arraymap.c:[0-9]+'
# KASLR may choose, of some hundred places, the one that it was linked for.
if ! grep -qx 'ffffffff81000000 T _text' /proc/kallsyms; then
	run retsnoop symbolize -k "$vmlinux" "0x$address"
	expect_status 1
	expect_no_out 'array_map_alloc_check'
fi

test_that 'conditions name the variables of the source'
run retsnoop why -- sh -c 'echo 9000 80 >/proc/sys/net/ipv4/ip_local_port_range'
expect_out 'ipv4_local_port_range returned -EINVAL' 'because range\[1\] < range\[0\]' 'range\[1\] = 80, range\[0\] = 9000'
