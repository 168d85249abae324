"""A client of WebSocket over HTTP/2 (RFC 8441), or over TLS, for programs that speak HTTP/1.1 in plaintext alone.

It moves bytes between a connection and a stream, and knows nothing of frames of WebSocket. The end of one direction is
END_STREAM there and the end of the socket's direction here; a reset is a reset.
"""

import asyncio
import base64
import hashlib
import socket
import ssl

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

CHUNK = 65536
WINDOW = 1 << 20
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
HOP_BY_HOP = {"connection", "upgrade", "host", "sec-websocket-key"}


def client_tls(protocols):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(protocols)
    return context


class Stream:
    """One WebSocket on the shared connection."""

    def __init__(self):
        self.head = asyncio.get_running_loop().create_future()
        self.received = asyncio.Queue()
        self.window = asyncio.Event()
        self.ended = False


class Http2Client:
    """One connection to the gateway, with as many streams as it is asked for."""

    def __init__(self):
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.streams = {}
        self.settings = asyncio.get_running_loop().create_future()
        self.closed = False

    async def connect(self, port, tls):
        if tls:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", port, ssl=client_tls(["h2"]), server_hostname="localhost")
            chosen = self.writer.get_extra_info("ssl_object").selected_alpn_protocol()
            if chosen != "h2":
                raise ConnectionError(f"ALPN: {chosen} (expected: h2)")
        else:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.h2.initiate_connection()
        self.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: WINDOW})
        self.h2.increment_flow_control_window(16 * WINDOW)
        self.flush()
        self.task = asyncio.create_task(self.read())
        await asyncio.wait_for(self.settings, 20)
        if not self.h2.remote_settings.enable_connect_protocol:
            raise ConnectionError("SETTINGS_ENABLE_CONNECT_PROTOCOL is not 1")
        return self

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.writer.write(data)

    async def read(self):
        try:
            while data := await self.reader.read(CHUNK):
                for event in self.h2.receive_data(data):
                    self.handle(event)
                self.flush()
        except (OSError, h2.exceptions.ProtocolError) as failure:
            print(f"bridge: {failure!r}")
        finally:
            self.closed = True
            for stream in self.streams.values():
                self.end(stream, None)

    def handle(self, event):
        stream = self.streams.get(getattr(event, "stream_id", None))
        if isinstance(event, h2.events.RemoteSettingsChanged):
            if not self.settings.done():
                self.settings.set_result(True)
            self.wake()
        elif isinstance(event, h2.events.WindowUpdated):
            self.wake()
        elif isinstance(event, h2.events.ConnectionTerminated):
            self.closed = True
        elif stream is None:
            pass
        elif isinstance(event, h2.events.ResponseReceived):
            stream.head.set_result(dict(event.headers))
        elif isinstance(event, h2.events.DataReceived):
            stream.received.put_nowait((event.data, event.flow_controlled_length))
        elif isinstance(event, h2.events.StreamEnded):
            stream.received.put_nowait((b"", 0))
        elif isinstance(event, h2.events.StreamReset):
            self.end(stream, event.error_code)

    def end(self, stream, code):
        stream.ended = True
        stream.received.put_nowait((None, code))
        stream.window.set()
        if not stream.head.done():
            stream.head.set_exception(ConnectionResetError(f"stream reset: {code}"))

    def wake(self):
        for stream in self.streams.values():
            stream.window.set()

    def open(self, headers):
        number = self.h2.get_next_available_stream_id()
        stream = self.streams[number] = Stream()
        self.h2.send_headers(number, headers)
        self.flush()
        return number, stream

    async def send(self, number, stream, data):
        sent = 0
        while sent < len(data):
            if stream.ended:
                raise ConnectionResetError
            free = min(self.h2.local_flow_control_window(number), self.h2.max_outbound_frame_size, len(data) - sent)
            if free <= 0:
                stream.window.clear()
                await stream.window.wait()
                continue
            self.h2.send_data(number, data[sent:sent + free])
            sent += free
            self.flush()
            await self.writer.drain()

    def end_sending(self, number):
        self.h2.end_stream(number)
        self.flush()

    def took(self, number, length):
        if length and not self.closed:
            self.h2.acknowledge_received_data(length, number)
            self.flush()

    def reset(self, number):
        try:
            self.h2.reset_stream(number, h2.errors.ErrorCodes.CANCEL)
            self.flush()
        except h2.exceptions.ProtocolError:
            pass  # The stream is closed already.


