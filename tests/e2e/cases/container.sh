#!/bin/sh
# In a PID namespace of its own, as in a container: ids are those that ps has there.
. "${0%/*}/../lib.sh"

quick="-sn -e $mkdir -a filename_create"

# contained SCRIPT: run it as process 1 of a namespace; its output is what is looked at.
contained()
{
	echo "$1" >"$T/script"
	rm -f "$T/log"
	run unshare -m -p -f --mount-proc sh "$T/script"
	cat "$T/script" >>"$T/command"
}

ln -s "$(command -v simfail)" "$T/other"

for rung in $(some_rungs); do
	test_that "$rung: a workload in a container is traced, with its children, and nobody else"
	sh -c 'while [ ! -e "$1/enough" ]; do "$1/other" fs-mkdir-exists; sleep 0.05; done' sh "$T" &
	other=$!
	contained "retsnoop $quick --attach=$rung -- sh -c 'echo \$\$ >&3; sh -c \"simfail fs-mkdir-exists; :\"; simfail fs-mkdir-exists; :' 3>$T/workload"
	: >"$T/enough"
	wait $other
	rm "$T/enough"
	expect_status 0
	expect_sessions 2
	# Few processes were started in there; outside there are hundreds.
	expect 'small ids' [ "$(cat "$T/workload")" -lt 60 ]
	expect_out 'TID/PID ([0-9]|[1-5][0-9])/([0-9]|[1-5][0-9]) \(simfail/simfail\)'
	expect_no_out '\(other/other\)'
done

test_that '-p in a container takes and shows the ids of the container'
cat >"$T/fails" <<'END'
until [ -e "$1" ]; do usleep 100000 2>/dev/null || sleep 0.1; done
simfail fs-mkdir-exists
exec simfail fs-mkdir-exists
END
contained "sh $T/fails $T/go & wanted=\$!
echo \$wanted >$T/wanted
retsnoop $quick -p \$wanted --max-sessions 1 --duration 60 2>$T/log & tracer=\$!
until grep -q Receiving $T/log; do sleep 0.1; done
: >$T/go
wait \$tracer; status=\$?; cat $T/log >&2; exit \$status"
rm -f "$T/go"
expect_status 0
expect_sessions 1
wanted=$(cat "$T/wanted")
expect_out "TID/PID $wanted/$wanted \(simfail/simfail\)"

details_on 7.2 || exit 0

test_that '-P in a container leaves out that process, and keeps those outside, which have no id there'
sh -c 'until [ -e "$1/go" ]; do sleep 0.1; done; exec "$1/other" fs-mkdir-exists' sh "$T" &
other=$!
contained "sh $T/fails $T/go & wanted=\$!
echo \$wanted >$T/wanted
retsnoop $quick -P \$wanted -n simfail -n other --max-sessions 2 --duration 60 2>$T/log & tracer=\$!
until grep -q Receiving $T/log; do sleep 0.1; done
: >$T/go
wait \$tracer; status=\$?; cat $T/log >&2; exit \$status"
wait $other
rm -f "$T/go"
expect_status 0
expect_sessions 2
expect_out 'TID/PID 0/0 \(other/other\)'
expect_no_out "TID/PID $(cat "$T/wanted")/"

test_that 'children in a container inside the container have ids in both'
contained "retsnoop $quick -- unshare -m -p -f --mount-proc sh -c 'simfail fs-mkdir-exists; :'"
expect_status 0
expect_sessions 1
expect_out 'TID/PID [1-9][0-9]*/[1-9][0-9]* \(simfail/simfail\)'
expect_no_out 'TID/PID [123]/'

test_that 'a recording has the ids that were shown'
contained "retsnoop record -q $quick -o $T/data --live -- simfail fs-mkdir-exists; retsnoop report -i $T/data"
expect_status 0
expect_sessions 2
expect 'the same ids twice' [ "$(grep -o 'TID/PID [1-9][0-9]*/[1-9][0-9]*' "$T/out" | uniq | wc -l)" -eq 1 ]

test_that 'without BTF the kernel says the ids'
contained "mount -t tmpfs none /sys/kernel/btf
[ ! -e /usr/lib/debug ] || mount -t tmpfs none /usr/lib/debug
retsnoop $quick --attach=kprobe -- simfail fs-mkdir-exists"
expect_status 0
expect_sessions 1
expect_err 'without BTF'
expect_out 'TID/PID ([0-9]|[1-5][0-9])/([0-9]|[1-5][0-9]) \(simfail\)'
