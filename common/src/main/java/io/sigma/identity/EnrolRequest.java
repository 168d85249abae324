package io.sigma.identity;

/**
 * A gateway asks for its certificate.
 *
 * @param signingRequest PKCS #10 (RFC 2986), DER: the gateway's public key, signed with its private key
 * @param proof {@link EnrolProof#ofRequest}
 */
@SuppressWarnings("ArrayRecordComponent")
public record EnrolRequest(String gatewayId, byte[] signingRequest, byte[] proof) {}
