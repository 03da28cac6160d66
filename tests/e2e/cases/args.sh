#!/bin/sh
# Arguments of calls, value by value, as simfail passes them: on every rung, whole and selected, in
# every mode; and that what is not shown costs nothing.
# changes the machine: sets the alarm of its clock
. "${0%/*}/../lib.sh"

# shows FUNC TEXT...: one call of it has these arguments, each a word of its line.
shows()
{
	expectations=$((expectations + 1))
	callee=$1
	shift
	printf '%s\n' "$@" >"$T/texts"
	: >"$T/missing"
	awk -v callee="$callee" '
		FNR == NR { text[++n] = $0; next }
		index($0, "→ " callee " ") || index($0, "↔ " callee " ") {
			calls++
			missing = ""
			for (i = 1; i <= n; i++)
				if (!index($0 " ", " " text[i] " "))
					missing = missing "  " text[i]
			found = found || missing == ""
		}
		END {
			print calls ? missing : "  any call"
			exit !found
		}' "$T/texts" "$T/out" >"$T/missing" || problem "expected of $callee:$(cat "$T/missing")"
}

# shows_some FUNC PATTERN: the call of it has something like that.
shows_some() { expect_out "(→|↔) $1 .* $2"; }

workload='fs-open-not-dir fs-mount-unknown fs-mkdir-exists bpf-bad-map-val-size-percpu-array'
workload="$workload net-bad-family proc-bad-unshare mm-mprotect-unmapped key-request mm-mmap-empty"
entries="-e do_sys_openat2 -e path_mount -e $mkdir -a filename_create -e __sock_create -e ${sys}_unshare -a ksys_unshare -e do_mprotect_pkey
	-e request_key_and_link -e ${sys}_mmap -a do_mmap -e array_map_alloc_check"
if ! is_kernel 5.10; then
	entries="$entries -e __sys_bpf -e ${sys}_perf_event_open -a perf_event_alloc"
	workload="$workload perf-bad-event"
fi
# The command of bpf(2): a plain int on 6.1, an enum since.
command=BPF_MAP_CREATE
! is_kernel 6.1 || command=0
! has_func kill_pid_info_type || entries="$entries -e kill_pid_info_type"

# What succeeds: a directory's files by a function of seven arguments that calls a function, a
# struct by value in one register. And an error in a pointer.
entries="$entries -S -e iterate_dir -a proc_fill_cache -e vfs_mkdir -e from_kuid_munged"
# What only kprobes can have: a struct by value on the stack, and "..." behind a format. The clock of arm64's
# machine takes the alarm, and a second one only when the first is taken back.
by_kprobes="-e rtc_tm_to_ktime -e seq_printf -e __request_module"
cat >"$T/workload" <<END
simfail $workload cap-kill
ls /proc/self/ns
mkdir $(printf %05000d 7) 2>/dev/null
mkdir $T/made
rmdir $T/made
echo 4102444800 2>/dev/null >/sys/class/rtc/rtc0/wakealarm
echo 0 2>/dev/null >/sys/class/rtc/rtc0/wakealarm
cat /proc/loadavg >$T/loadavg
END

