package io.sigma.dataplane.link;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.identity.PeerIdentity;
import io.sigma.identity.Pem;
import io.sigma.identity.RoleTrust;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.transport.Transport;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Makes the clients of control planes' buses, on a Vert.x that they have for themselves. What encrypts and what drives
 * the socket is native where the settings let it: a few messages a change are too little for the JDK's code of both to
 * be compiled soon, and there is much more of it to take the place of the traffic's in the processor's caches.
 */
final class BusClients {

    /** Longest time to connect, and to agree on TLS. */
    static final int CONNECT_MILLIS = 3_000;

    private static final int CLOSING_SECONDS = 1;
    private static final int FRAME_BYTES_MAX = 64 * 1024;

    private final Vertx vertx;
    private final boolean openSsl;

    private BusClients(Vertx vertx, boolean openSsl) {
        this.vertx = vertx;
        this.openSsl = openSsl;
    }

    /** Returns what makes clients as the settings want, with one event loop, which works beside the traffic. */
    static BusClients of(GatewaySettings settings) {
        Vertx own = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1))
                .withTransport(transport(settings.engine().transport()))
                .build();
        own.runOnContext(nothing -> Scheduling.forBackground());
        return new BusClients(
                own, settings.engine().tls() != GatewaySettings.Tls.JDK && OpenSSLEngineOptions.isAvailable());
    }

    /** A single connection is not worth the rings of io_uring. */
    private static Transport transport(GatewaySettings.Transport wanted) {
        Transport epoll = Transport.EPOLL;
        boolean usable = wanted != GatewaySettings.Transport.NIO && epoll != null && epoll.available();
        return usable ? epoll : Transport.NIO;
    }

    /** Returns what the clients run on. */
    Vertx vertx() {
        return vertx;
    }

    /** Returns a client that shows {@code own} to control planes of the same authority; whoever asks closes it. */
    WebSocketClient client(Credentials own) {
        WebSocketClientOptions options = new WebSocketClientOptions()
                .setMaxFrameSize(FRAME_BYTES_MAX)
                .setMaxMessageSize(ClusterEndpoint.CONTROL_PLANE_MESSAGE_BYTES_MAX)
                .setClosingTimeout(CLOSING_SECONDS)
                .setConnectTimeout(CONNECT_MILLIS)
                .setSsl(true)
                .setSslEngineOptions(engine())
                // The role in the certificate counts, not the host's name.
                .setVerifyHost(false)
                .setTrustOptions(TrustOptions.wrap(RoleTrust.of(own.authority(), PeerIdentity.Role.CONTROL_PLANE)))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addKeyValue(Buffer.buffer(Pem.of(own.key())))
                        .addCertValue(Buffer.buffer(Pem.of(own.certificate()))));
        options.setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION));
        options.setSslHandshakeTimeout(CONNECT_MILLIS).setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
        return vertx.createWebSocketClient(options);
    }

    private SSLEngineOptions engine() {
        return openSsl ? new OpenSSLEngineOptions() : new JdkSSLEngineOptions();
    }
}
