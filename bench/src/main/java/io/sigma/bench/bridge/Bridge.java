package io.sigma.bench.bridge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** A bridge under comparison. */
interface Bridge {

    /** Opens the control plane's end on a free port of 127.0.0.1; completes with the port. */
    Future<Integer> listen(Vertx vertx, Certificates certificates) throws Exception;

    /** Opens one gateway's end; completes when messages can be sent. */
    Future<Peer> connect(Vertx vertx, Certificates certificates, int port) throws Exception;

    /** Returns the subject of the last peer certificate that the event hook saw. */
    String lastPeer();

    /** Completes when the control plane's end has closed a connection. */
    Future<Void> peerClosed();
}
