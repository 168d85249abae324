package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to control planes elsewhere: one connection, mutually authenticated, to one of them, and to the next when it
 * fails. It has a Vert.x of its own, so its trouble cannot reach the loops that carry traffic.
 */
public final class BridgeLink implements ControlLink {

    private static final Logger LOG = LoggerFactory.getLogger(BridgeLink.class);

    private static final long BACK_OFF_MIN_MILLIS = 100;
    /**
     * So little that a gateway is current again within five seconds, however long no control plane could be reached.
     */
    private static final long BACK_OFF_MAX_MILLIS = 3_000;

    private static final int BACK_OFF_DOUBLINGS_MAX = 6;
    private static final int CAUSES_MAX = 5;
    private static final int FORBIDDEN = 403;

    private final BusClients clients;
    private final Vertx vertx;
    private final Context context;
    private final List<ControlPlaneAddress> controlPlanes;
    private final CredentialSource credentials;
    private final CertificateRenewal renewal;
    private final RandomGenerator random;

    // Set before open().
    private Consumer<Announcement> onAnnouncement = announcement -> {};
    private Consumer<Proposal> onProposal = proposal -> {};
    private Runnable onConnected = () -> {};
    private String gatewayId = "";
    private Consumer<JsonNode> onQuestion = question -> {};

    // Confined to the context.
    private final IntPredicate controlPort;
    private @Nullable BridgeConnection connection;
    private int next;
    private int failures;

    // Written on the context, read by whoever asks for metrics.
    private volatile long certificateEndSeconds;

    // Set once; afterwards nothing is begun.
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Promise<Void> gone = Promise.promise();

    private BridgeLink(
            BusClients clients,
            List<ControlPlaneAddress> controlPlanes,
            String gatewayId,
            Path dataDir,
            @Nullable String joinToken,
            RandomGenerator random,
            IntPredicate controlPort) {
        this.controlPort = controlPort;
        this.clients = clients;
        this.vertx = clients.vertx();
        this.context = vertx.getOrCreateContext();
        this.controlPlanes = controlPlanes;
        CredentialFiles files = new CredentialFiles(dataDir);
        this.credentials = new CredentialSource(vertx, gatewayId, files, joinToken, InstantSource.system());
        this.renewal = new CertificateRenewal(vertx, gatewayId, files, InstantSource.system());
        this.random = random;
    }

    /**
     * Returns a link to the control planes of {@code settings}, tried in a random order. It enrolls by itself where
     * there is a join token and no valid certificate.
     *
     * @param gatewayId as the gateway is named, also in its certificate
     * @throws IllegalArgumentException when an address is wrong or there is none
     */
    public static BridgeLink of(GatewaySettings settings, String gatewayId) {
        RandomGenerator random = new SecureRandom();
        List<ControlPlaneAddress> addresses =
                ControlPlaneAddress.shuffled(settings.link().controlPlanes(), random);
        BusClients clients = BusClients.of(settings);
        return new BridgeLink(
                clients,
                addresses,
                gatewayId,
                settings.dataDir(),
                settings.link().joinToken(),
                random,
                port -> port == settings.destinations().adminPort()
                        || port == settings.destinations().clusterPort());
    }

    @Override
    public boolean isControlPort(int port) {
        return controlPort.test(port);
    }

    @Override
    public void onAnnouncement(Consumer<Announcement> listener) {
        onAnnouncement = listener;
    }

    @Override
    public void onQuestion(String id, Consumer<JsonNode> listener) {
        gatewayId = id;
        onQuestion = listener;
    }

    @Override
    public void onProposal(Consumer<Proposal> listener) {
        onProposal = listener;
    }

    @Override
    public void onConnected(Runnable listener) {
        onConnected = listener;
    }

    @Override
    public Vertx ownVertx() {
        return vertx;
    }

    @Override
    public Future<Void> open() {
        context.runOnContext(v -> connect());
        return Future.succeededFuture();
    }

    @Override
    public <T> Future<T> request(String address, Object message, Class<T> type) {
        return connected(open -> open.request(address, message, type));
    }

    @Override
    public Future<Void> tell(String address, Object message) {
        return connected(open -> open.tell(address, message));
    }

    /** Returns what {@code action} does with the connection that is open. */
    private <T> Future<T> connected(Function<BridgeConnection, Future<T>> action) {
        if (closed.get()) {
            return Future.failedFuture("the link is closed");
        }
        Promise<T> done = Promise.promise();
        context.runOnContext(v -> {
            BridgeConnection open = connection;
            if (open == null) {
                done.fail("no control plane is connected");
            } else {
                action.apply(open).onComplete(done);
            }
        });
        return done.future();
    }

