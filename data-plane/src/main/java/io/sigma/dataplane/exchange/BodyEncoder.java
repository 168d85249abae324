package io.sigma.dataplane.exchange;

/** Encodes the body of one response, piece by piece. Confined to the event loop of the exchange. */
public interface BodyEncoder {

    /** Returns what is to be sent for {@code data}; often nothing yet. */
    byte[] encode(byte[] data);

    /** Returns what is left; nothing is encoded after it. */
    byte[] finish();
}
