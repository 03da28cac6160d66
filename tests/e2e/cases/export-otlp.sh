#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# retsnoop export --otlp: each failing call to a receiver that takes it, is gone, slow, or answers nonsense.
# kernels: 6.12 7.2
. "${0%/*}/../lib.sh"

prom=$T/retsnoop.prom
receiver=
labels="entry=\"$mkdir\",errno=\"EEXIST\",producer=\"filename_create\",comm=\"simfail\""
export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 OTEL_RESOURCE_ATTRIBUTES=deployment.environment=test

# Takes a request, keeps its body, and says so.
cat >"$T/takes" <<END
#!/bin/sh
while IFS= read -r line && [ "\${line%?}" ]; do
	case \$line in Content-Length:*) length=\${line#*: } ;; esac
done
head -c "\${length%?}" >>"$T/bodies"
printf 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
END
# Never answers.
printf '#!/bin/sh\nexec sleep 1000\n' >"$T/slow"
# Is no receiver.
printf '#!/bin/sh\nhead -c 100 /dev/urandom\n' >"$T/lying"
chmod +x "$T/takes" "$T/slow" "$T/lying"

receive() { nc -ll -p 4318 -e "$1" & receiver=$!; }
end_receiver() { kill $receiver; wait $receiver 2>/dev/null; }

# metric NAME[LABELS]: the value in the file.
metric() { awk -v name="$1" '{ at = $0; sub(/ [^ ]*$/, "", at) } at == name { print $NF }' "$prom"; }

# expect_metrics NAME VALUE...
expect_metrics()
{
	expectations=$((expectations + 1))
	while [ $# -gt 0 ]; do
		value=$(metric "$1")
		[ "$value" = "$2" ] || problem "expected $1 $2, got ${value:-none}: $(grep -v '#' "$prom")"
		shift 2
	done
}

export_calls() { start retsnoop export --prom "$prom" --interval 1 --otlp -sn -e $mkdir -a filename_create "$@"; }

test_that 'a receiver gets each failing call once'
receive "$T/takes"
export_calls
simfail -n 3 fs-mkdir-exists
tries=600
until grep -q timeUnixNano "$T/bodies" 2>/dev/null || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
simfail -n 100 fs-mkdir-exists
stop TERM
end_receiver
expect_status 0
expect_metrics "retsnoop_failures_total{$labels}" 103 'retsnoop_delivered_total{receiver="otlp"}' 103 \
	'retsnoop_dropped_total{receiver="otlp",reason="unreachable"}' 0
expect '103 records' [ "$(grep -o '"timeUnixNano"' "$T/bodies" | wc -l)" -eq 103 ]
sed -e 's/{"key"/\n&/g' -e 's/"body"/\n&/g' "$T/bodies" >"$T/lines"
in_order 'the request' "$T/lines" '^\{"resourceLogs":\[\{"resource":\{"attributes":\[$' \
	'"key":"deployment.environment","value":\{"stringValue":"test"\}' \
	"\"stringValue\":\"simfail/[0-9]+: $mkdir failed with EEXIST from filename_create after [0-9.]+[num]?s\"" \
	'"key":"error.type","value":\{"stringValue":"EEXIST"\}' \
	'"key":"retsnoop.stack","value":\{"stringValue":".*filename_create'
expect_no_err 'accepts no log records'

test_that 'a receiver that is gone costs the records, which are counted'
export_calls
simfail -n 200 fs-mkdir-exists
stop INT
expect_status 0
expect_metrics "retsnoop_failures_total{$labels}" 200 'retsnoop_delivered_total{receiver="otlp"}' 0 \
	'retsnoop_dropped_total{receiver="otlp",reason="unreachable"}' 200
expect_err 'warning: --otlp: http://localhost:4318/v1/logs accepts no log records: Connection refused' \
	'^retsnoop: warning: --otlp: 200 of 200 calls did not arrive: queue full 0, refused 0, unreachable 200$'

test_that 'calls wait for a receiver that is gone also while SIGHUP is answered'
rm -f "$T/bodies"
export_calls
simfail -n 60 fs-mkdir-exists
wait_for 120 "$T/err" 'accepts no log records' || problem 'it is not gone'
kill -HUP "$(program_pid)"
wait_for 120 "$T/err" '^Configuration read again; ' || problem 'not read again'
receive "$T/takes"
tries=600
until [ "$(grep -o timeUnixNano "$T/bodies" 2>/dev/null | wc -l)" -eq 60 ] || [ $tries -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
stop TERM
end_receiver
expect_status 0
expect_metrics "retsnoop_failures_total{$labels}" 60 'retsnoop_delivered_total{receiver="otlp"}' 60 \
	'retsnoop_dropped_total{receiver="otlp",reason="unreachable"}' 0

test_that 'a receiver that never answers holds up nothing'
receive "$T/slow"
export_calls
simfail -n 200 fs-mkdir-exists
stop INT
end_receiver
expect_status 0
expect_within 20000
expect_metrics "retsnoop_failures_total{$labels}" 200 'retsnoop_delivered_total{receiver="otlp"}' 0 \
	'retsnoop_dropped_total{receiver="otlp",reason="unreachable"}' 200
expect_err 'accepts no log records: Connection timed out'

test_that 'a receiver that answers nonsense is said to refuse'
receive "$T/lying"
export_calls
simfail -n 200 fs-mkdir-exists
stop INT
end_receiver
expect_status 0
expect 'all records accounted for' [ $(($(metric 'retsnoop_dropped_total{receiver="otlp",reason="refused"}') +
	$(metric 'retsnoop_dropped_total{receiver="otlp",reason="unreachable"}'))) -eq 200 ]
expect_metrics 'retsnoop_delivered_total{receiver="otlp"}' 0
expect_err 'accepts no log records: '

test_that 'without a journal there is no run'
run retsnoop export --journal -e $mkdir
expect_status 3
expect_err_lines 1
expect_err '^retsnoop: --journal: cannot write to /run/systemd/journal/socket: No such file or directory; does systemd-journald run\?$'
