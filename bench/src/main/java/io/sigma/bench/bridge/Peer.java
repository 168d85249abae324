package io.sigma.bench.bridge;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** The gateway's end of a bridge: one connection. Its handlers run on the connection's event loop. */
interface Peer {

    /** Sends one bridge message. */
    void send(JsonObject message);

    /** Sends bytes that need not be a message, as a hostile peer would; completes when they are written. */
    Future<Void> sendPartOfAMessage(Buffer bytes);

    /** Calls {@code handler} with every bridge message that arrives. */
    void onMessage(java.util.function.Consumer<JsonObject> handler);

    /** Completes when the connection is closed. */
    Future<Void> closed();

    void close();
}