# One by one, with trampolines, they take a while to attach.
short=$limit
limit=240
for rung in $(some_rungs); do
	test_that "--attach=$rung shows the arguments of each call"
	case $rung in
	*kprobe*)	all="$entries $by_kprobes" ;;
	*)		all=$entries ;;
	esac
	# shellcheck disable=SC2086
	run_unskipped env COLUMNS=1000 retsnoop args -sn --attach="$rung" $all -- sh "$T/workload"
	expect_status 0
	shows path_mount 'dev_name="none"' 'type_page="simfail_no_such_fs"' flags=1 data_page=NULL
	# what 5.10's BTF for arm64 does not have: it has no static functions
	if ! is_kernel 5.10-arm64; then
		# integers: negative, octal, hexadecimal; strings in user memory and the kernel's
		shows do_sys_openat2 dfd=-100 'filename="/dev/null"' "how=&{.flags=$(printf 0x%x $((0x80000 | o_largefile | o_directory)))}"
		shows $mkdir dfd=-100 mode=0700
		shows filename_create dfd=-100
		! is_kernel 5.10 || shows do_mkdirat 'pathname="/"'
	fi
	shows __sock_create family=255 type=1 protocol=0 kern=0
	shows ksys_unshare unshare_flags=0x2000
	# without protection keys the compiler may make a variant for the one caller
	! has_func do_mprotect_pkey || shows do_mprotect_pkey start=0 len=4096 prot=1 pkey=-1
	# an enum by name
	! has_func kill_pid_info_type || shows kill_pid_info_type sig=0 type=PIDTYPE_TGID
	# what pointers lead to: zeroes left out
	shows_some array_map_alloc_check \
		'attr=&\{\{\.map_type=6,\.key_size=4,\.value_size=0x80000000,\.max_entries=1\}'
	# a system call's own arguments
	shows ${sys}_unshare unshare_flags=0x2000
	# its flags by name
	shows_some ${sys}_mmap 'addr=0 len=0 prot=PROT_READ flags=MAP_PRIVATE\|MAP_ANONYMOUS fd='
	if ! is_kernel 5.10; then
		shows ${sys}_perf_event_open pid=0 cpu=-1 group_fd=-1 flags=PERF_FLAG_FD_CLOEXEC
		# libbpf's: 144 of Debian 12's, 152 of Debian 13's.
		shows_some __sys_bpf "cmd=$command .*size=(144|152)( |$)"
		# a struct passed by value
		shows_some __sys_bpf 'uattr=\{\{\.kernel=(0x[0-9a-f]+),\.user=0x[0-9a-f]+\}\}'
	fi
	# a struct passed by value in one register, which 5.10's trampolines refuse
	if [ "$rung" != fentry ] || ! is_kernel 5.10; then
		shows from_kuid_munged 'kuid={.val=65534}'
	fi
	# files and directory entries by their path, function pointers by name
	shows_some iterate_dir 'file=&\{"/[0-9]+/ns"\} ctx=&\{\.actor=filldir64'
	shows_some vfs_mkdir 'dentry=&\{"[^"]*/made"\} mode=0777'
	shows_some path_mount 'path=&\{"[^"]*"\}'
	# an error in a pointer
	is_kernel 5.10 || shows $mkdir name=-ENAMETOOLONG mode=0777
	if [ "$all" != "$entries" ]; then
		# a struct passed by value on the stack: the first day of 2100, a friday
		shows_some rtc_tm_to_ktime 'tm=\{\.tm_mday=1,\.tm_year=200,\.tm_wday=5[,}]'
		# formats applied: words in registers and on the stack; a length and a string
		shows seq_printf "...=\"$(cat "$T/loadavg")\\n\""
		shows __request_module wait=true 'fmt="fs-%.*s"' '...="fs-simfail_no_such_fs"'
	fi
	if [ "$rung" = fentry ] && is_kernel 5.10 6.1; then
		expect_err "fentry refuses 'request_key_and_link'"
		expect_no_out request_key_and_link do_mmap proc_fill_cache
		continue
	fi
	# seven: the last is on the stack
	shows proc_fill_cache 'name="uts"' len=3 instantiate=proc_ns_instantiate
	shows_some proc_fill_cache "instantiate=proc_ns_instantiate task=&\{.* ptr=$kernel_text[0-9a-f]+\$"
	# eight and more: some are on the stack
	if [ "$rung" = fentry ] && is_kernel 6.12-arm64; then
		expect_err "fentry refuses 'do_mmap'"
	else
		shows do_mmap file=NULL addr=0 len=0 prot=1 flags=0x22 pgoff=0
		# On 5.10 the caller leaves it as it was on the stack.
		is_kernel 5.10 || shows do_mmap 'populate=&0'
		shows_some do_mmap 'uf=&\{\.next=0xfff[0-9a-f]+,\.prev=0xfff[0-9a-f]+\}'
	fi
	shows request_key_and_link 'description="simfail:no-such-key"' callout_info=NULL \
		callout_len=0 aux=NULL dest_keyring=NULL flags=0
	is_kernel 5.10 && continue
	shows perf_event_alloc cpu=-1 group_leader=NULL parent_event=NULL overflow_handler=NULL \
		context=NULL cgroup_fd=-1
	shows_some perf_event_alloc 'attr=&\{\.type=1,.*\.config=23290,\.exclude_kernel=1'
