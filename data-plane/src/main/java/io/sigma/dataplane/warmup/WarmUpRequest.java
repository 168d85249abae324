package io.sigma.dataplane.warmup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/** A made-up request, and the response that it gets when all is well. Immutable. */
public final class WarmUpRequest {

    private final byte[] octets;
    private final byte[] answer;
    private final boolean last;

    /**
     * @param text the whole message
     * @param status of the response
     */
    WarmUpRequest(String text, int status) {
        this.octets = text.getBytes(ISO_8859_1);
        this.answer = ("HTTP/1.1 " + status + " ").getBytes(ISO_8859_1);
        this.last = text.contains("\r\nConnection: close\r\n");
    }

    /** Returns what is sent; not to be changed. */
    byte[] octets() {
        return octets;
    }

    /** Returns whether {@code response} begins as it should. */
    boolean isAnswer(byte[] response) {
        return Arrays.equals(response, 0, answer.length, answer, 0, answer.length);
    }

    /** Returns whether the gateway ends the connection after the response. */
    boolean isLast() {
        return last;
    }
}
