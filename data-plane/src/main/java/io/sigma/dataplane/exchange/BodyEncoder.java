package io.sigma.dataplane.exchange;

import java.util.Arrays;

/** Encodes the body of one response, piece by piece. Confined to the event loop of the exchange. */
public interface BodyEncoder {

    /** Digests of the content, and of the representation, as they were (RFC 9530 §2, §3); in head and trailers. */
    FieldNames OF_THE_CONTENT = FieldNames.of("content-digest", "content-md5", "digest", "repr-digest");

    /** Returns what is to be sent for {@code data}; often nothing yet. */
    byte[] encode(byte[] data);

    /** Returns what is left; nothing is encoded after it. */
    byte[] finish();

    /** Returns the encoding of a body that is there whole; {@code encoder} is used up by it. */
    static byte[] whole(BodyEncoder encoder, byte[] body) {
        byte[] most = encoder.encode(body);
        byte[] rest = encoder.finish();
        byte[] all = Arrays.copyOf(most, most.length + rest.length);
        System.arraycopy(rest, 0, all, most.length, rest.length);
        return all;
    }
}