    @Override
    public long certificateEndSeconds() {
        return certificateEndSeconds;
    }

    private void connect() {
        if (closed.get()) {
            return;
        }
        ControlPlaneAddress address = controlPlanes.get(next);
        // Composed, so that what is thrown on the way is a failure as well: it is tried again.
        Future.succeededFuture()
                .compose(begun -> credentials.get(address))
                .compose(own -> connect(address, own).onSuccess(opened -> connected(address, opened, own)))
                .onFailure(e -> {
                    if (isTls(e) || isForbidden(e)) {
                        credentials.doubt();
                    }
                    retry(address, e);
                });
    }

    private Future<BridgeConnection> connect(ControlPlaneAddress address, Credentials own) {
        certificateEndSeconds = own.certificate().getNotAfter().toInstant().getEpochSecond();
        WebSocketClient client = clients.client(own);
        WebSocketConnectOptions target = new WebSocketConnectOptions();
        target.setHost(address.host()).setPort(address.port()).setURI(ClusterEndpoint.BUS_PATH);
        Future<WebSocket> opening = client.connect(target.setTimeout(BusClients.CONNECT_MILLIS));
        return opening.map(socket ->
                        new BridgeConnection(vertx, client, socket, onAnnouncement, onProposal, gatewayId, onQuestion))
                .onFailure(e -> client.close());
    }

    private void connected(ControlPlaneAddress address, BridgeConnection opened, Credentials own) {
        if (closed.get()) {
            opened.close();
            return;
        }
        BridgeConnection before = connection;
        connection = opened;
        LOG.info("Connected to control plane {}", address);
        if (before != null) {
            // Until then both tell the same. Nobody knows of the one before any more, so it ends also when this one
            // does.
            opened.registered().onComplete(done -> before.closeWhenIdle());
        }
        opened.ended().onFailure(e -> {
            if (!Objects.equals(connection, opened)) {
                // Its place was taken.
                return;
            }
            connection = null;
            if (opened.wasUseful()) {
                failures = 0;
            }
            retry(address, e);
        });
        // Until that with a new certificate is open the old one serves.
        renewal.follow(
                own,
                // Its certificate is new.
                before != null,
                () -> !closed.get() && Objects.equals(connection, opened),
                () -> renewal.renew(opened, own).compose(fresh -> goOver(address, opened, fresh)),
                e -> LOG.warn("The certificate cannot be renewed yet: {}", reason(e)));
        onConnected.run();
    }

    private Future<Void> goOver(ControlPlaneAddress address, BridgeConnection from, Credentials fresh) {
        return connect(address, fresh)
                .onSuccess(opened -> {
                    if (Objects.equals(connection, from)) {
                        connected(address, opened, fresh);
                    } else {
                        // The old one ended meanwhile, and the way back is being sought already.
                        opened.close();
                    }
                })
                .mapEmpty();
    }

    private void retry(ControlPlaneAddress address, Throwable cause) {
        if (closed.get()) {
            return;
        }
        next = (next + 1) % controlPlanes.size();
        long delay = backOff();
        failures++;
        // Once a round: control planes that stay away must not fill the log.
        if (failures <= controlPlanes.size() || failures % 100 == 0) {
            LOG.warn(
                    "No connection to control plane {}, trying {}: {}",
                    address,
                    controlPlanes.get(next),
                    reason(cause));
        }
        vertx.setTimer(delay, id -> connect());
    }

    /** Doubles, and spreads over half of itself so that gateways do not come all at once. */
    private long backOff() {
        long full = Math.min(BACK_OFF_MAX_MILLIS, BACK_OFF_MIN_MILLIS << Math.min(failures, BACK_OFF_DOUBLINGS_MAX));
        return full / 2 + random.nextLong(full / 2 + 1);
    }

    private static boolean isTls(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the control plane does not take the certificate. */
    private static boolean isForbidden(Throwable failure) {
        return failure instanceof UpgradeRejectedException rejected && rejected.getStatus() == FORBIDDEN;
    }

    /** Returns every message on the way to the root: that of TLS failures says little without. */
    private static String reason(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (text.indexOf(String.valueOf(cause.getMessage())) < 0) {
                text.append(": ").append(cause.getMessage());
            }
            cause = cause.getCause();
        }
        return text.toString();
    }

    @Override
    public Future<Void> close() {
        if (closed.compareAndSet(false, true)) {
            context.runOnContext(v -> {
                BridgeConnection open = connection;
                connection = null;
                Future<Void> left = open == null ? Future.succeededFuture() : open.close();
                left.eventually(vertx::close).onComplete(gone);
            });
        }
        return gone.future();
    }
}
