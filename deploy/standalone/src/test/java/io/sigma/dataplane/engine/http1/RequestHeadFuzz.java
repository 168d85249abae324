package io.sigma.dataplane.engine.http1;

/** Heads of requests, and what they say of the body. */
public final class RequestHeadFuzz {

    private RequestHeadFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        HeadFuzz.check(
                data,
                headMax -> new RequestParser(new Texts(), HeadFuzz.FIRST_LINE_MAX, headMax),
                RequestHeadFuzz::line,
                "GET /before HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static String line(RequestParser parser) {
        var line = parser.line();
        try {
            long length = Framing.ofRequest(parser.fields(), line.http10());
            if (length < 0 && length != Framing.CHUNKED) {
                throw new AssertionError("a length of " + length);
            }
        } catch (InvalidMessage e) {
            // Refused for its framing.
        }
        return line.method() + " " + line.target() + (line.http10() ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    }
}
