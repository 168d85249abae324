package io.sigma.dataplane.exchange;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, checked and in normal form.
 *
 * @param protocol as logged: {@code HTTP/1.0}, {@code HTTP/1.1}, {@code HTTP/2}
 * @param tls whether the connection of the peer is encrypted; that of the client is {@link Exchange#tls}
 * @param method case-sensitive token
 * @param host in lower case without a trailing dot; an IPv6 literal in brackets; empty where a request on HTTP/1.0
 *     names none
 * @param port the port that the client named, or that of the scheme
 * @param authority host as above, with the port unless it is that of the scheme
 * @param path in normal form, see {@link io.sigma.value.NormalPath}
 * @param unmergedPath the same with its empty segments ({@code //}), for routers that keep them; equal when it has none
 * @param query without the question mark; null when there is none
 * @param fields what the client sent; filters change them before they are forwarded
 * @param bodyBytes length of the body: 0 for none, -1 when not known in advance
 * @param remoteAddress the IP address of the peer, which may be a proxy
 * @param remotePort the port of the peer
 * @param localPort that the client connected to
 */
public record RequestHead(
        String protocol,
        boolean tls,
        String method,
        String host,
        int port,
        String authority,
        String path,
        String unmergedPath,
        @Nullable String query,
        Fields fields,
        long bodyBytes,
        InetAddress remoteAddress,
        int remotePort,
        int localPort) {

    /** A head whose path has no empty segments. */
    public RequestHead(
            String protocol,
            boolean tls,
            String method,
            String host,
            int port,
            String authority,
            String path,
            @Nullable String query,
            Fields fields,
            long bodyBytes,
            InetAddress remoteAddress,
            int remotePort,
            int localPort) {
        this(
                protocol,
                tls,
                method,
                host,
                port,
                authority,
                path,
                path,
                query,
                fields,
                bodyBytes,
                remoteAddress,
                remotePort,
                localPort);
    }

    /** Returns this head with the empty segments of its path kept. */
    public RequestHead unmerged() {
        return new RequestHead(
                protocol,
                tls,
                method,
                host,
                port,
                authority,
                unmergedPath,
                unmergedPath,
                query,
                fields,
                bodyBytes,
                remoteAddress,
                remotePort,
                localPort);
    }

    /** Returns path and query as they are sent. */
    public String target() {
        return query == null ? path : path + "?" + query;
    }

    public boolean hasBody() {
        return bodyBytes != 0;
    }
}
