package io.sigma.dataplane.link;

import io.sigma.identity.ClusterEndpoint;
import io.sigma.identity.EnrolProof;
import io.sigma.identity.EnrolReply;
import io.sigma.identity.EnrolRequest;
import io.sigma.identity.Pem;
import io.sigma.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a gateway its certificate from a control plane that knows the same join token. The control plane's own
 * certificate cannot be verified yet: each side proves that it knows the token, over the certificate that the other one
 * sees.
 */
public final class Enrolment {

    private static final Logger LOG = LoggerFactory.getLogger(Enrolment.class);

    private static final int CONNECT_MILLIS = 3_000;
    private static final long ANSWER_SECONDS = 10;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    /**
     * A certificate that was obtained and stored.
     *
     * @param controlPlane the one that gave it, {@code host:port}
     */
    public record Enrolled(String gatewayId, String controlPlane, Instant validUntil) {}

    private Enrolment() {}

    /**
     * Asks the control planes, one after the other, for a certificate, and stores it in {@code dataDir} with a new
     * private key and the certificate of the cluster's authority.
     *
     * @param controlPlanes {@code host[:port]} of cluster ports
     * @return fails with {@link EnrolmentFailed} when none gave one, or it could not be stored
     */
    public static Future<Enrolled> enrol(
            Vertx vertx, String gatewayId, Path dataDir, List<String> controlPlanes, String joinToken) {
        List<ControlPlaneAddress> addresses;
        try {
            addresses = ControlPlaneAddress.shuffled(controlPlanes, new SecureRandom());
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(new EnrolmentFailed(String.valueOf(e.getMessage()), e));
        }
        Future<Enrolled> enrolled = Future.failedFuture("no control plane");
        for (ControlPlaneAddress address : addresses) {
            enrolled = enrolled.recover(e -> enrol(vertx, gatewayId, new CredentialFiles(dataDir), address, joinToken)
                    .map(credentials -> new Enrolled(
                            gatewayId,
                            address.toString(),
                            credentials.certificate().getNotAfter().toInstant())));
        }
        return enrolled;
    }

    /** As above, from one control plane; returns what was stored. */
    static Future<Credentials> enrol(
            Vertx vertx, String gatewayId, CredentialFiles files, ControlPlaneAddress address, String joinToken) {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(false)
                // Nothing is trusted until the answer's proof is verified.
                .setTrustAll(true)
                .setVerifyHost(false)
                .setConnectTimeout(CONNECT_MILLIS);
        options.setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION));
        options.setSslHandshakeTimeout(CONNECT_MILLIS).setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
        HttpClientAgent client = vertx.createHttpClient(options);
        HttpConnectOptions target =
                new HttpConnectOptions().setHost(address.host()).setPort(address.port());
        return vertx.executeBlocking(() -> Application.of(gatewayId))
                .compose(application -> client.connect(target)
                        .compose(connection -> exchange(connection, application, address, joinToken)))
                .timeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .compose(credentials -> vertx.executeBlocking(() -> save(files, credentials)))
                .recover(e -> Future.failedFuture(failure(address, e)))
                .onSuccess(credentials -> LOG.info(
                        "Gateway {} enrolled with {}: certificate until {}",
                        gatewayId,
                        address,
                        credentials.certificate().getNotAfter().toInstant()))
                .eventually(client::close);
    }

    private static EnrolmentFailed failure(ControlPlaneAddress address, Throwable cause) {
        return cause instanceof EnrolmentFailed failed
                ? failed
                : new EnrolmentFailed("Enrolment with " + address + " failed: " + cause.getMessage(), cause);
    }

    private static Credentials save(CredentialFiles files, Credentials credentials) throws IOException {
        files.save(credentials);
        return credentials;
    }

    private static Future<Credentials> exchange(
            HttpClientConnection connection, Application application, ControlPlaneAddress address, String joinToken) {
        X509Certificate server;
        try {
            server = (X509Certificate) connection.peerCertificates().get(0);
        } catch (SSLPeerUnverifiedException e) {
            return Future.failedFuture(e);
        }
        byte[] proof = EnrolProof.ofRequest(joinToken, server, application.gatewayId(), application.signingRequest());
        EnrolRequest request = new EnrolRequest(application.gatewayId(), application.signingRequest(), proof);
        RequestOptions target = new RequestOptions().setMethod(HttpMethod.POST).setURI(ClusterEndpoint.ENROL_PATH);
        return connection
                .request(target)
                .compose(http -> http.putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .send(Buffer.buffer(Json.bytes(request))))
                .compose(response -> body(response, address))
                .map(body ->
                        verified(Json.read(body, EnrolReply.class), server, proof, application, address, joinToken));
    }

    private static Future<byte[]> body(HttpClientResponse response, ControlPlaneAddress address) {
        Promise<byte[]> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.handler(part -> {
            if (body.length() + part.length() > ClusterEndpoint.ENROL_BYTES_MAX) {
                whole.tryFail("more than " + ClusterEndpoint.ENROL_BYTES_MAX + " bytes");
                response.request().connection().close();
                return;
            }
            body.appendBuffer(part);
        });
        response.endHandler(end -> whole.tryComplete(body.getBytes()));
        return whole.future().compose(bytes -> {
            if (response.statusCode() == OK) {
                return Future.succeededFuture(bytes);
            }
            String why = response.statusCode() == FORBIDDEN
                    ? "the control plane has another join token, or a third party sits in between"
                    : "status " + response.statusCode() + ", "
                            + new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
            return Future.failedFuture(new EnrolmentFailed("Enrolment refused by " + address + ": " + why.strip()));
        });
    }

    private static Credentials verified(
            EnrolReply reply,
            X509Certificate server,
            byte[] requestProof,
            Application application,
            ControlPlaneAddress address,
            String joinToken) {
        byte[] expected = EnrolProof.ofReply(joinToken, server, requestProof, reply.certificate(), reply.authority());
        if (!EnrolProof.same(expected, reply.proof())) {
            throw new EnrolmentFailed(
                    "Enrolment with " + address + " failed: the sender of the answer does not know the join token");
        }
        Credentials credentials = new Credentials(
                application.keys().getPrivate(),
                Pem.certificate(reply.certificate()),
                Pem.certificate(reply.authority()));
        if (!credentials.areValid(application.gatewayId(), Instant.now())) {
            throw new EnrolmentFailed("Enrolment with " + address + " failed: the certificate is not valid for gateway "
                    + application.gatewayId() + " now; do the clocks agree?");
        }
        return credentials;
    }
}
