package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;

/** Makes the content of the gateway's own answers. The responses of both protocols call it. Pure. */
public final class AnswerContent {

    private AnswerContent() {}

    /** Returns {@code content} in the coding that a filter chose for the answer to {@code exchange}. */
    public static byte[] encoded(Exchange exchange, byte[] content) {
        BodyEncoder encoder = exchange.get(Attributes.BODY_ENCODER);
        return encoder == null ? content : BodyEncoder.whole(encoder, content);
    }

    /**
     * Says how long the content is, or that of the answer to GET would be (RFC 9110 §8.6).
     *
     * @param length in octets
     */
    public static void announceLength(Exchange exchange, ResponseHead head, int length) {
        boolean none = head.status() == 204 || head.status() == 304;
        // The content of an answer to HEAD is not coded, so that nobody knows its length.
        boolean unknown =
                exchange.request().method().equals("HEAD") && head.fields().contains("content-encoding");
        if (!none && !unknown) {
            head.fields().set("content-length", String.valueOf(length));
        }
    }
}
