"""Calls of all four kinds, calls that the server ends early, and a rest of more than a minute. Arguments: URL, authority."""

import concurrent.futures
import pathlib
import sys
import time

import grpc

scheme, address = sys.argv[1].split("://")
if scheme == "https":
    channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(pathlib.Path(sys.argv[2]).read_bytes()))
else:
    channel = grpc.insecure_channel(address)

answer, call = channel.unary_unary("/test.Echo/One").with_call(b"x" * 3_000_000, timeout=30)
assert len(answer) == 3_000_000
assert dict(call.trailing_metadata())["length-bin"] == b"3000000"
assert len(list(channel.unary_stream("/test.Echo/Many")(b"1000", timeout=30))) == 1000
assert channel.stream_unary("/test.Echo/Collected")((b"x" * 10_000 for _ in range(300)), timeout=30) == b"3000000"
try:
    channel.unary_unary("/test.Echo/One")(b"fail", timeout=30)
    raise AssertionError("the call did not fail")
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.FAILED_PRECONDITION, error
    assert error.details() == "as asked for: ü", error


def early(number):
    message = b"%d" % number + b"x" * 1000
    try:
        answers = list(channel.stream_stream("/test.Echo/Early")((message for _ in range(100)), timeout=60))
        return "" if answers == [message] else f"{len(answers)} answers"
    except grpc.RpcError as error:
        return f"{error.code()}: {error.details()}"


with concurrent.futures.ThreadPoolExecutor(20) as pool:
    failed = [text for text in pool.map(early, range(200)) if text]
assert not failed, f"{len(failed)} of 200 calls that the server ends early failed: {failed[0]}"


def at_rest():
    yield b"before"
    time.sleep(75)
    yield b"after"


assert list(channel.stream_stream("/test.Echo/Echoed")(at_rest())) == [b"before", b"after"]
print("grpcio: calls of four kinds, a status with its text, 200 calls that the server ended early, a stream with a rest of 75 s")
