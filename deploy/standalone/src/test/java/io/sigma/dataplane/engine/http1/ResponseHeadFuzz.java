package io.sigma.dataplane.engine.http1;

/** Heads of responses, and what they say of the body. */
public final class ResponseHeadFuzz {

    private ResponseHeadFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        HeadFuzz.check(
                data,
                headMax -> new ResponseParser(new Texts(), headMax),
                ResponseHeadFuzz::line,
                "HTTP/1.1 200 OK\r\nServer: a\r\n\r\n");
    }

    private static String line(ResponseParser parser) {
        if (parser.status() < 100 || parser.status() > 999) {
            throw new AssertionError("status " + parser.status());
        }
        try {
            long length = Framing.ofResponse(parser.fields(), parser.status(), parser.isHttp10(), "GET");
            if (length < Framing.UNTIL_CLOSE) {
                throw new AssertionError("a length of " + length);
            }
        } catch (InvalidMessage e) {
            // Refused for its framing.
        }
        return (parser.isHttp10() ? "HTTP/1.0 " : "HTTP/1.1 ") + parser.status() + "\r\n";
    }
}
