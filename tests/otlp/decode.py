# SPDX-License-Identifier: BSD-2-Clause
"""Decodes a request of OTLP/HTTP in JSON with OpenTelemetry's message types: for tests/otlp/run."""
import base64
import copy
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
from opentelemetry.proto.logs.v1 import logs_pb2

passed = failed = 0


def check(what, holds):
    global passed, failed
    if holds:
        passed += 1
        print(f"ok otlp: {what}")
    else:
        failed += 1
        print(f"not ok otlp: {what}")


def records_of(request):
    return [record for resource in request["resourceLogs"] for scope in resource["scopeLogs"]
            for record in scope["logRecords"]]


def decode(request):
    """OTLP's JSON has ids in hexadecimal digits, where protobuf's own has base64. None: it is no request."""
    request = copy.deepcopy(request)
    try:
        for record in records_of(request):
            for key in {"traceId", "spanId"} & record.keys():
                record[key] = base64.b64encode(bytes.fromhex(record[key])).decode()
        return json_format.ParseDict(request, logs_service_pb2.ExportLogsServiceRequest())
    except (json_format.ParseError, ValueError):
        return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    message = decode(request)
    check("the request is one", message is not None)
    records = [record for resource in message.resource_logs for scope in resource.scope_logs
               for record in scope.log_records] if message else []
    check("all records are there", records and len(records) == len(records_of(request)))
    check("all have a time, a body and attributes",
          all(r.time_unix_nano and r.observed_time_unix_nano and r.body.string_value and r.attributes
              for r in records))
    check("all are warnings", {r.severity_number for r in records} == {logs_pb2.SEVERITY_NUMBER_WARN})
    ids = [(len(r.trace_id), len(r.span_id)) for r in records if r.trace_id or r.span_id]
    check("ids of traces have 16 bytes, and of spans 8", ids and set(ids) == {(16, 8)})
    durations = [[a.value.int_value for a in r.attributes if a.key == "retsnoop.duration_ns"] for r in records]
    check("all have a duration, which is a number", durations and all(len(d) == 1 and d[0] > 0 for d in durations))
    check("resources have a service and a host",
          message and all({"service.name", "host.name"} <= {a.key for a in resource.resource.attributes}
                          for resource in message.resource_logs))
    records_of(request)[0]["severity"] = 13
    check("a member that OTLP does not have is noticed", decode(request) is None)
    print(f"otlp: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
