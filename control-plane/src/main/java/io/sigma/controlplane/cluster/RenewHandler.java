package io.sigma.controlplane.cluster;

import io.sigma.identity.CertificateReply;
import io.sigma.identity.CertificateRequest;
import io.sigma.identity.PeerIdentity;
import io.sigma.json.Json;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a gateway that is connected a new certificate. That it asks in its own name the bridge has seen to, and its
 * connection shows that it has a good one.
 */
final class RenewHandler implements Handler<Message<JsonObject>> {

    private static final Logger LOG = LoggerFactory.getLogger(RenewHandler.class);

    private static final int INVALID = 400;
    private static final int REFUSED = 403;
    private static final int UNAVAILABLE = 503;

    private final Vertx vertx;
    private final ClusterAuthority authority;
    private final AcceptedCertificates accepted;

    RenewHandler(Vertx vertx, ClusterAuthority authority, AcceptedCertificates accepted) {
        this.vertx = vertx;
        this.authority = authority;
        this.accepted = accepted;
    }

    private record Issued(PeerIdentity gateway, X509Certificate certificate) {}

    @Override
    public void handle(Message<JsonObject> message) {
        String text = message.body().encode();
        vertx.executeBlocking(() -> issue(text))
                .onFailure(e -> message.fail(INVALID, "certificate: " + e.getMessage()))
                .onSuccess(issued -> accepted.issued(issued.gateway(), issued.certificate(), true)
                        .onSuccess(kept -> reply(message, issued))
                        .onFailure(e -> refuse(message, issued, e)));
    }

    private Issued issue(String text) throws GeneralSecurityException {
        CertificateRequest request = Json.read(text, CertificateRequest.class);
        PeerIdentity gateway = new PeerIdentity(PeerIdentity.Role.GATEWAY, request.gatewayId());
        return new Issued(gateway, authority.gateway(gateway.id(), SigningRequest.key(request.signingRequest())));
    }

    private static void reply(Message<JsonObject> message, Issued issued) {
        try {
            CertificateReply reply = new CertificateReply(issued.certificate().getEncoded());
            LOG.info(
                    "Gateway {} has renewed its certificate: {} until {}",
                    issued.gateway().id(),
                    AcceptedCertificates.serial(issued.certificate()),
                    issued.certificate().getNotAfter().toInstant());
            message.reply(new JsonObject(Json.text(reply)));
        } catch (CertificateEncodingException e) {
            message.fail(UNAVAILABLE, "certificate: " + e.getMessage());
        }
    }

    private static void refuse(Message<JsonObject> message, Issued issued, Throwable cause) {
        LOG.warn("Gateway {} cannot renew its certificate: {}", issued.gateway().id(), cause.getMessage());
        if (cause instanceof NotIssued) {
            message.fail(REFUSED, cause.getMessage());
        } else {
            message.fail(UNAVAILABLE, "the database does not answer");
        }
    }
}
