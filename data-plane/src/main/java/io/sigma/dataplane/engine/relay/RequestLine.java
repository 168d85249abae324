package io.sigma.dataplane.engine.relay;

/**
 * The first line of an HTTP/1 request. {@code RequestParser} reads it, and {@code client.HeadDecoder} makes a head
 * with it.
 *
 * @param target as the client sent it, not in normal form
 * @param http10 whether the client speaks HTTP/1.0
 */
public record RequestLine(String method, String target, boolean http10) {

    /** Returns the version as logged. */
    public String protocol() {
        return http10 ? "HTTP/1.0" : "HTTP/1.1";
    }
}
