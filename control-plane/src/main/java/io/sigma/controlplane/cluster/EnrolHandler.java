package io.sigma.controlplane.cluster;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.identity.EnrolProof;
import io.sigma.identity.EnrolReply;
import io.sigma.identity.EnrolRequest;
import io.sigma.identity.PeerIdentity;
import io.sigma.json.Json;
import io.sigma.limit.AddressBlock;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a gateway that knows the join token its certificate. An id that has one already gets another: a gateway that
 * lost its disk must be able to come back, and whoever knows the join token could take any other id as well. Each
 * certificate is logged.
 */
final class EnrolHandler implements Handler<HttpServerRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(EnrolHandler.class);

    private final Vertx vertx;
    private final ClusterAuthority authority;
    private final String joinToken;
    private final FailureLimiter limiter;
    private final AcceptedCertificates accepted;

    EnrolHandler(
            Vertx vertx,
            ClusterAuthority authority,
            String joinToken,
            FailureLimiter limiter,
            AcceptedCertificates accepted) {
        this.vertx = vertx;
        this.authority = authority;
        this.joinToken = joinToken;
        this.limiter = limiter;
        this.accepted = accepted;
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
        String block = AddressBlock.of(address);
        try {
            EnrolRequest asked = Json.read(body.getBytes(), EnrolRequest.class);
            X509Certificate server =
                    (X509Certificate) request.connection().sslSession().getLocalCertificates()[0];
            byte[] expected = EnrolProof.ofRequest(joinToken, server, asked.gatewayId(), asked.signingRequest());
            if (!EnrolProof.same(expected, asked.proof())) {
                if (limiter.waitSeconds(block) > 0) {
                    answer(request, HttpResponseStatus.TOO_MANY_REQUESTS, "too many wrong join tokens; wait a minute");
                    return;
                }
                limiter.failed(block);
                LOG.warn("Enrolment from {} refused: wrong join token, or a third party sits in between", address);
                answer(request, HttpResponseStatus.FORBIDDEN, "wrong join token");
                return;
            }
            vertx.executeBlocking(() -> issue(asked))
                    .onFailure(e -> invalid(request, e))
                    .onSuccess(certificate -> keep(request, asked, server, certificate));
        } catch (IllegalArgumentException | NullPointerException e) {
            invalid(request, e);
        }
    }

    private X509Certificate issue(EnrolRequest asked) throws GeneralSecurityException {
        return authority.gateway(asked.gatewayId(), SigningRequest.key(asked.signingRequest()));
    }

    private void keep(
            HttpServerRequest request, EnrolRequest asked, X509Certificate server, X509Certificate certificate) {
        PeerIdentity gateway = new PeerIdentity(PeerIdentity.Role.GATEWAY, asked.gatewayId());
        accepted.issued(gateway, certificate, false)
                .compose(kept -> vertx.executeBlocking(() -> reply(
                        asked, server, certificate, request.remoteAddress().hostAddress())))
                .onSuccess(reply -> request.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .end(Buffer.buffer(Json.bytes(reply))))
                .onFailure(e -> {
                    LOG.warn("Gateway {} cannot enroll: {}", asked.gatewayId(), e.getMessage());
                    if (e instanceof NotIssued) {
                        answer(request, HttpResponseStatus.GONE, String.valueOf(e.getMessage()));
                    } else {
                        answer(request, HttpResponseStatus.SERVICE_UNAVAILABLE, "the database does not answer");
                    }
                });
    }

    private EnrolReply reply(EnrolRequest asked, X509Certificate server, X509Certificate certificate, String address)
            throws GeneralSecurityException {
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

    private static void answer(HttpServerRequest request, HttpResponseStatus status, String text) {
        request.response()
                .setStatusCode(status.code())
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(Objects.requireNonNull(text) + "\n");
    }
}
