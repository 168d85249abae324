package io.sigma.identity;

/**
 * A gateway that is connected asks for a new certificate, answered by {@link CertificateReply}.
 *
 * @param signingRequest PKCS #10 (RFC 2986), DER: a new public key, signed with its private key
 */
@SuppressWarnings("ArrayRecordComponent")
public record CertificateRequest(String gatewayId, byte[] signingRequest) {}
