package io.sigma.controlplane.cluster;

import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.sockjs.BridgeEvent;
import io.vertx.ext.web.handler.sockjs.SockJSSocket;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a gateway do what the snapshot protocol asks of it and nothing else: send statuses, fetches and votes in its own
 * name, and hear announcements and proposals. Whoever tries more, sends too much, or does not read what it is sent, is
 * cut off. Confined to the server's event loop.
 */
final class BridgeGuard implements Handler<BridgeEvent> {

    /** Where the server leaves the id that the peer's certificate names. */
    static final String GATEWAY_ID = "gateway-id";

    /** Where it leaves the certificate. */
    static final String CERTIFICATE = "gateway-certificate";

    private static final Logger LOG = LoggerFactory.getLogger(BridgeGuard.class);

    private static final Set<String> SENDS = Set.of(
            SnapshotProtocol.STATUS,
            SnapshotProtocol.FETCH,
            SnapshotProtocol.HEALTH,
            SnapshotProtocol.ANSWER,
            SnapshotProtocol.TRAFFIC,
            SnapshotProtocol.RENEW,
            SnapshotProtocol.VOTE);

    /** The most frequent messages: each gateway sends one or two for each change. */
    private static final Set<String> NEED_NO_REPLY = Set.of(SnapshotProtocol.STATUS, SnapshotProtocol.VOTE);

    /** Sweeps in a row that may find a peer's write queue full. */
    private static final int FULL_SWEEPS_MAX = 10;

    /**
     * The time that a connection stays open after its gateway opened another one, in milliseconds: a gateway with a
     * renewed certificate changes over without a loss.
     */
    private static final long GOING_OVER_MILLIS = 5_000;

    private final Map<String, SockJSSocket> byGateway = new HashMap<>();
    private final Set<SockJSSocket> goingOver = new HashSet<>();
    private final Map<SockJSSocket, Integer> fullSweeps = new HashMap<>();

    /** By gateway; of those that sent something a moment ago. */
    private final Map<String, Allowance> allowances = new HashMap<>();

    private final PeerListener listener;

    private final Vertx vertx;
    private final AcceptedCertificates accepted;

    BridgeGuard(Vertx vertx, AcceptedCertificates accepted, PeerListener listener) {
        this.vertx = vertx;
        this.accepted = accepted;
        this.listener = listener;
    }

    @Override
    public void handle(BridgeEvent event) {
        switch (event.type()) {
            case SOCKET_CREATED -> created(event);
            case SEND -> {
                if (isWithinAllowance(event)) {
                    decide(event, isOwnRequest(event));
                }
            }
            case REGISTER -> {
                if (isWithinAllowance(event)) {
                    decide(event, mayHear(event));
                }
            }
            // The bridge also tells of unregistering when it cleans up after a socket.
            case UNREGISTER -> decide(event, mayHear(event));
            case SOCKET_PING, SOCKET_IDLE, RECEIVE, REGISTERED -> event.complete(isAccepted(event.socket()));
            case SOCKET_CLOSED -> {
                closed(event.socket());
                event.complete(true);
            }
            case SOCKET_ERROR -> {
                failed(event.socket(), String.valueOf(event.getRawMessage().getString("message")));
                event.complete(true);
            }
            default -> decide(event, false);
        }
    }

    private void created(BridgeEvent event) {
        SockJSSocket socket = event.socket();
        String gatewayId = gatewayId(socket);
        if (!isAccepted(socket)) {
            decide(event, false);
            return;
        }
        SockJSSocket before = byGateway.put(gatewayId, socket);
        if (before != null) {
            LOG.info("Gateway {} connected again from {}; its former connection ends", gatewayId, from(socket));
            goingOver.add(before);
            vertx.setTimer(GOING_OVER_MILLIS, id -> {
                if (goingOver.remove(before)) {
                    before.close();
                }
            });
        } else {
            LOG.info("Gateway {} connected from {}", gatewayId, from(socket));
        }
        listener.reached(gatewayId);
        event.complete(true);
    }

    private boolean isAccepted(SockJSSocket socket) {
        X509Certificate certificate = certificate(socket);
        return accepted.accepts(gatewayId(socket), AcceptedCertificates.serial(certificate))
                && certificate.getNotAfter().toInstant().isAfter(Instant.now());
    }

    /** Cuts off those whose certificate is no longer good. */
    void cutOffRefused() {
        for (SockJSSocket socket : sockets()) {
            if (!isAccepted(socket)) {
                cutOff(socket, "its certificate is revoked or has expired");
            }
        }
    }

