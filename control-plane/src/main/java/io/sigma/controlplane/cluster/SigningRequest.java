package io.sigma.controlplane.cluster;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Reads what gateways ask certificates with: PKCS #10 (RFC 2986). Pure. */
final class SigningRequest {

    private static final int EC_BITS = 256;

    private SigningRequest() {}

    /** Returns the public key of a signing request whose signature shows that its sender has the private key. */
    static PublicKey key(byte[] signingRequest) throws GeneralSecurityException {
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
        } catch (IOException | PKCSException | OperatorCreationException e) {
            throw new GeneralSecurityException("signingRequest: " + e.getMessage(), e);
        }
    }
}
