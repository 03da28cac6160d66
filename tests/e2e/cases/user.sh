#!/bin/sh
# -u: the workload as another user, who is refused what root gets.
. "${0%/*}/../lib.sh"

[ "$(id -u)" = 0 ] || { echo "ok user: all # SKIP this needs root"; exit; }
user=nobody
grep -q '^nobody:' /etc/passwd || user=$(awk -F: '$3 == 1000 { print $1 }' /etc/passwd)
[ -n "$user" ] || { echo "ok user: all # SKIP no user but root"; exit; }
ids=$(awk -F: -v user="$user" '$1 == user { print $3, $4, $6 }' /etc/passwd)
uid=${ids%% *} home=${ids##* } gid=${ids#* } gid=${gid%% *}
echo secret >"$T/secret"

# what opens a file
opens=openat
[ "$(uname -m)" != x86_64 ] || opens=open,openat

test_that 'the workload is refused what its user may not do'
run retsnoop -sn -x EACCES --syscall $opens -u "$user" -- cat "$T/secret"
expect_status 0
expect_out '\[-EACCES\] +(__[a-z0-9]+_sys|do_sys)_open'
expect_err 'ermission denied'

test_that 'root gets it'
run retsnoop -sn -x EACCES --syscall $opens -- cat "$T/secret"
expect_status 1
expect_out '^secret$'

test_that 'the workload has the ids, the groups and the environment of its user, and no capabilities'
run retsnoop -q -sn --syscall getppid --user="$user" -- \
	sh -c 'cat /proc/self/status; echo "I am $USER $LOGNAME at $HOME"'
expect_out "^Uid:	$uid	$uid	$uid	$uid" "^Gid:	$gid	$gid	$gid	$gid" "^Groups:	($gid |.* $gid )" \
	'^CapEff:	0+$' "^I am $user $user at $home\$"

test_that 'a number names a user, too, and becoming it is not part of the trace'
run retsnoop -sn -S -T -e '*_sys_setresuid' -e '*_sys_setgroups' -u "$uid" -- true
expect_status 1
expect_out_empty

details_on 7.2 || exit 0

test_that 'a recording is made of such a workload'
run retsnoop record -q -o "$T/data" -x EACCES --syscall $opens -u "$user" -- cat "$T/secret"
expect_status 0
run retsnoop report -q -i "$T/data"
expect_status 0
expect_out 'EACCES'

case $(uname -m) in x86_64|aarch64)
	test_that 'why runs the command as that user every time'
	run retsnoop why -u "$user" -x EACCES -- cat "$T/secret"
	expect_status 0
	expect_out '= -EACCES' 'returned -EACCES'
esac

setpriv=/usr/bin/setpriv
if [ -x $setpriv ]; then
	test_that 'who is not root cannot'
	chmod 755 "$T"
	cp "$(command -v retsnoop)" "$T"
	run $setpriv --reuid "$uid" --regid "$gid" --clear-groups "$T/retsnoop" -e x -u root -- true
	expect_status 3
	expect_out_empty
	expect_err '^retsnoop: -u: only root can run a command as another user; try sudo$'
fi
