package io.sigma.identity;

/**
 * The answer to an {@link EnrolRequest}.
 *
 * @param certificate the gateway's certificate, DER
 * @param authority the certificate of the cluster's authority, DER
 * @param proof {@link EnrolProof#ofReply}
 */
@SuppressWarnings("ArrayRecordComponent")
public record EnrolReply(byte[] certificate, byte[] authority, byte[] proof) {}
