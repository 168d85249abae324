package io.sigma.controlplane.cluster;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.controlplane.port.GuardedPort;
import io.sigma.controlplane.port.PortLimits;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.identity.PeerIdentity;
import io.sigma.identity.Pem;
import io.sigma.identity.RoleTrust;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.value.TrustedAddresses;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.bridge.PermittedOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.sockjs.SockJSBridgeOptions;
import io.vertx.ext.web.handler.sockjs.SockJSHandler;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster port: TLS 1.3 with this control plane's certificate, the bridge to its event bus for gateways, and
 * enrolment. A peer whose certificate is not a gateway's fails in the handshake; one without a certificate can enroll
 * only.
 */
public final class ClusterServer {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterServer.class);

    /** A gateway pings every second. */
    private static final long PING_TIMEOUT_MILLIS = 10_000;

    private static final int IDLE_SECONDS = 15;
    private static final int HANDSHAKE_SECONDS = 5;
    private static final int CLOSING_SECONDS = 2;
    private static final long REPLY_TIMEOUT_MILLIS = 30_000;

    /** Announcements, proposals, questions, and six requests at once. */
    private static final int HANDLERS_MAX = 9;

    private static final int START_LINE_BYTES_MAX = 256;
    private static final int HEAD_BYTES_MAX = 4096;

    /** Of one address. */
    private static final int ENROL_FAILURES_PER_MINUTE = 10;

    /** Connections in their TLS handshake, of one address; beside as many as there may be gateways, in all. */
    private static final int HANDSHAKES_OF_ADDRESS_MAX = 100;

    private static final Duration HEAD_TIME = Duration.ofSeconds(10);
    private static final long SWEEP_MILLIS = 1000;
    private static final long RENEW_MILLIS = Duration.ofDays(1).toMillis();

    private final Vertx vertx;
    private final ClusterAuthority authority;
    private final String controlPlaneId;
    private final PeerConnections connections;
    private final GuardedPort port;
    private final AcceptedCertificates accepted;
    private final BridgeGuard guard;

    // Set once by open(), before the server is handed out.
    private @Nullable HttpServer server;
    private @Nullable MessageConsumer<JsonObject> renewals;
    private long renewal;
    private long sweeping;

    private ClusterServer(
            Vertx vertx,
            ClusterAuthority authority,
            AcceptedCertificates accepted,
            String controlPlaneId,
            int connectionsMax,
            PeerListener listener) {
        this.guard = new BridgeGuard(vertx, accepted, listener);
        this.accepted = accepted;
        this.vertx = vertx;
        this.authority = authority;
        this.controlPlaneId = controlPlaneId;
        this.connections = new PeerConnections(vertx, connectionsMax);
        this.port = new GuardedPort(new PortLimits(
                "cluster port",
                connectionsMax + HANDSHAKES_OF_ADDRESS_MAX,
                HANDSHAKES_OF_ADDRESS_MAX,
                new TrustedAddresses(List.of()),
                HEAD_TIME,
                HEAD_TIME));
    }

    /**
     * Opens the port.
     *
     * @param vertx whose event bus gateways reach
     * @param accepted which certificates are good
     * @param port 0 takes a free one
     * @param connectionsMax of gateways; a further one is closed at once
     * @param listener hears which gateways are connected
     */
    public static Future<ClusterServer> listen(
            Vertx vertx,
            ClusterAuthority authority,
            AcceptedCertificates accepted,
            String controlPlaneId,
            String joinToken,
            String host,
            int port,
            int connectionsMax,
            PeerListener listener) {
        ClusterServer cluster = new ClusterServer(vertx, authority, accepted, controlPlaneId, connectionsMax, listener);
        // One context for the listener, its connections, the guard and the timers: one event loop.
        Context context = ((VertxInternal) vertx).createEventLoopContext();
        Promise<ClusterServer> opened = Promise.promise();
        context.runOnContext(v -> vertx.executeBlocking(cluster::options)
                .compose(options -> cluster.open(options, joinToken, host, port))
                .map(cluster)
                .onComplete(opened));
        return opened.future();
    }

    private Future<Void> open(HttpServerOptions options, String joinToken, String host, int port) {
        FailureLimiter limiter = new FailureLimiter(ENROL_FAILURES_PER_MINUTE, System::nanoTime);
        EnrolHandler enrol = new EnrolHandler(vertx, authority, joinToken, limiter, accepted);
        Context context = vertx.getOrCreateContext();
        accepted.onChange(shutOut -> context.runOnContext(any -> guard.cutOffRefused()));
        renewals = vertx.eventBus()
                .<JsonObject>consumer(SnapshotProtocol.RENEW)
                .handler(new RenewHandler(vertx, authority, accepted));
        Router bus = Router.router(vertx);
        bus.route().handler(this::identify);
        bus.route("/bus/*").subRouter(SockJSHandler.create(vertx).bridge(bridgeOptions(), guard));
        HttpServer http = this.port
                .server(vertx, options)
                .connectionHandler(connection -> {
                    // From here on it is known whether it shows a certificate, and counted by that.
                    this.port.release(connection);
                    connections.opened(connection);
                })
                .requestHandler(request -> {
                    if (PeerConnections.gatewayId(request.connection()) == null) {
                        // A client without a certificate needs no second answer.
                        request.response()
                                .endHandler(answered -> request.connection().close());
                    }
                    switch (request.path()) {
                        case ClusterEndpoint.ENROL_PATH -> enrol.handle(request);
                        case ClusterEndpoint.BUS_PATH -> bus.handle(request);
                        case null, default ->
                            request.response().setStatusCode(404).end();
                    }
                });
        return http.listen(port, host)
                .<Void>map(listening -> {
                    server = listening;
                    renewal = vertx.setPeriodic(RENEW_MILLIS, id -> renew(listening));
                    sweeping = vertx.setPeriodic(SWEEP_MILLIS, id -> guard.sweep());
                    return null;
                })
                .recover(e -> Future.failedFuture(new FailureException(
                        new Failure.Unavailable(
                                "Gateways cannot be served at " + host + ":" + port + ": " + e.getMessage()),
                        e)));
    }

    /** Returns the port that is listened on. */
    public int port() {
        return Objects.requireNonNull(server, "listening").actualPort();
    }

    /** Completes when the port and all connections are closed. */
    public Future<Void> close() {
        vertx.cancelTimer(renewal);
        vertx.cancelTimer(sweeping);
        Future<Void> silent = renewals == null ? Future.succeededFuture() : renewals.unregister();
        return silent.otherwiseEmpty()
                .compose(any -> Objects.requireNonNull(server, "listening").close());
    }

    private HttpServerOptions options() {
        IssuedKey own = authority.controlPlane(controlPlaneId);
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(START_LINE_BYTES_MAX)
                .setMaxHeaderSize(HEAD_BYTES_MAX)
                .setMaxWebSocketFrameSize(ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX)
                .setMaxWebSocketMessageSize(ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX)
                // Compressed frames would make the bound on a message worthless.
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setWebSocketClosingTimeout(CLOSING_SECONDS)
                .setUseAlpn(false)
                .setSsl(true)
                .setClientAuth(ClientAuth.REQUEST)
                .setKeyCertOptions(keyCert(own))
                .setTrustOptions(trust());
        options.setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION));
        options.setSslHandshakeTimeout(HANDSHAKE_SECONDS).setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
        options.setReadIdleTimeout(IDLE_SECONDS).setIdleTimeoutUnit(TimeUnit.SECONDS);
        return options;
    }

    private TrustOptions trust() {
        return TrustOptions.wrap(RoleTrust.of(authority.certificate(), PeerIdentity.Role.GATEWAY));
    }

    private static PemKeyCertOptions keyCert(IssuedKey own) {
        return new PemKeyCertOptions()
                .addKeyValue(Buffer.buffer(Pem.of(own.key())))
                .addCertValue(Buffer.buffer(Pem.of(own.certificate())));
    }

    private static SockJSBridgeOptions bridgeOptions() {
        return new SockJSBridgeOptions()
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.STATUS))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.FETCH))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.HEALTH))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.VOTE))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.ANSWER))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.TRAFFIC))
                .addInboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.RENEW))
                .addOutboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.ANNOUNCE))
                // The guard narrows it to the gateway's own.
                .addOutboundPermitted(new PermittedOptions()
                        .setAddressRegex(Pattern.quote(SnapshotProtocol.ask("")) + "[A-Za-z0-9._-]+"))
                .addOutboundPermitted(new PermittedOptions().setAddress(SnapshotProtocol.PREPARE))
                .setMaxHandlersPerSocket(HANDLERS_MAX)
                .setPingTimeout(PING_TIMEOUT_MILLIS)
                .setReplyTimeout(REPLY_TIMEOUT_MILLIS);
    }

    private void renew(HttpServer listening) {
        vertx.executeBlocking(() -> new ServerSSLOptions()
                        .setClientAuth(ClientAuth.REQUEST)
                        .setKeyCertOptions(keyCert(authority.controlPlane(controlPlaneId)))
                        .setTrustOptions(trust())
                        .setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION)))
                .compose(listening::updateSSLOptions)
                .onFailure(e -> LOG.error("The cluster port's certificate cannot be renewed", e));
    }

    private void identify(RoutingContext context) {
        try {
            X509Certificate certificate = (X509Certificate)
                    context.request().connection().peerCertificates().get(0);
            String gatewayId = PeerIdentity.of(certificate).id();
            if (!accepted.accepts(gatewayId, AcceptedCertificates.serial(certificate))) {
                LOG.warn(
                        "Gateway {} at {} is refused: its certificate is revoked",
                        gatewayId,
                        context.request().remoteAddress());
                context.response().setStatusCode(403).end("this certificate is revoked\n");
                return;
            }
            context.put(BridgeGuard.GATEWAY_ID, gatewayId).put(BridgeGuard.CERTIFICATE, certificate);
            context.next();
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            context.response().setStatusCode(403).end("a gateway's certificate is expected; enroll first\n");
        }
    }
}
