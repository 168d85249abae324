package io.sigma.dataplane.listener;

import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;

/**
 * All that a socket depends on. Whatever else of a proxy server changes, its socket stays and so do the connections:
 * they take the change with their next request, or new ones with their handshake (docs/adr/0061).
 *
 * @param tls whether connections begin with a handshake of TLS
 */
record SocketKey(String host, int port, Protocol protocol, boolean tls) {

    static SocketKey of(ProxyServer server) {
        return new SocketKey(server.host(), server.port(), server.protocol(), server.tls() != null);
    }
}
