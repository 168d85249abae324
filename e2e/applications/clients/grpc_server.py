"""Serves health, reflection and calls of all four kinds that echo bytes, one of which ends early. Argument: port."""

import concurrent.futures
import sys

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

server = grpc.server(concurrent.futures.ThreadPoolExecutor(50), options=[("grpc.max_receive_message_length", 64 << 20)])
servicer = health.HealthServicer()
servicer.set("", health_pb2.HealthCheckResponse.SERVING)
health_pb2_grpc.add_HealthServicer_to_server(servicer, server)


def one(request, context):
    if request == b"fail":
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "as asked for: ü")
    context.set_trailing_metadata((("length-bin", str(len(request)).encode()),))
    return request


def many(request, _):
    for number in range(int(request)):
        yield str(number).encode()


def collected(requests, _):
    return str(sum(len(request) for request in requests)).encode()


def echoed(requests, _):
    yield from requests


def early(requests, _):
    """Ends the call while its client still sends."""
    yield next(requests)


server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Echo", {
    "One": grpc.unary_unary_rpc_method_handler(one),
    "Many": grpc.unary_stream_rpc_method_handler(many),
    "Collected": grpc.stream_unary_rpc_method_handler(collected),
    "Echoed": grpc.stream_stream_rpc_method_handler(echoed),
    "Early": grpc.stream_stream_rpc_method_handler(early),
}),))
reflection.enable_server_reflection((health.SERVICE_NAME, reflection.SERVICE_NAME), server)
server.add_insecure_port(f"127.0.0.1:{sys.argv[1]}")
server.start()
server.wait_for_termination()
