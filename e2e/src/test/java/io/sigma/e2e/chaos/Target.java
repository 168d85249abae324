package io.sigma.e2e.chaos;

import java.util.List;

/**
 * Where an attack goes. Ports are on 127.0.0.1.
 *
 * @param http HTTP/1.1 in plaintext
 * @param http2 HTTP/2 in plaintext, without an upgrade
 * @param https TLS, with HTTP/1.1 and HTTP/2 by ALPN
 */
record Target(String name, int http, int http2, int https) {

    /** Returns the form that {@link #parse} reads. */
    List<String> arguments() {
        return List.of(name, String.valueOf(http), String.valueOf(http2), String.valueOf(https));
    }

    static Target parse(List<String> arguments) {
        return new Target(
                arguments.get(0),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)));
    }
}
