package io.sigma.controlplane.cluster;

import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.secret.KeySeal;
import io.sigma.identity.PeerIdentity;
import io.sigma.identity.Pem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import javax.crypto.AEADBadTagException;

/**
 * Certifies control planes and gateways. It is made once for an installation and kept in the database: the certificate
 * in clear, the private key sealed. Immutable; any thread.
 */
public final class ClusterAuthority {

    /** The validity of a control plane's certificate. The control plane makes a new one long before its end. */
    static final Duration CONTROL_PLANE_VALIDITY = Duration.ofDays(30);

    private static final String PURPOSE = "cluster authority";

    private static final String SELECT = "select certificate, sealed_key from cluster_authority";

    // Of control planes that start at once, one inserts; the others wait for its commit and then read its row.
    private static final String INSERT =
            "insert into cluster_authority (certificate, sealed_key) values ($1, $2) on conflict do nothing";

    private static final String RENEW = "update cluster_authority set sealed_key = $1 where sealed_key = $2";

    private final IssuedKey authority;
    private final InstantSource clock;
    private final Duration gatewayValidity;

    ClusterAuthority(IssuedKey authority, InstantSource clock, Duration gatewayValidity) {
        this.authority = authority;
        this.gatewayValidity = gatewayValidity;
        this.clock = clock;
    }

    /**
     * Reads the authority from the database, and makes it when there is none yet.
     *
     * @param vertx whose workers do the cryptography
     * @param keys the keys that encrypt its private key
     * @param gatewayValidity how long gateways' certificates are valid
     * @return fails with {@link ClusterKeyException} when the key was sealed with another one
     */
    public static Future<ClusterAuthority> open(Vertx vertx, Pool pool, KeyRing keys, Duration gatewayValidity) {
        KeySeal seal = new KeySeal(keys, PURPOSE);
        InstantSource clock = InstantSource.system();
        return pool.preparedQuery(SELECT)
                .execute()
                .compose(found -> found.size() > 0
                        ? Future.succeededFuture(found)
                        : vertx.executeBlocking(() -> make(seal, clock))
                                .compose(row -> pool.preparedQuery(INSERT).execute(row))
                                .compose(inserted -> pool.preparedQuery(SELECT).execute()))
                .compose(rows ->
                        vertx.executeBlocking(() -> unseal(rows.iterator().next(), seal, clock, gatewayValidity)));
    }

    /**
     * Encrypts the private key in the database with the present key.
     *
     * @return whether it was encrypted with the one before; fails with {@link ClusterKeyException} when it was with
     *     neither
     */
    public static Future<Boolean> renewKey(Vertx vertx, Pool pool, KeyRing keys) {
        return pool.preparedQuery(SELECT).execute().compose(rows -> {
            if (rows.size() == 0) {
                return Future.succeededFuture(false);
            }
            Row row = rows.iterator().next();
            Buffer sealed = row.getBuffer("sealed_key");
            return vertx.executeBlocking(() -> renewed(row, sealed.getBytes(), keys))
                    .compose(renewed -> renewed.equals(sealed)
                            ? Future.succeededFuture(false)
                            : pool.preparedQuery(RENEW)
                                    .execute(Tuple.of(renewed, sealed))
                                    .map(done -> done.rowCount() > 0));
        });
    }

    private static Buffer renewed(Row row, byte[] sealed, KeyRing keys) {
        try {
            return Buffer.buffer(new KeySeal(keys, PURPOSE).renewed(sealed, context(row.getString("certificate"))));
        } catch (AEADBadTagException e) {
            throw new ClusterKeyException(e);
        }
    }

    private static byte[] context(String certificate) {
        return certificate.getBytes(StandardCharsets.US_ASCII);
    }

    private static Tuple make(KeySeal seal, InstantSource clock) {
        IssuedKey made = CertificateIssuer.authority(clock.instant());
        String certificate = Pem.of(made.certificate());
        byte[] sealed = seal.seal(made.key().getEncoded(), context(certificate));
        return Tuple.of(certificate, Buffer.buffer(sealed));
    }

    private static ClusterAuthority unseal(Row row, KeySeal seal, InstantSource clock, Duration gatewayValidity) {
        String certificate = row.getString("certificate");
        byte[] sealed = row.getBuffer("sealed_key").getBytes();
        try {
            byte[] key = seal.open(sealed, context(certificate));
            return new ClusterAuthority(
                    new IssuedKey(Pem.privateKey(key), Pem.certificate(certificate)), clock, gatewayValidity);
        } catch (AEADBadTagException e) {
            throw new ClusterKeyException(e);
        }
    }

    /** Returns the certificate that all peers trust. */
    public X509Certificate certificate() {
        return authority.certificate();
    }

    /** Returns a new key with its certificate for a control plane. */
    IssuedKey controlPlane(String id) {
        KeyPair keys = CertificateIssuer.keyPair();
        PeerIdentity identity = new PeerIdentity(PeerIdentity.Role.CONTROL_PLANE, id);
        return new IssuedKey(
                keys.getPrivate(),
                CertificateIssuer.peer(authority, identity, keys.getPublic(), clock.instant(), CONTROL_PLANE_VALIDITY));
    }

    /**
     * Returns a certificate of {@code key} for a gateway.
     *
     * @throws IllegalArgumentException when {@code id} is none
     */
    X509Certificate gateway(String id, PublicKey key) {
        PeerIdentity identity = new PeerIdentity(PeerIdentity.Role.GATEWAY, id);
        return CertificateIssuer.peer(authority, identity, key, clock.instant(), gatewayValidity);
    }
}