    private Set<SockJSSocket> sockets() {
        Set<SockJSSocket> sockets = new HashSet<>(byGateway.values());
        sockets.addAll(goingOver);
        return sockets;
    }

    /** Returns whether a gateway may send more; it is cut off when not, whichever of its connections it is. */
    private boolean isWithinAllowance(BridgeEvent event) {
        long now = System.nanoTime();
        int length = event.getRawMessage().encode().length();
        if (allowances
                .computeIfAbsent(gatewayId(event.socket()), id -> new Allowance(now))
                .take(length, now)) {
            return true;
        }
        event.complete(false);
        if (isOpen(event.socket())) {
            cutOff(
                    event.socket(),
                    "sends more than " + Allowance.MESSAGES_PER_SECOND + " messages or " + Allowance.CHARS_PER_SECOND
                            + " characters a second");
        }
        return false;
    }

    private boolean isOpen(SockJSSocket socket) {
        return socket.equals(byGateway.get(gatewayId(socket))) || goingOver.contains(socket);
    }

    private boolean isOwnRequest(BridgeEvent event) {
        JsonObject message = event.getRawMessage();
        // Headers would become options of the delivery and are no part of the protocol.
        message.remove("headers");
        return isAccepted(event.socket())
                && message.getValue("address") instanceof String address
                && SENDS.contains(address)
                && (message.getValue("replyAddress") instanceof String || needsNoReply(address, message))
                && message.getValue("body") instanceof JsonObject body
                && gatewayId(event.socket()).equals(body.getValue("gatewayId"));
    }

    private static boolean needsNoReply(String address, JsonObject message) {
        return NEED_NO_REPLY.contains(address) && !message.containsKey("replyAddress");
    }

    /** Announcements are for all, questions for the gateway that is asked. */
    private static boolean mayHear(BridgeEvent event) {
        String address = address(event);
        return SnapshotProtocol.ANNOUNCE.equals(address)
                || SnapshotProtocol.PREPARE.equals(address)
                || SnapshotProtocol.ask(gatewayId(event.socket())).equals(address);
    }

    private static String address(BridgeEvent event) {
        return String.valueOf(event.getRawMessage().getValue("address"));
    }

    private void decide(BridgeEvent event, boolean permitted) {
        event.complete(permitted);
        if (!permitted) {
            cutOff(event.socket(), "not permitted: " + event.type() + " " + address(event));
        }
    }

    /** Such as a message that is too large: the bridge forgets the socket but leaves it open. */
    private void failed(SockJSSocket socket, String why) {
        LOG.info("Connection of gateway {} at {} failed: {}", gatewayId(socket), from(socket), why);
        closed(socket);
        socket.close();
    }

    private void cutOff(SockJSSocket socket, String why) {
        LOG.warn("Gateway {} at {} is cut off: {}", gatewayId(socket), from(socket), why);
        closed(socket);
        socket.close();
    }

    private void closed(SockJSSocket socket) {
        fullSweeps.remove(socket);
        goingOver.remove(socket);
        if (byGateway.remove(gatewayId(socket), socket)) {
            LOG.info("Gateway {} disconnected", gatewayId(socket));
            listener.gone(gatewayId(socket));
        }
    }

    /** Cuts off peers that do not read, or may no longer be here: to be called every second. */
    void sweep() {
        cutOffRefused();
        long now = System.nanoTime();
        allowances.values().removeIf(allowance -> allowance.isFull(now));
        for (SockJSSocket socket : sockets()) {
            if (!isFull(socket)) {
                fullSweeps.remove(socket);
            } else if (fullSweeps.merge(socket, 1, Integer::sum) > FULL_SWEEPS_MAX) {
                cutOff(socket, "does not read what it is sent");
            }
        }
    }

    private static boolean isFull(SockJSSocket socket) {
        try {
            return socket.writeQueueFull();
        } catch (IllegalStateException e) {
            // Closed, and about to say so.
            return false;
        }
    }

    private static String gatewayId(SockJSSocket socket) {
        return String.valueOf(socket.routingContext().<String>get(GATEWAY_ID));
    }

    private static X509Certificate certificate(SockJSSocket socket) {
        return Objects.requireNonNull(socket.routingContext().get(CERTIFICATE), CERTIFICATE);
    }

    private static String from(SockJSSocket socket) {
        return String.valueOf(socket.remoteAddress());
    }
}