done
limit=$short

test_that 'a system call has its arguments by name, even with nothing behind it that has'
run retsnoop args -sn -e $sys_mkdir -e ${sys}_bpf -- simfail fs-mkdir-exists bpf-bad-map-type
expect_status 0
shows $sys_mkdir 'pathname="/"' mode=0700
shows_some ${sys}_bpf 'cmd=(0|BPF_MAP_CREATE) uattr=.* size=(144|152)( |$)'

part=getname_flags.part.0
if [ "$(awk -v part=$part '$3 == part' /proc/kallsyms)" ]; then
	test_that 'of a function that BTF does not have the registers are shown'
	run retsnoop args -sn --attach=kprobe -e $part -- simfail fs-open-long-path
	expect_status 0
	# shellcheck disable=SC2086	# a list
	set -- $in_arguments
	first="$1=$user_stack[0-9a-f]+ $2=[0-9]+"
	shift 2
	shows_some $part "$first$(printf ' %s=[0-9a-fx]+' "$@")\$"
fi

mount='-sn -e path_mount'
test_that "'retsnoop args' is 'retsnoop trace -A' is 'retsnoop -T -A'"
# Addresses and times differ.
plain="sed -E 's/^[0-9].*PID [0-9]+.[0-9]+//; s/ [0-9.]+[mu]?s / /; s/0x[0-9a-f]+/0x/g; s/ +/ /g; s/-+/-/g'"
run_sh "for how in 'args' 'trace -A' '-T -A'; do
		retsnoop \$how $mount -- simfail fs-mount-unknown 2>/dev/null | $plain >$T/as-\${how%% *}
	done; diff $T/as-args $T/as-trace && diff $T/as-args $T/as--T && cat $T/as-args"
expect_status 0
shows path_mount 'dev_name="none"' data_page=NULL

test_that 'without -A no arguments are shown'
# shellcheck disable=SC2086
run retsnoop trace $mount -- simfail fs-mount-unknown
expect_status 0
expect_out '↔ path_mount'
expect_no_out dev_name CONTEXT

test_that 'args.fmt-mode=m has an argument a line'
# shellcheck disable=SC2086
run retsnoop args $mount -C args.fmt-mode=m -- simfail fs-mount-unknown
expect_status 0
expect_out '^↔ path_mount' '^  › dev_name = "none"$' '^  › path = &\{"[^"]*"\}$' \
	'^  › type_page = "simfail_no_such_fs"$' '^  › flags = 1$' '^  › data_page = NULL$'

test_that '--args picks arguments, members through several pointers, and what a pointer leads to'
# shellcheck disable=SC2086
run env COLUMNS=400 retsnoop trace $mount -S \
	--args 'path_mount: type_page, path->dentry->d_sb->s_type->name, path->dentry->d_sb->s_id, *path' \
	-- simfail fs-mount-unknown
expect_status 0
shows_some path_mount \
	'type_page="simfail_no_such_fs" path->dentry->d_sb->s_type->name="[a-z0-9]+" path->dentry->d_sb->s_id="[^"]+" \*path=\{\.mnt=0xfff'
expect_no_out 'dev_name' ' flags='

details_on 6.1 || exit 0

test_that 'args.fmt-mode=v has a member a line, with types, zeroes and all'
# shellcheck disable=SC2086
run retsnoop args $mount -C args.fmt-mode=verbose -- simfail fs-mount-unknown
expect_status 0
expect_out '› dev_name = .*"none"$' '› path = &\((const )?struct path\)\{$' \
	'^ +\.mnt = \(struct vfsmount \*\)0xfff[0-9a-f]+,$' '^ +\.dentry = \(struct dentry \*\)0xfff' \
	'^ +\}$' '› type_page = .*"simfail_no_such_fs"$' '› flags = \(.*long.*\)1$'

test_that 'strings and arguments are cut where they are told to, with a mark'
# shellcheck disable=SC2086
run retsnoop args $mount -C args.max-str-arg-size=8 -C args.fmt-max-arg-width=30 \
	--args 'path_mount: dev_name, type_page, *path' -- simfail fs-mount-unknown
