package io.sigma.bench.bridge;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.bridge.BridgeOptions;
import io.vertx.ext.bridge.PermittedOptions;
import io.vertx.ext.eventbus.bridge.tcp.TcpEventBusBridge;
import io.vertx.ext.eventbus.bridge.tcp.impl.protocol.FrameParser;
import java.net.ServerSocket;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code vertx-tcp-eventbus-bridge}: a four-byte length before each JSON message. */
final class TcpBridge implements Bridge {

    private volatile String lastPeer = "";
    private final Promise<Void> peerClosed = Promise.promise();

    @Override
    public Future<Integer> listen(Vertx vertx, Certificates certificates) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort(); // the bridge does not tell which port it got
        }
        NetServerOptions server = new NetServerOptions()
                .setSsl(true)
                .setKeyCertOptions(certificates.issue("control-plane"))
                .setTrustOptions(certificates.trust())
                .setClientAuth(ClientAuth.REQUIRED);
        BridgeOptions options = new BridgeOptions()
                .addInboundPermitted(new PermittedOptions().setAddress("fetch"))
                .addOutboundPermitted(new PermittedOptions().setAddress("announce"));
        return TcpEventBusBridge.create(vertx, options, server, event -> {
                    try {
                        event.socket().closeHandler(closed -> peerClosed.tryComplete());
                        lastPeer = ((X509Certificate)
                                        event.socket().peerCertificates().get(0))
                                .getSubjectX500Principal()
                                .getName();
                        event.complete(true);
                    } catch (Exception e) {
                        event.complete(false);
                    }
                })
                .listen(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
                .map(port);
    }

    @Override
    public Future<Peer> connect(Vertx vertx, Certificates certificates, int port) throws Exception {
        NetClientOptions options = new NetClientOptions()
                .setSsl(true)
                .setKeyCertOptions(certificates.issue("gateway"))
                .setTrustOptions(certificates.trust())
                .setHostnameVerificationAlgorithm("");
        NetClient client = vertx.createNetClient(options);
        return client.connect(port, "127.0.0.1").map(socket -> new TcpPeer(client, socket));
    }

    @Override
    public String lastPeer() {
        return lastPeer;
    }

    @Override
    public Future<Void> peerClosed() {
        return peerClosed.future();
    }

    private static final class TcpPeer implements Peer {

        // Held because a client that is collected closes its connections.
        private final NetClient client;
        private final NetSocket socket;
        private final Promise<Void> closed = Promise.promise();
        private @Nullable Consumer<JsonObject> handler;
        private boolean partial;

        TcpPeer(NetClient client, NetSocket socket) {
            this.client = client;
            this.socket = socket;
            socket.handler(new FrameParser(parsed -> {
                if (handler != null && !"pong".equals(parsed.result().getString("type"))) {
                    handler.accept(parsed.result());
                }
            }));
            socket.closeHandler(v -> closed.tryComplete());
        }

        @Override
        public void send(JsonObject message) {
            Buffer json = message.toBuffer();
            socket.write(
                    Buffer.buffer(4 + json.length()).appendInt(json.length()).appendBuffer(json));
        }

        @Override
        public Future<Void> sendPartOfAMessage(Buffer bytes) {
            Buffer out = partial ? bytes : Buffer.buffer().appendInt(1 << 30).appendBuffer(bytes);
            partial = true;
            return socket.write(out);
        }

        @Override
        public void onMessage(Consumer<JsonObject> consumer) {
            handler = consumer;
        }

        @Override
        public Future<Void> closed() {
            return closed.future();
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
