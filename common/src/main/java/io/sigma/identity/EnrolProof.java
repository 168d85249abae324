package io.sigma.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A proof that a side of an enrolment knows the join token, without sending it. It covers the certificate that the TLS
 * server showed, so a man in the middle with another certificate can use neither the request nor the answer:
 * HMAC-SHA-256 (RFC 2104) over a label and the parts, each preceded by its length.
 */
public final class EnrolProof {

    private static final String REQUEST = "sigma enrol request";
    private static final String REPLY = "sigma enrol answer";

    private EnrolProof() {}

    /**
     * Returns the gateway's proof.
     *
     * @param server the certificate of the TLS server: as the gateway saw it, or as the control plane knows its own
     */
    public static byte[] ofRequest(String joinToken, X509Certificate server, String gatewayId, byte[] signingRequest) {
        return mac(joinToken, REQUEST, sha256(der(server)), gatewayId.getBytes(StandardCharsets.UTF_8), signingRequest);
    }

    /** Returns the control plane's proof; it also covers the request's. */
    public static byte[] ofReply(
            String joinToken, X509Certificate server, byte[] requestProof, byte[] certificate, byte[] authority) {
        return mac(joinToken, REPLY, sha256(der(server)), requestProof, certificate, authority);
    }

    /** Returns whether two proofs are the same, in a time that does not depend on where they differ. */
    public static boolean same(byte[] proof, byte[] other) {
        return MessageDigest.isEqual(proof, other);
    }

    private static byte[] mac(String joinToken, String label, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(joinToken.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update(label.getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static byte[] der(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }
}
