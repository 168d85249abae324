package io.sigma.dataplane.engine.vertx;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.TransferEncodingNotAllowedException;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.exchange.Authority;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.value.Tokens;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the head of a request from what Vert.x decoded, and refuses what Vert.x lets pass. Pure. */
final class HeadDecoder {

    private static final Set<String> CONNECTION_SPECIFIC =
            Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade");

    private HeadDecoder() {}

    /**
     * Returns the head.
     *
     * @param bodyBytes length of the body: 0 for none, -1 when not known
     * @throws InvalidRequest when it breaks a rule
     */
    static RequestHead decode(ClientConnection connection, HttpServerRequest request, long bodyBytes) {
        boolean http2 = request.version() == HttpVersion.HTTP_2;
        Fields fields = new VertxFields(request.headers());
        String method = request.method().name();
        if (!Tokens.isToken(method)) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "method");
        }
        if (method.equals("CONNECT")) {
            throw new InvalidRequest(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT");
        }
        if (!http2) {
            checkFraming(request, fields);
            boolean http10 = request.version() == HttpVersion.HTTP_1_0;
            return decode(connection, new RequestLine(method, request.uri(), http10), fields, bodyBytes);
        }
        String scheme = request.scheme();
        if (!"https".equalsIgnoreCase(scheme) && !"http".equalsIgnoreCase(scheme)) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "scheme");
        }
        RequestTarget target = RequestTarget.parse(request.uri(), method);
        String text = http2Authority(request, fields);
        return head(connection, "HTTP/2", method, target, text, fields, bodyBytes);
    }

    /**
     * Returns the head of an HTTP/1 request whose framing has been checked.
     *
     * @throws InvalidRequest when it breaks a rule
     */
    static RequestHead decode(ClientConnection connection, RequestLine line, Fields fields, long bodyBytes) {
        if (line.method().equals("CONNECT")) {
            throw new InvalidRequest(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT");
        }
        RequestTarget target = connection.vertxLoop().targets().parse(line.target(), line.method());
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
        RequestTarget parsed = connection.vertxLoop().targets().parse(target, method);
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
        boolean http2 = protocol.equals("HTTP/2");
        if (http2 && !connection.serves(authority.host())) {
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

    /** Returns whether the fields of an HTTP/2 request are such as may be sent (RFC 9113 §8.2, §8.3). */
    static boolean isWellFormed(HttpServerRequest request) {
        String target = request.uri();
        boolean path = target != null && (target.startsWith("/") || target.equals("*"));
        if (!path || !isVisible(target) || request.headers().getAll("host").size() > 1) {
            return false;
        }
        for (var field : request.headers()) {
            String name = field.getKey();
            if (name.startsWith(":") || !Tokens.isToken(name) || !isFieldValue(field.getValue())) {
                return false;
            }
            boolean te = name.equals("te") && !field.getValue().equalsIgnoreCase("trailers");
            if (te || CONNECTION_SPECIFIC.contains(name)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVisible(String text) {
        return text.chars().allMatch(c -> c > ' ' && c != 0x7f);
    }

    private static boolean isFieldValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Returns a head for the log when the request could not be understood. */
    static RequestHead placeholder(ClientConnection connection, HttpServerRequest request) {
        return placeholder(connection, protocol(request), request.method().name(), new VertxFields(request.headers()));
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

    /** Returns what the decoder's complaint means. */
    static ErrorKind kindOf(@Nullable Throwable cause, HttpServerRequest request) {
        if (cause instanceof Http1Guard.UnsupportedVersion) {
            return ErrorKind.VERSION;
        }
        if (cause instanceof RequestDecoder.HeadTimeout) {
            return ErrorKind.REQUEST_TIMEOUT;
        }
        if (cause instanceof TooLongHttpLineException) {
            return ErrorKind.TARGET_TOO_LONG;
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return ErrorKind.HEAD_TOO_LARGE;
        }
        boolean oldVersion = cause instanceof TransferEncodingNotAllowedException;
        String coding = oldVersion ? null : request.headers().get("transfer-encoding");
        return coding != null && isUnknownCoding(coding) ? ErrorKind.UNKNOWN_CODING : ErrorKind.BAD_REQUEST;
    }

    /** Returns the length of the body that the head announces: 0 for none, -1 when not known. */
    static long bodyBytes(HttpServerRequest request) {
        String length = request.headers().get("content-length");
        if (length != null) {
            try {
                return Math.max(0, Long.parseLong(length));
            } catch (NumberFormatException e) {
                return -1;
            }
        }
        boolean known =
                request.version() != HttpVersion.HTTP_2 && !request.headers().contains("transfer-encoding");
        return known ? 0 : -1;
    }

    private static void checkFraming(HttpServerRequest request, Fields fields) {
        List<String> codings = fields.all("transfer-encoding");
        if (codings.isEmpty()) {
            return;
        }
        if (fields.contains("content-length") || request.version() == HttpVersion.HTTP_1_0) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "transfer-encoding");
        }
        String coding = String.join(",", codings).toLowerCase(Locale.ROOT).strip();
        if (!coding.equals("chunked")) {
            throw new InvalidRequest(
                    isUnknownCoding(coding) ? ErrorKind.UNKNOWN_CODING : ErrorKind.BAD_REQUEST, "transfer-encoding");
        }
    }

    /** Returns whether something stands before one last {@code chunked}. */
    private static boolean isUnknownCoding(String coding) {
        String[] items = coding.toLowerCase(Locale.ROOT).split(",", -1);
        for (int i = 0; i < items.length - 1; i++) {
            if (items[i].strip().equals("chunked") || items[i].isBlank()) {
                return false;
            }
        }
        return items.length > 1 && items[items.length - 1].strip().equals("chunked");
    }

    private static String http2Authority(HttpServerRequest request, Fields fields) {
        HostAndPort authority = request.authority();
        if (authority == null || fields.all("host").size() > 1) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "authority");
        }
        return authority.port() < 0 ? authority.host() : authority.host() + ":" + authority.port();
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

    private static String protocol(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return "HTTP/2";
        }
        return request.version() == HttpVersion.HTTP_1_0 ? "HTTP/1.0" : "HTTP/1.1";
    }
}
