#!/bin/sh
# In a guest: what arguments add to the ring buffer, next to what was captured of them: the same
# calls without them and with. Each call's are padded to 16 bytes, and that is all.
# usage: args-guest.sh

# bytes COMMAND OPTION...: put into the ring buffer, and of those captured arguments
bytes() {
	"$@" 2>&1 >/dev/null | sed -n 's/^  ring buffer: .* \([0-9]*\) bytes\(, with \([0-9]*\) .*\)*$/\1 \3/p'
}

# row NAME CASE OPTION...
row() {
	name=$1 workload=$2
	shift 2
	plain=$(bytes retsnoop trace -S -v -n simfail "$@" -- simfail "$workload")
	# shellcheck disable=SC2046	# two numbers
	set -- $(bytes retsnoop args -S -v -n simfail "$@" -- simfail "$workload")
	printf '%-28s %9s %9s %9s %9s\n' "$name" "$plain" "${1:--}" "${2:--}" \
		"$(awk "BEGIN { printf \"%+.0f%%\", (${1:-0} - ${plain:-0}) * 100 / ${2:-1} - 100 }")"
}

printf '%-28s %9s %9s %9s %9s\n' '' without with arguments over
row 'mount: strings, a path' fs-mount-unknown -e path_mount
row 'open: strings, paths' fs-open-not-dir -e do_sys_openat2 -a do_filp_open -a vfs_open
row 'bpf: an attribute' bpf-bad-map-val-size-percpu-array -e __x64_sys_bpf -a array_map_alloc_check
row 'capabilities: structs' cap-bpf -e __x64_sys_bpf -a cap_capable
row 'mmap: numbers, structs' mm-mmap-empty -e __x64_sys_mmap -a do_mmap
row 'key: long strings' key-request -e request_key_and_link
row 'module: a format' fs-mount-unknown -e __request_module
row 'read: three numbers' fs-open-not-dir -e ksys_read
