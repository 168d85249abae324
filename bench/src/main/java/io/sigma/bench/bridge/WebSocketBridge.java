package io.sigma.bench.bridge;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.bridge.BridgeEventType;
import io.vertx.ext.bridge.PermittedOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.sockjs.BridgeEvent;
import io.vertx.ext.web.handler.sockjs.SockJSBridgeOptions;
import io.vertx.ext.web.handler.sockjs.SockJSHandler;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;

/** The event bus bridge of {@code vertx-web} over a plain WebSocket. */
final class WebSocketBridge implements Bridge {

    private static final int INBOUND_BYTES_MAX = 64 * 1024;
    private static final int OUTBOUND_BYTES_MAX = 512 * 1024;
    private static final long PING_TIMEOUT_MILLIS = 10_000;

    private volatile String lastPeer = "";
    private final Promise<Void> peerClosed = Promise.promise();

    @Override
    public Future<Integer> listen(Vertx vertx, Certificates certificates) throws Exception {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(certificates.issue("control-plane"))
                .setTrustOptions(certificates.trust())
                .setClientAuth(ClientAuth.REQUEST)
                .setMaxWebSocketFrameSize(INBOUND_BYTES_MAX)
                .setMaxWebSocketMessageSize(INBOUND_BYTES_MAX);
        SockJSBridgeOptions bridge = new SockJSBridgeOptions()
                .addInboundPermitted(new PermittedOptions().setAddress("fetch"))
                .addOutboundPermitted(new PermittedOptions().setAddress("announce"))
                .setPingTimeout(PING_TIMEOUT_MILLIS);
        Router router = Router.router(vertx);
        router.route("/bus/*").subRouter(SockJSHandler.create(vertx).bridge(bridge, this::onEvent));
        return vertx.createHttpServer(options)
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .map(HttpServer::actualPort);
    }

    private void onEvent(BridgeEvent event) {
        try {
            if (event.type() == BridgeEventType.SOCKET_ERROR) {
                event.socket().close();
            }
            if (event.type() == BridgeEventType.SOCKET_CLOSED || event.type() == BridgeEventType.SOCKET_ERROR) {
                peerClosed.tryComplete();
                event.complete(true);
                return;
            }
            lastPeer = ((X509Certificate) event.socket()
                            .routingContext()
                            .request()
                            .connection()
                            .peerCertificates()
                            .get(0))
                    .getSubjectX500Principal()
                    .getName();
            event.complete(true);
        } catch (Exception e) {
            event.complete(false);
        }
    }

    @Override
    public Future<Peer> connect(Vertx vertx, Certificates certificates, int port) throws Exception {
        WebSocketClientOptions options = new WebSocketClientOptions()
                .setSsl(true)
                .setKeyCertOptions(certificates.issue("gateway"))
                .setTrustOptions(certificates.trust())
                .setVerifyHost(false)
                .setMaxFrameSize(OUTBOUND_BYTES_MAX)
                .setMaxMessageSize(OUTBOUND_BYTES_MAX);
        WebSocketClient client = vertx.createWebSocketClient(options);
        return client.connect(new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI("/bus/websocket"))
                .map(socket -> new WebSocketPeer(client, socket));
    }

    @Override
    public String lastPeer() {
        return lastPeer;
    }

    @Override
    public Future<Void> peerClosed() {
        return peerClosed.future();
    }

    private record WebSocketPeer(WebSocketClient client, WebSocket socket, Promise<Void> ended) implements Peer {

        WebSocketPeer(WebSocketClient client, WebSocket socket) {
            this(client, socket, Promise.promise());
            socket.closeHandler(v -> ended.tryComplete());
            socket.exceptionHandler(e -> ended.tryComplete());
        }

        @Override
        public void send(JsonObject message) {
            socket.writeTextMessage(message.encode());
        }

        @Override
        public Future<Void> sendPartOfAMessage(Buffer bytes) {
            return socket.writeFrame(WebSocketFrame.binaryFrame(bytes, false));
        }

        @Override
        public void onMessage(Consumer<JsonObject> consumer) {
            socket.handler(buffer -> {});
            socket.textMessageHandler(text -> consumer.accept(new JsonObject(text)));
            socket.binaryMessageHandler(bytes -> consumer.accept(new JsonObject(bytes)));
        }

        @Override
        public Future<Void> closed() {
            return ended.future();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
