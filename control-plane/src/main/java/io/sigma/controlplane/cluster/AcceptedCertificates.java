package io.sigma.controlplane.cluster;

import io.sigma.controlplane.callback.Subscribers;
import io.sigma.controlplane.store.database.Notifications;
import io.sigma.identity.PeerIdentity;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which certificates of gateways are no longer good, in memory, so that a gateway can connect while the database
 * is away; it is read when a control plane notifies, and every two seconds. Keeps what is issued in the database.
 * Thread-safe.
 */
public final class AcceptedCertificates {

    /** The payload of a notification is the gateway's id. */
    public static final String CHANNEL = "sigma_revocation";

    /** Gateways that can be shut out at a time. */
    public static final int REVOKED_MAX = 10_000;

    /** Those and the ones that were let in again, of which is known until no certificate of before is valid. */
    public static final int REMEMBERED_MAX = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(AcceptedCertificates.class);

    private static final long READ_MILLIS = 2_000;
    private static final long FORGET_MILLIS = 60_000;
    private static final int CERTIFICATES_MAX = 100_000;
    private static final int OF_GATEWAY_MAX = 20;
    private static final int RENEWALS_A_MINUTE_MAX = 5;
    private static final int SERIAL_RADIX = 16;

    private static final String READ = "select r.gateway_id, r.lifted_at is not null as lifted, c.serial"
            + " from gateway_revocations r left join gateway_certificates c"
            + " on c.gateway_id = r.gateway_id and c.revoked_at is null and r.lifted_at is not null limit "
            + (REMEMBERED_MAX + CERTIFICATES_MAX);

    private static final String INSERT =
            "insert into gateway_certificates (serial, gateway_id, expires_at, renewed) select $1, $2, $3, $4"
                    + " where not exists (select from gateway_revocations where gateway_id = $2 and lifted_at is null)"
                    + " and (not $4 or (select count(*) from gateway_certificates where gateway_id = $2 and renewed"
                    + " and issued_at > now() - interval '1 minute') < " + RENEWALS_A_MINUTE_MAX + ")";

    private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', $1)";

    private static final String FORGET_EXPIRED = "delete from gateway_certificates where expires_at < now()"
            + " or serial in (select serial from (select serial, row_number() over (order by issued_at desc) as number,"
            + " row_number() over (partition by gateway_id order by issued_at desc) as of_gateway"
            + " from gateway_certificates) c where number > " + CERTIFICATES_MAX + " or of_gateway > " + OF_GATEWAY_MAX
            + ")";

    /** By then no certificate of before is valid. */
    private static final String FORGET_LIFTED =
            "delete from gateway_revocations where lifted_at < now() - interval '3660 days'";

    private final Vertx vertx;
    private final Pool pool;
    private final Subscribers<Set<String>> listeners = new Subscribers<>("revocations");
    private final AtomicLong reads = new AtomicLong();
    // Guarded by this.
    private long taken;
    private long reading;
    private long forgetting;

    /** By gateway that is, or was, shut out, the serial numbers that are good. */
    private volatile Map<String, Set<String>> good = Map.of();

    private volatile Set<String> shutOut = Set.of();

    public AcceptedCertificates(Vertx vertx, Pool pool) {
        this.vertx = vertx;
        this.pool = pool;
    }

    /** Completes when it was read once. */
    public Future<Void> start() {
        reading = vertx.setPeriodic(READ_MILLIS, id -> refresh());
        forgetting = vertx.setPeriodic(FORGET_MILLIS, id -> forget());
        return read();
    }

    /** Hears what other control planes change. */
    public void listen(Notifications notifications) {
        Context context = vertx.getOrCreateContext();
        notifications.on(CHANNEL, gatewayId -> context.runOnContext(any -> refresh()));
    }

    /**
     * Calls {@code listener} with those that are shut out, each time that gateways were shut out or let in; it must not
     * block.
     */
    public void onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /** Returns the gateways that are shut out. */
    public Set<String> shutOut() {
        return shutOut;
    }

    /** Returns whether a gateway may connect with the certificate of that number. */
    boolean accepts(String gatewayId, String serial) {
        Set<String> ofGateway = good.get(gatewayId);
        return ofGateway == null || ofGateway.contains(serial);
    }

    static String serial(X509Certificate certificate) {
        BigInteger number = certificate.getSerialNumber();
        return number.toString(SERIAL_RADIX);
    }

    private void refresh() {
        read().onFailure(e -> LOG.debug("Revocations of gateways cannot be read: {}", e.getMessage()));
    }

    private Future<Void> read() {
        long number = reads.incrementAndGet();
        return pool.preparedQuery(READ).execute().map(rows -> {
            take(number, rows);
            return null;
        });
    }

    private void take(long number, RowSet<Row> rows) {
        Map<String, Set<String>> found = new HashMap<>();
        Set<String> out = new HashSet<>();
        for (Row row : rows) {
            String id = row.getString("gateway_id");
            Set<String> ofGateway = found.computeIfAbsent(id, any -> new HashSet<>());
            @Nullable String serial = row.getString("serial");
            if (serial != null) {
                ofGateway.add(serial);
            }
            if (!row.getBoolean("lifted")) {
                out.add(id);
            }
        }
        boolean changed;
        synchronized (this) {
            // Answers may overtake each other.
            if (number < taken) {
                return;
            }
            taken = number;
            changed = !found.equals(good) || !out.equals(shutOut);
            good = Map.copyOf(found);
            shutOut = Set.copyOf(out);
        }
        if (changed) {
            listeners.tell(shutOut);
        }
    }

    /**
     * Keeps that a certificate was issued; until then it must not be handed out.
     *
     * @return fails with {@link NotIssued} when the gateway may not have one
     */
    Future<Void> issued(PeerIdentity gateway, X509Certificate certificate, boolean renewed) {
        Tuple row = Tuple.of(
                serial(certificate),
                gateway.id(),
                certificate.getNotAfter().toInstant().atOffset(ZoneOffset.UTC),
                renewed);
        return pool.preparedQuery(INSERT).execute(row).compose(done -> {
            if (done.rowCount() == 0) {
                return Future.failedFuture(new NotIssued(
                        shutOut.contains(gateway.id()) || !renewed
                                ? "gateway " + gateway.id() + " is revoked"
                                : "gateway " + gateway.id() + " is revoked, or renews more than "
                                        + RENEWALS_A_MINUTE_MAX + " times a minute"));
            }
            // A gateway that was shut out once connects with what is known to be good.
            return good.containsKey(gateway.id())
                    ? read().compose(known -> pool.preparedQuery(NOTIFY).execute(Tuple.of(gateway.id())))
                            .mapEmpty()
                    : Future.succeededFuture();
        });
    }

    private void forget() {
        pool.query(FORGET_EXPIRED)
                .execute()
                .compose(done -> pool.query(FORGET_LIFTED).execute())
                .onFailure(e -> LOG.debug("Old certificates cannot be deleted: {}", e.getMessage()));
    }

    public void close() {
        vertx.cancelTimer(reading);
        vertx.cancelTimer(forgetting);
    }
}
