package io.sigma.dataplane.link;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * With what a gateway applies for a certificate.
 *
 * @param keys EC P-256
 * @param signingRequest PKCS #10, DER
 */
@SuppressWarnings("ArrayRecordComponent")
record Application(String gatewayId, KeyPair keys, byte[] signingRequest) {

    /** Returns an application with a new key. Blocks for the time of the cryptography. */
    static Application of(String gatewayId) throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        try {
            byte[] signingRequest = new JcaPKCS10CertificationRequestBuilder(
                            new X500Principal("CN=" + gatewayId), keys.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                    .getEncoded();
            return new Application(gatewayId, keys, signingRequest);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            // Not by its name: the JVM would load it at each start in order to verify this class, from a signed jar of
            // six thousand entries.
            throw new GeneralSecurityException(e);
        }
    }

    @Override
    public String toString() {
        return "Application[" + gatewayId + ", keys=[redacted]]";
    }
}
