package io.sigma.controlplane.cluster;

import io.sigma.identity.PeerIdentity;
import io.sigma.limit.AddressBlock;
import io.sigma.limit.ConnectionTable;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of the cluster port. Strangers, who show no certificate, have a bound of their own and little time,
 * so they keep no gateway out, and whoever opens many loses its own; a gateway that opens too many loses its oldest, so
 * it keeps no other out. Confined to the server's event loop.
 */
final class PeerConnections {

    /** Strangers at once, and of one address: an enrolment takes one request. */
    static final int STRANGERS_MAX = 100;

    private static final int STRANGERS_OF_ADDRESS_MAX = 20;

    /** So long a stranger may stay. The database is waited for meanwhile. */
    private static final long STRANGER_MILLIS = 10_000;

    /**
     * The bound of one gateway's connections: one, another during a change of certificates, and some dead ones that are
     * not detected yet.
     */
    static final int OF_GATEWAY_MAX = 4;

    private static final Logger LOG = LoggerFactory.getLogger(PeerConnections.class);

    private final Vertx vertx;
    private final int gatewaysMax;
    private final ConnectionTable<HttpConnection> strangers =
            new ConnectionTable<>(STRANGERS_MAX, STRANGERS_OF_ADDRESS_MAX);
    private final Map<String, Deque<HttpConnection>> gateways = new HashMap<>();
    private int ofGateways;

    /** @param gatewaysMax connections with a certificate; a further one is closed at once */
    PeerConnections(Vertx vertx, int gatewaysMax) {
        this.vertx = vertx;
        this.gatewaysMax = gatewaysMax;
    }

    /** Returns the gateway that the peer's certificate names; null for a stranger. */
    static @Nullable String gatewayId(HttpConnection connection) {
        try {
            return PeerIdentity.of(
                            (X509Certificate) connection.peerCertificates().getFirst())
                    .id();
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            return null;
        }
    }

    /** Takes in a connection, or closes it. */
    void opened(HttpConnection connection) {
        String gatewayId = gatewayId(connection);
        if (gatewayId == null) {
            stranger(connection);
        } else {
            gateway(gatewayId, connection);
        }
    }

    private void stranger(HttpConnection connection) {
        String address = connection.remoteAddress().hostAddress();
        HttpConnection victim = strangers.opened(AddressBlock.of(address), connection, false);
        if (victim != null) {
            LOG.debug("A connection without a certificate is closed to make room for one from {}", address);
            victim.close();
        }
        long timer = vertx.setTimer(STRANGER_MILLIS, late -> connection.close());
        connection.closeHandler(closed -> {
            vertx.cancelTimer(timer);
            strangers.closed(connection);
        });
    }

    private void gateway(String id, HttpConnection connection) {
        Deque<HttpConnection> own = gateways.computeIfAbsent(id, absent -> new ArrayDeque<>());
        if (own.size() >= OF_GATEWAY_MAX) {
            LOG.warn("Gateway {} has {} connections: the oldest is closed", id, own.size());
            own.removeFirst().close();
        } else if (ofGateways >= gatewaysMax) {
            LOG.warn(
                    "Connection of gateway {} from {} is closed: {} are open already",
                    id,
                    connection.remoteAddress(),
                    ofGateways);
            forget(id, own);
            connection.close();
            return;
        }
        ofGateways++;
        own.addLast(connection);
        connection.closeHandler(closed -> {
            ofGateways--;
            own.remove(connection);
            forget(id, own);
        });
    }

    private void forget(String id, Deque<HttpConnection> own) {
        if (own.isEmpty()) {
            gateways.remove(id, own);
        }
    }
}
