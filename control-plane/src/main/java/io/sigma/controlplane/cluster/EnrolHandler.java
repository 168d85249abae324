package io.sigma.controlplane.cluster;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sigma.cluster.ClusterEndpoint;
import io.sigma.cluster.EnrolProof;
import io.sigma.cluster.EnrolReply;
import io.sigma.cluster.EnrolRequest;
import io.sigma.json.Json;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.Objects;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a gateway that knows the join token its certificate. An id that has one already gets another: a gateway that lost
 * its disk must be able to come back, and whoever knows the join token could take any other id as well. Each certificate
 * is logged.
 */
final class EnrolHandler implements Handler<HttpServerRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(EnrolHandler.class);

    private static final int EC_BITS = 256;

    private final Vertx vertx;
    private final ClusterAuthority authority;
    private final String joinToken;
    private final FailureLimiter limiter;

    EnrolHandler(Vertx vertx, ClusterAuthority authority, String joinToken, FailureLimiter limiter) {
        this.vertx = vertx;
        this.authority = authority;
        this.joinToken = joinToken;
        this.limiter = limiter;
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (!HttpMethod.POST.equals(request.method())) {
            answer(request, HttpResponseStatus.METHOD_NOT_ALLOWED, "method: " + request.method() + " (expected: POST)");
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(part -> {
            if (body.length() + part.length() > ClusterEndpoint.ENROL_BYTES_MAX) {
                request.handler(null);
                request.connection().close();
                return;
            }
            body.appendBuffer(part);
        });
        request.endHandler(end -> enrol(request, body));
    }

    private void enrol(HttpServerRequest request, Buffer body) {
        String address = request.remoteAddress().hostAddress();
        if (limiter.isBlocked(address)) {
            answer(request, HttpResponseStatus.TOO_MANY_REQUESTS, "too many wrong join tokens; wait a minute");
            return;
        }
        try {
            EnrolRequest asked = Json.read(body.getBytes(), EnrolRequest.class);
            X509Certificate server =
                    (X509Certificate) request.connection().sslSession().getLocalCertificates()[0];
            byte[] expected = EnrolProof.ofRequest(joinToken, server, asked.gatewayId(), asked.signingRequest());
            if (!EnrolProof.same(expected, asked.proof())) {
                limiter.failed(address);
                LOG.warn("Enrolment from {} refused: wrong join token, or somebody sits in between", address);
                answer(request, HttpResponseStatus.FORBIDDEN, "wrong join token");
                return;
            }
            vertx.executeBlocking(() -> reply(asked, server, address))
                    .onSuccess(reply -> request.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .end(Buffer.buffer(Json.bytes(reply))))
                    .onFailure(e -> invalid(request, e));
        } catch (IllegalArgumentException | NullPointerException e) {
            limiter.failed(address);
            invalid(request, e);
        }
    }

    private EnrolReply reply(EnrolRequest asked, X509Certificate server, String address)
            throws GeneralSecurityException {
        X509Certificate certificate = authority.gateway(asked.gatewayId(), key(asked.signingRequest()));
        LOG.info(
                "Gateway {} enrolled from {}: certificate {} until {}",
                asked.gatewayId(),
                address,
                certificate.getSerialNumber().toString(16),
                certificate.getNotAfter().toInstant());
        byte[] der = certificate.getEncoded();
        byte[] root = authority.certificate().getEncoded();
        return new EnrolReply(der, root, EnrolProof.ofReply(joinToken, server, asked.proof(), der, root));
    }

    private static void invalid(HttpServerRequest request, Throwable cause) {
        answer(request, HttpResponseStatus.BAD_REQUEST, "invalid enrolment: " + cause.getMessage());
    }

    /** Returns the public key of a signing request whose signature shows that its sender has the private key. */
    private static PublicKey key(byte[] signingRequest) throws GeneralSecurityException {
        try {
            JcaPKCS10CertificationRequest parsed = new JcaPKCS10CertificationRequest(signingRequest);
            PublicKey key = parsed.getPublicKey();
            if (!(key instanceof ECPublicKey ec) || ec.getParams().getOrder().bitLength() != EC_BITS) {
                throw new GeneralSecurityException("key: " + key.getAlgorithm() + " (expected: EC P-256)");
            }
            if (!parsed.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
                throw new GeneralSecurityException("signingRequest: its signature is wrong");
            }
            return key;
        } catch (java.io.IOException | PKCSException | OperatorCreationException e) {
            throw new GeneralSecurityException("signingRequest: " + e.getMessage(), e);
        }
    }

    private static void answer(HttpServerRequest request, HttpResponseStatus status, String text) {
        request.response()
                .setStatusCode(status.code())
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(Objects.requireNonNull(text) + "\n");
    }
}
