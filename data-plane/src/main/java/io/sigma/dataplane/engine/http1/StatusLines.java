package io.sigma.dataplane.engine.http1;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** Status lines (RFC 9112 §4). Pure. */
final class StatusLines {

    private static final byte[][] KNOWN = new byte[600][];

    static {
        for (int status = 100; status < KNOWN.length; status++) {
            KNOWN[status] = line(status);
        }
    }

    private StatusLines() {}

    private static byte[] line(int status) {
        String reason = HttpResponseStatus.valueOf(status).reasonPhrase();
        return ("HTTP/1.1 " + status + " " + reason + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * @param status 100..999
     */
    static void write(HeadBuffer out, int status) {
        out.put(status < KNOWN.length ? KNOWN[status] : line(status));
    }
}
