package io.sigma.dataplane.link;

import io.sigma.identity.PeerIdentity;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * With what a gateway shows who it is, and whom it trusts.
 *
 * @param authority certifies control planes and gateways
 */
record Credentials(PrivateKey key, X509Certificate certificate, X509Certificate authority) {

    /** A certificate is renewed when less than that part of its time is left. */
    private static final int RENEWAL_PART = 3;

    private static final byte[] SAMPLE = {1, 2, 3};

    /** Returns whether a control plane would take these for {@code gatewayId} now. */
    boolean areValid(String gatewayId, Instant now) {
        try {
            PeerIdentity identity = PeerIdentity.of(certificate);
            certificate.verify(authority.getPublicKey());
            return identity.role() == PeerIdentity.Role.GATEWAY
                    && identity.id().equals(gatewayId)
                    && now.isBefore(certificate.getNotAfter().toInstant())
                    && isKeyOfCertificate();
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    boolean areDueForRenewal(Instant now) {
        Instant end = certificate.getNotAfter().toInstant();
        Duration all = Duration.between(certificate.getNotBefore().toInstant(), end);
        return now.plus(all.dividedBy(RENEWAL_PART)).isAfter(end);
    }

    private boolean isKeyOfCertificate() throws GeneralSecurityException {
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(key);
        signer.update(SAMPLE);
        byte[] signature = signer.sign();
        signer.initVerify(certificate.getPublicKey());
        signer.update(SAMPLE);
        return signer.verify(signature);
    }

    @Override
    public String toString() {
        return "Credentials[" + certificate.getSubjectX500Principal() + ", key=[redacted]]";
    }
}
