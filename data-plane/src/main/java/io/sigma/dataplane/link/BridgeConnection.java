package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a control plane's bridge, from register to close. The gateway pings every second, and closes a
 * connection on which nothing came for four seconds. Confined to the link's event loop.
 */
final class BridgeConnection {

    private static final Logger LOG = LoggerFactory.getLogger(BridgeConnection.class);

    static final long PING_MILLIS = 1_000;
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);
    static final long REPLY_SECONDS = 10;

    /** As many as the control plane takes, without what it tells by itself. */
    private static final int REQUESTS_MAX = 6;

    private static final Buffer PING_DATA = Buffer.buffer("sigma");

    private static final String PING = new JsonObject().put("type", "ping").encode();

    private final Vertx vertx;
    // Held because a client that is collected closes its connections.
    private final WebSocketClient client;
    private final WebSocket socket;
    private final Consumer<Announcement> onAnnouncement;
    private final String questions;
    private final Consumer<JsonNode> onQuestion;
    private final Consumer<Proposal> onProposal;
    private final Promise<Void> ended = Promise.promise();
    private final Promise<Void> registered = Promise.promise();
    private final Map<String, Promise<JsonNode>> pending = new HashMap<>();
    private final long pinging;
    private long heardNanos = System.nanoTime();
    private long requests;
    private boolean heardReply;
    private boolean over;

    /**
     * A message as the bridge of Vert.x's event bus takes it.
     *
     * @param replyAddress null when no reply is asked for
     */
    private record Sent(
            String type, String address, @Nullable String replyAddress, Object body) {}

    /**
     * @param gatewayId under which this gateway is asked; empty for never
     */
    BridgeConnection(
            Vertx vertx,
            WebSocketClient client,
            WebSocket socket,
            Consumer<Announcement> onAnnouncement,
            Consumer<Proposal> onProposal,
            String gatewayId,
            Consumer<JsonNode> onQuestion) {
        this.vertx = vertx;
        this.client = client;
        this.socket = socket;
        this.onAnnouncement = onAnnouncement;
        this.questions = SnapshotProtocol.ask(gatewayId);
        this.onQuestion = onQuestion;
        this.onProposal = onProposal;
        socket.textMessageHandler(this::received);
        socket.binaryMessageHandler(bytes -> received(bytes.toString()));
        socket.pongHandler(pong -> {
            heardNanos = System.nanoTime();
            registered.tryComplete();
        });
        socket.exceptionHandler(e -> end(String.valueOf(e.getMessage())));
        socket.closeHandler(closed -> end("closed by the control plane"));
        pinging = vertx.setPeriodic(PING_MILLIS, id -> ping());
        register(SnapshotProtocol.ANNOUNCE);
        if (!gatewayId.isEmpty()) {
            register(questions);
        }
        register(SnapshotProtocol.PREPARE);
        socket.writeTextMessage(PING);
        socket.writePing(PING_DATA);
    }

    private void register(String address) {
        socket.writeTextMessage(
                new JsonObject().put("type", "register").put("address", address).encode());
    }

    /** Completes, with a failure that says why, when the connection is over. */
    Future<Void> ended() {
        return ended.future();
    }

    /**
     * Completes when the control plane has taken what was registered first, so that nothing it tells is missed from now
     * on; fails when the connection ends before.
     */
    Future<Void> registered() {
        return registered.future();
    }

    /** Returns whether the control plane has answered a request, so that it is worth the name. */
    boolean wasUseful() {
        return heardReply;
    }

    <T> Future<T> request(String address, Object message, Class<T> type) {
        if (over || pending.size() >= REQUESTS_MAX) {
            return Future.failedFuture(pending.size() + " requests are under way (expected: less than " + REQUESTS_MAX
                    + " on an open connection)");
        }
        String replyAddress = "r" + requests++;
        // Before a place is taken: what cannot be written would keep one of the few there are.
        String text = Json.text(new Sent("send", address, replyAddress, message));
        Promise<JsonNode> reply = Promise.promise();
        pending.put(replyAddress, reply);
        // A timer of this loop: that of Future.timeout is on a thread which each request would wake.
        long patience = vertx.setTimer(
                TimeUnit.SECONDS.toMillis(REPLY_SECONDS),
                timer -> reply.tryFail("no reply within " + REPLY_SECONDS + " s"));
        Future<T> answer = reply.future()
                .onComplete(done -> {
                    vertx.cancelTimer(patience);
                    pending.remove(replyAddress);
                })
                .map(body -> Json.read(body, type));
        Future.succeededFuture().compose(begun -> socket.writeTextMessage(text)).onFailure(reply::tryFail);
        return answer;
    }

    Future<Void> tell(String address, Object message) {
        return socket.writeTextMessage(Json.text(new Sent("send", address, null, message)));
    }

    private void ping() {
        if (System.nanoTime() - heardNanos > SILENCE_NANOS) {
            end("silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
            return;
        }
        // The first for this end, the second for the control plane's: its bridge does not count frames.
        socket.writePing(PING_DATA);
        socket.writeTextMessage(PING);
    }

    private void received(String text) {
        heardNanos = System.nanoTime();
        try {
            JsonNode message = Json.read(text, JsonNode.class);
            String address = message.path("address").asText();
            if (SnapshotProtocol.ANNOUNCE.equals(address)) {
                onAnnouncement.accept(Json.read(message.path("body"), Announcement.class));
                return;
            }
            if (questions.equals(address)) {
                onQuestion.accept(message.path("body"));
                return;
            }
            if (SnapshotProtocol.PREPARE.equals(address)) {
                onProposal.accept(Json.read(message.path("body"), Proposal.class));
                return;
            }
            Promise<JsonNode> reply = pending.get(address);
            if (reply == null) {
                LOG.debug("Message without a request: {} {}", message.path("type"), address);
            } else if ("err".equals(message.path("type").asText())) {
                reply.tryFail(message.path("message").asText());
            } else {
                heardReply = true;
                reply.tryComplete(message.path("body"));
            }
        } catch (IllegalArgumentException | NullPointerException e) {
            end("not the snapshot protocol: " + e.getMessage());
        }
    }

    private void end(String why) {
        if (over) {
            return;
        }
        // First, because a listener to the end may send something, or fail.
        over = true;
        vertx.cancelTimer(pinging);
        // Waits for the peer's answer at most as long as the client's options say.
        socket.close().onComplete(closed -> client.close());
        List.copyOf(pending.values()).forEach(reply -> fail(reply, why));
        fail(registered, why);
        fail(ended, why);
    }

    private static void fail(Promise<?> promise, String why) {
        try {
            promise.tryFail(why);
        } catch (RuntimeException | Error e) {
            LOG.error("The end of a connection could not be handled completely", e);
        }
    }

    /** Closes once what is under way is answered; {@link #ended()} completes then, as ever. */
    void closeWhenIdle() {
        Future.join(pending.values().stream().map(Promise::future).toList())
                .onComplete(done -> end("another connection has taken its place"));
    }

    Future<Void> close() {
        end("closed");
        return client.close();
    }
}
