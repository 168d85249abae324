package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.Waiting.await;

import io.sigma.dataplane.link.Enrolment;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.json.Json;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A control plane whose cluster port is to be reached, and what speaks to it as gateways and strangers do. */
abstract class WithClusterPort extends WithInstallation {

    @SuppressWarnings("NullAway.Init")
    Installation.ControlPlane one;

    // Held because a client that is collected closes its connections.
    private final Queue<WebSocketClient> clients = new ConcurrentLinkedQueue<>();
    final Queue<JsonObject> received = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void begin() throws Exception {
        one = installation.controlPlane("one");
    }

    @AfterEach
    void end() throws Exception {
        for (WebSocketClient client : clients) {
            await(client.close());
        }
    }

    Path enrolled(String id, int port) throws Exception {
        Path dataDir = dir.resolve("enrolled-" + id);
        await(Enrolment.enrol(
                installation.vertx(), id, dataDir, List.of("127.0.0.1:" + port), Installation.JOIN_TOKEN));
        return dataDir;
    }

    static PemKeyCertOptions keyCert(Path dataDir) {
        return new PemKeyCertOptions()
                .setKeyPath(dataDir.resolve("gateway-key.pem").toString())
                .setCertPath(dataDir.resolve("gateway-cert.pem").toString());
    }

    Future<WebSocket> connect(@Nullable Path dataDir, String path) {
        return connect(dataDir == null ? null : keyCert(dataDir), path);
    }

    Future<WebSocket> connect(@Nullable KeyCertOptions keyCert, String path) {
        WebSocketClientOptions options = new WebSocketClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setMaxFrameSize(1 << 20)
                .setMaxMessageSize(1 << 20);
        if (keyCert != null) {
            options.setKeyCertOptions(keyCert);
        }
        WebSocketClient client = installation.vertx().createWebSocketClient(options);
        clients.add(client);
        return client.connect(one.port(), "127.0.0.1", path);
    }

    Future<Void> closing(WebSocket socket) {
        Promise<Void> closed = Promise.promise();
        socket.closeHandler(v -> closed.tryComplete());
        socket.binaryMessageHandler(bytes -> received.add(new JsonObject(bytes)));
        return closed.future();
    }

    static String message(String type, String address, JsonObject body) {
        return said(type, address, body).put("replyAddress", "r1").encode();
    }

    /** Returns a message that asks for no reply. */
    static String told(String address, JsonObject body) {
        return said("send", address, body).encode();
    }

    private static JsonObject said(String type, String address, JsonObject body) {
        return new JsonObject().put("type", type).put("address", address).put("body", body);
    }

    static JsonObject of(Object body) {
        return new JsonObject(Json.text(body));
    }

    static JsonObject fetch(String gatewayId) {
        return of(new FetchRequest(gatewayId, 0, StateHash.EMPTY.hex(), null, 0));
    }
}