def abort(writer):
    """Ends a connection with a reset."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    writer.transport.abort()


async def pump(reader, writer):
    """Moves bytes of one direction, and its end."""
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()
    except OSError:
        abort(writer)


class Bridge:
    """Listens on a port of its own. `protocol` is what it speaks to `port`: h1, h1-tls, h2 or h2-tls."""

    def __init__(self, port, protocol):
        self.target, self.protocol = port, protocol
        self.client = None
        self.connecting = asyncio.Lock()
        self.tasks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0, limit=CHUNK)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *failure):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        if self.client is not None:
            self.client.task.cancel()
            self.client.writer.close()

    async def accept(self, reader, writer):
        task = asyncio.current_task()
        self.tasks.add(task)
        try:
            await (self.over_http1(reader, writer) if self.protocol.startswith("h1") else self.over_http2(reader, writer))
        except asyncio.CancelledError:
            abort(writer)  # The run is over.
        except (OSError, asyncio.IncompleteReadError, h2.exceptions.ProtocolError) as failure:
            if not isinstance(failure, ConnectionResetError):
                print(f"bridge: {failure!r}")
            abort(writer)
        finally:
            self.tasks.discard(task)
            writer.close()

    async def over_http1(self, reader, writer):
        tls = client_tls(["http/1.1"]) if self.protocol == "h1-tls" else None
        there, back = await asyncio.open_connection(
            "127.0.0.1", self.target, limit=CHUNK, ssl=tls, server_hostname="localhost" if tls else None)
        try:
            await asyncio.gather(pump(reader, back), pump(there, writer))
        finally:
            back.close()

    async def connection(self):
        async with self.connecting:
            if self.client is None or self.client.closed:
                self.client = await Http2Client().connect(self.target, self.protocol == "h2-tls")
            return self.client

    async def over_http2(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in head[1:-2])]
        key = next(value for name, value in fields if name == "sec-websocket-key")
        host = next(value for name, value in fields if name == "host")
        client = await self.connection()
        number, stream = client.open([
            (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https" if "tls" in self.protocol else "http"),
            (":path", path), (":authority", host),
            *((name, value) for name, value in fields if name not in HOP_BY_HOP)])
        try:
            answer = await stream.head
            await self.relay(client, number, stream, answer, key, reader, writer)
        finally:
            client.streams.pop(number, None)

    async def relay(self, client, number, stream, answer, key, reader, writer):
        others = "".join(f"{name}: {value}\r\n" for name, value in answer.items() if not name.startswith(":"))
        if answer[":status"] != "200":
            writer.write(f"HTTP/1.1 {answer[':status']} no\r\n{others}\r\n".encode())
            return
        accept = base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()
        writer.write((f"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                      f"Sec-WebSocket-Accept: {accept}\r\n{others}\r\n").encode())
        await asyncio.gather(self.upload(client, number, stream, reader), self.download(client, number, stream, writer))

    async def upload(self, client, number, stream, reader):
        try:
            while data := await reader.read(CHUNK):
                await client.send(number, stream, data)
            if not stream.ended:
                client.end_sending(number)
        except h2.exceptions.ProtocolError:
            pass  # The stream was reset meanwhile: the other direction ends the connection.
        except ConnectionResetError:
            if not stream.ended:
                client.reset(number)
                client.end(stream, None)

    async def download(self, client, number, stream, writer):
        while True:
            data, length = await stream.received.get()
            if data is None:
                abort(writer)
                return
            if not data and not length:
                if writer.can_write_eof():
                    writer.write_eof()
                return
            writer.write(data)
            await writer.drain()
            client.took(number, length)