expect_status 0
shows path_mount 'dev_name="none"' 'type_page="simfail"…'
shows_some path_mount '\*path=\{\.mnt=0xfff[0-9a-f]+,[.a-z]*…$'

test_that 'with args.max-str-arg-size=0 strings are pointers, and paths are structs'
# shellcheck disable=SC2086
run retsnoop args $mount -C args.max-str-arg-size=0 -- simfail fs-mount-unknown
expect_status 0
shows_some path_mount 'dev_name=0xfff[0-9a-f]+ path=&\{\.mnt=.*type_page=0xfff[0-9a-f]+ flags=1'

test_that 'args.capture-raw-ptrs shows the pointers that are followed, too'
# shellcheck disable=SC2086
run retsnoop args $mount -C args.capture-raw-ptrs=true -- simfail fs-mount-unknown
expect_status 0
shows_some path_mount 'dev_name=.*0xfff[0-9a-f]+.*"none".* path=.*0xfff[0-9a-f]+.*&\{"[^"]*"\}'

test_that '--args with a glob shows what those functions have of it, and only that'
run retsnoop trace -sn -e path_mount -e array_map_alloc_check --args '*: attr->value_size, type_page' \
	-- simfail fs-mount-unknown bpf-bad-map-val-size-percpu-array
expect_status 0
expect_out '↔ path_mount .*[0-9][mu]?s  type_page="simfail_no_such_fs"$' \
	'↔ array_map_alloc_check .*[0-9][mu]?s  attr->value_size=0x80000000$'

test_that 'sessions that do not pass leave nothing in the ring buffer'
# shellcheck disable=SC2086
run retsnoop args -v $mount -x EPERM -- simfail fs-mount-unknown
expect_status 1
expect_out_empty
expect_err '^retsnoop: 0 sessions shown, nothing' 'ring buffer: 0 records, 0 bytes'

bpf=__sys_bpf
! is_kernel 5.10 || bpf=${sys}_bpf
test_that "-e '$bpf' -a 'cap_capable' -T -x EPERM -A -C args.fmt-mode=m"
run retsnoop -e $bpf -a cap_capable -T -x EPERM -A -C args.fmt-mode=m -- simfail cap-bpf
expect_status 0
# CAP_BPF or CAP_SYS_ADMIN
expect_out "^→ $bpf" '^  › cmd = (BPF_PROG_GET_NEXT_ID|11)$' '^    ↔ cap_capable +\[-EPERM\]' \
	'^      › cred = &\{\.usage=\{\.counter=[0-9]+\},\.uid=\{\.val=65534\},\.gid=\{\.val=65534\}' \
	'^      › cap = (21|39)$' "^← $bpf +\[-EPERM\]"

# wrong SELECTION PATTERN: is refused before anything attaches, with a message like that.
wrong()
{
	run retsnoop args -sn -e path_mount --args "$1" -- simfail fs-mount-unknown
	expect_status 2
	expect_out_empty
	expect_err "^retsnoop: --args: $2"
	expect_err_lines 1
}

test_that 'a selection that cannot be is refused, with the column and what may have been meant'
wrong 'path_mount: dev_nam' "path_mount.*no argument 'dev_nam' at column 13 .*did you mean 'dev_name'"
wrong 'path_mount: flags, path->dentri' "struct path .*'dentri' at column 26 .*did you mean 'dentry'"
wrong 'path_mount: path.dentry' "'path' is a pointer, write 'path->dentry' at column 18"
wrong 'path_mount: path->dentry, path->' "the name of a member is missing at column 33"
wrong 'path_mout: path' "no traced function is selected by 'path_mout'; did you mean 'path_mount'"
wrong 'path_*: dev_nam' "path_mount.*no argument 'dev_nam' at column 9 .*did you mean 'dev_name'"
wrong 'path_mount: path->' 'the name of a member is missing at column 19'
wrong 'path_mount: flags->x' "'flags' is a number and has no members at column 20"
wrong 'path_mount flags' "'path_mount flags' is not of the form"
