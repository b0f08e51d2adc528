"""Validates files of OTLP/JSON, one message in each line, against the protocol's schema. Prints the numbers of spans and data points.

Source: OpenTelemetry Protocol, section "JSON Protobuf Encoding": Protobuf's JSON with identifiers in hexadecimal, enumerations as
numbers, and names in camel case.
"""

import base64
import json
import sys

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDENTIFIERS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}
ENUMERATIONS = {"kind", "code", "aggregationTemporality"}


class Invalid(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Invalid(message)


def converted(value, key=None):
    """Returns `value` in Protobuf's JSON: identifiers in Base64."""
    if key in IDENTIFIERS:
        require(isinstance(value, str) and len(value) == 2 * IDENTIFIERS[key], f"{key} {value!r} has another length")
        return base64.b64encode(bytes.fromhex(value)).decode()
    if key in ENUMERATIONS:
        require(isinstance(value, int), f"{key} {value!r} is not a number")
    if isinstance(value, dict):
        for name in value:
            require("_" not in name, f"{name} is not in camel case")
        return {name: converted(member, name) for name, member in value.items()}
    if isinstance(value, list):
        return [converted(element) for element in value]
    return value


def check_attributes(attributes):
    names = [attribute.key for attribute in attributes]
    require(len(names) == len(set(names)) and all(names), f"attributes {names} are not unique")
    for attribute in attributes:
        require(attribute.value.WhichOneof("value"), f"{attribute.key} has no value")


def check_span(span):
    require(any(span.trace_id) and any(span.span_id), "an identifier is zero")
    require(span.name, "a span has no name")
    require(span.kind == span.SPAN_KIND_CLIENT, f"{span.name}: the kind is {span.kind}")
    require(span.end_time_unix_nano >= span.start_time_unix_nano > 10**18, f"{span.name}: the times are not nanoseconds")
    check_attributes(span.attributes)


def check_point(metric, point):
    require(len(point.bucket_counts) == len(point.explicit_bounds) + 1, f"{metric.name}: buckets without bounds")
    require(sum(point.bucket_counts) == point.count, f"{metric.name}: the buckets have another sum")
    require(list(point.explicit_bounds) == sorted(set(point.explicit_bounds)), f"{metric.name}: the bounds do not ascend")
    require(point.time_unix_nano >= point.start_time_unix_nano > 10**18, f"{metric.name}: the times are not nanoseconds")
    check_attributes(point.attributes)


def check(message):
    """Returns the numbers of spans and of data points in `message`."""
    spans = points = 0
    if "resourceSpans" in message:
        request = ParseDict(converted(message), ExportTraceServiceRequest(), ignore_unknown_fields=False)
        for group in request.resource_spans:
            check_attributes(group.resource.attributes)
            for scope in group.scope_spans:
                for span in scope.spans:
                    check_span(span)
                    spans += 1
    else:
        request = ParseDict(converted(message), ExportMetricsServiceRequest(), ignore_unknown_fields=False)
        for group in request.resource_metrics:
            check_attributes(group.resource.attributes)
            for scope in group.scope_metrics:
                for metric in scope.metrics:
                    require(metric.WhichOneof("data") == "histogram", f"{metric.name} is not a histogram")
                    for point in metric.histogram.data_points:
                        check_point(metric, point)
                        points += 1
    require(spans + points > 0, "the message is empty")
    return spans, points


def main(files):
    spans = points = 0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    found = check(json.loads(line))
                except Exception as error:  # any departure: a parser has its own errors
                    print(f"{file}:{number}: {error}", file=sys.stderr)
                    return 1
                spans, points = spans + found[0], points + found[1]
    print(f"{spans} spans, {points} data points")
    return 0 if spans + points > 0 else 1


sys.exit(main(sys.argv[1:]))
