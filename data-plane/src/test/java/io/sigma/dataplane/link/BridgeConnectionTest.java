package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BridgeConnectionTest {

    private final List<String> called = new CopyOnWriteArrayList<>();

    /** Returns what takes everything, and notes what it was asked for. */
    private <T> T any(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.add(type.getSimpleName() + "." + method.getName());
                    return Future.class.isAssignableFrom(method.getReturnType())
                            ? Future.succeededFuture()
                            : method.getReturnType().isInstance(proxy) ? proxy : null;
                }));
    }

    /** Whoever hears of the end may fail; nobody waits for an answer that cannot come, and nothing is kept. */
    @Test
    void theEndIsWholeWhateverIsThrownByWhoHearsOfIt() throws Exception {
        Vertx vertx = Vertx.vertx();
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        vertx.runOnContext(nothing -> {
            BridgeConnection connection = new BridgeConnection(
                    vertx,
                    any(WebSocketClient.class),
                    any(WebSocket.class),
                    announcement -> {},
                    proposal -> {},
                    "edge",
                    question -> {});
            Future<JsonNode> answer = connection.request(SnapshotProtocol.STATUS, Map.of(), JsonNode.class);
            connection.ended().onFailure(why -> {
                throw new IllegalStateException("on purpose");
            });
            try {
                connection.close();
            } catch (IllegalStateException e) {
                called.add("thrown");
            }
            called.add(answer.failed() ? "answered" : "unanswered");
            Future<JsonNode> late = connection.request(SnapshotProtocol.STATUS, Map.of(), JsonNode.class);
            called.add(late.failed() ? "refused" : "taken");
            found.complete(List.copyOf(called));
        });
        assertThat(found.get(20, TimeUnit.SECONDS))
                .contains("answered", "refused", "WebSocket.close", "WebSocketClient.close");
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
