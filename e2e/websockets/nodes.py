"""The nodes behind the gateway: each echoes messages of WebSocket, and each is another implementation.

Run as a program it is one node: `nodes.py websockets|hypercorn PORT TLS_PORT FOLDER`.
"""

import asyncio
import ssl
import sys

MESSAGE_MAX = 1 << 25


async def websockets_node(port, tls_port, folder):
    """HTTP/1.1, by the library websockets."""
    from websockets.asyncio.server import serve
    from websockets.exceptions import ConnectionClosed
    from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

    async def echo(connection):
        try:
            async for message in connection:
                await connection.send(message)
        except ConnectionClosed:
            pass

    def subprotocol(connection, offered):
        return next(iter(offered), None)

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    options = {
        "max_size": MESSAGE_MAX, "ping_interval": None, "close_timeout": 5,
        "select_subprotocol": subprotocol, "compression": None, "extensions": [ServerPerMessageDeflateFactory()]}
    async with serve(echo, "127.0.0.1", port, **options), serve(echo, "127.0.0.1", tls_port, ssl=tls, **options):
        await asyncio.get_running_loop().create_future()


async def hypercorn_node(port, tls_port, folder):
    """HTTP/2 with extended CONNECT, by hypercorn, h2 and wsproto. It serves the page of the browser's cases too."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            await lifespan(receive, send)
        elif scope["type"] == "websocket":
            await echo(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def lifespan(receive, send):
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def echo(scope, receive, send):
        await receive()
        # Whoever offers a subprotocol gets the first.
        await send({"type": "websocket.accept", "subprotocol": next(iter(scope["subprotocols"]), None)})
        while (message := await receive())["type"] == "websocket.receive":
            if message.get("text") is not None:
                await send({"type": "websocket.send", "text": message["text"]})
            else:
                await send({"type": "websocket.send", "bytes": message["bytes"]})

    config = Config()
    config.insecure_bind = [f"127.0.0.1:{port}"]
    config.bind = [f"127.0.0.1:{tls_port}"]
    config.certfile, config.keyfile = f"{folder}/cert.pem", f"{folder}/key.pem"
    config.alpn_protocols = ["h2", "http/1.1"]
    config.websocket_max_message_size = MESSAGE_MAX
    config.h2_max_concurrent_streams = 1000
    config.keep_alive_timeout = 600
    await serve(app, config, shutdown_trigger=asyncio.get_running_loop().create_future)


NODES = {"websockets": websockets_node, "hypercorn": hypercorn_node}

if __name__ == "__main__":
    kind, port, tls_port, folder = sys.argv[1:]
    asyncio.run(NODES[kind](int(port), int(tls_port), folder))
