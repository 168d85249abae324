package io.sigma.identity;

/**
 * The answer to a {@link CertificateRequest}.
 *
 * @param certificate the gateway's new certificate, DER, of the authority that its old one has
 */
@SuppressWarnings("ArrayRecordComponent")
public record CertificateReply(byte[] certificate) {}
