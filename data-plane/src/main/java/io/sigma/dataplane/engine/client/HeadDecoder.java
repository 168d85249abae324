package io.sigma.dataplane.engine.client;

import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.exchange.Authority;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.value.Tokens;
import org.jspecify.annotations.Nullable;

/** Makes the head of a request of what a codec has read. Pure. */
final class HeadDecoder {

    private HeadDecoder() {}

    /**
     * Returns the head of an HTTP/1 request whose framing has been checked.
     *
     * @throws InvalidRequest when it breaks a rule
     */
    static RequestHead decode(ClientConnection connection, RequestLine line, Fields fields, long bodyBytes) {
        if (line.method().equals("CONNECT")) {
            throw new InvalidRequest(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT");
        }
        RequestTarget target = connection.targets().parse(line.target(), line.method());
        String text = http1Authority(line, target, fields);
        return head(connection, line.protocol(), line.method(), target, text, fields, bodyBytes);
    }

    /**
     * Returns the head of an HTTP/2 request that is well-formed.
     *
     * @param authority null when it names none
     * @throws InvalidRequest when it breaks a rule
     */
    static RequestHead decodeHttp2(
            ClientConnection connection,
            String method,
            String target,
            @Nullable String authority,
            Fields fields,
            long bodyBytes) {
        RequestTarget parsed = connection.targets().parse(target, method);
        if (authority == null) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "authority");
        }
        return head(connection, "HTTP/2", method, parsed, authority, fields, bodyBytes);
    }

    private static RequestHead head(
            ClientConnection connection,
            String protocol,
            String method,
            RequestTarget target,
            @Nullable String authorityText,
            Fields fields,
            long bodyBytes) {
        NamedAuthority named =
                authorityText == null ? NamedAuthority.absent(connection.tls()) : connection.authority(authorityText);
        Authority authority = named.authority();
        RequestHead last = connection.lastHead();
        fields.remove("host");
        if (!connection.serves(authority.host())) {
            throw new InvalidRequest(ErrorKind.MISDIRECTED, "authority");
        }
        if (last != null && isSame(last, protocol, method, named, target, fields, bodyBytes)) {
            return last;
        }
        return new RequestHead(
                protocol,
                connection.tls(),
                method,
                authority.host(),
                authority.port(),
                named.text(),
                target.path(),
                target.unmergedPath(),
                target.query(),
                fields,
                bodyBytes,
                connection.remoteAddress(),
                connection.remotePort(),
                connection.localPort());
    }

    /** Returns whether a request of the same connection says the same; identity mostly tells. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(
            RequestHead last,
            String protocol,
            String method,
            NamedAuthority named,
            RequestTarget target,
            Fields fields,
            long bodyBytes) {
        return last.fields() == fields
                && last.path() == target.path()
                && last.unmergedPath() == target.unmergedPath()
                && last.query() == target.query()
                && last.authority() == named.text()
                && last.host() == named.authority().host()
                && last.port() == named.authority().port()
                && last.bodyBytes() == bodyBytes
                && last.method().equals(method)
                && last.protocol().equals(protocol);
    }

    /** Returns a head for the log when the request could not be understood. */
    static RequestHead placeholder(ClientConnection connection, String protocol, String method, Fields fields) {
        return new RequestHead(
                protocol,
                connection.tls(),
                Tokens.isToken(method) ? method : "GET",
                "",
                connection.localPort(),
                "",
                "",
                null,
                fields,
                0,
                connection.remoteAddress(),
                connection.remotePort(),
                connection.localPort());
    }

    /** Returns what names the host; null for nothing, which only HTTP/1.0 may say (RFC 9112 §3.2). */
    private static @Nullable String http1Authority(RequestLine line, RequestTarget target, Fields fields) {
        String host = fields.only("host");
        String named = target.authority();
        if (host == null && !line.http10()) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "host");
        }
        if (named == null) {
            return host;
        }
        if (host != null) {
            Authority.parse(host, false);
        }
        return named;
    }
}
