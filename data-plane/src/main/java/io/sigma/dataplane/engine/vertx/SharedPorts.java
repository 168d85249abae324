package io.sigma.dataplane.engine.vertx;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses at which each event loop has a socket of its own (SO_REUSEPORT). The kernel would let another process of the
 * same user take part in them, so what is taken is looked for first. Thread-safe.
 */
final class SharedPorts {

    private final Map<String, Integer> claims = new HashMap<>();

    /**
     * Notes that a listener uses the address; to be released by it.
     *
     * @throws IOException when it is taken by somebody else; blocks if {@code host} is a name
     */
    synchronized void claim(String host, int port) throws IOException {
        String address = host + ":" + port;
        if (!claims.containsKey(address)) {
            try (Socket probe = new Socket()) {
                // Past connections do not matter, listeners do; nobody can connect to it, because it does not listen.
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(host, port));
            }
        }
        claims.merge(address, 1, Integer::sum);
    }

    synchronized void release(String host, int port) {
        claims.computeIfPresent(host + ":" + port, (address, count) -> count == 1 ? null : count - 1);
    }
}
