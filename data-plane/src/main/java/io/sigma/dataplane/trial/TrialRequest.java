package io.sigma.dataplane.trial;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.exchange.Authority;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.FieldList;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.model.HeaderField;
import io.sigma.model.Protocol;
import io.sigma.model.RequestProtocol;
import io.sigma.model.RouteTest;
import io.sigma.value.Addresses;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A request that is tried out, in the form of one that arrived. */
final class TrialRequest {

    private static final int REMOTE_PORT = 40_000;

    private TrialRequest() {}

    /** The proxy server that takes the connection, null when none does, and why. */
    record Listener(@Nullable RuntimeServer server, String detail) {}

    /**
     * Returns which of the enabled proxy servers the request arrives at.
     *
     * @throws InvalidRequest when its URL names no host
     */
    static Listener listener(RouteTest test, Map<String, RuntimeServer> servers) {
        String wanted = test.proxyServerId();
        if (wanted != null) {
            RuntimeServer server = servers.get(wanted);
            return new Listener(
                    server,
                    server == null
                            ? "Proxy server \"" + wanted + "\" does not exist, or is disabled."
                            : wanted(server));
        }
        boolean whole = !test.url().startsWith("/");
        boolean https = test.url().regionMatches(true, 0, "https:", 0, 6);
        List<RuntimeServer> possible = new TreeMap<>(servers)
                .values().stream()
                        .filter(server -> isPossible(test, server, whole, https))
                        .toList();
        if (whole) {
            String authority = StreamTrial.isOfBytes(test) || RpcTrial.protocol(test) != null
                    ? StreamTrial.authority(test)
                    : RequestTarget.parse(test.url(), test.method()).authority();
            int port = Authority.parse(String.valueOf(authority), https || StreamTrial.isOf(test, "tls:"))
                    .port();
            for (RuntimeServer server : possible) {
                if (server.source().port() == port) {
                    return new Listener(server, wanted(server));
                }
            }
        }
        if (possible.size() == 1) {
            return new Listener(possible.getFirst(), wanted(possible.getFirst()));
        }
        return new Listener(
                null,
                possible.isEmpty()
                        ? "No proxy server is enabled" + (whole ? " that speaks " + spoken(test) + "." : ".")
                        : "Several proxy servers could take the connection ("
                                + possible.stream().map(RuntimeServer::id).collect(Collectors.joining(", "))
                                + "), and none listens on the port of the URL. Name a proxy server.");
    }

    private static boolean isPossible(RouteTest test, RuntimeServer server, boolean whole, boolean https) {
        if (StreamTrial.isOfBytes(test)) {
            return StreamTrial.isPossible(test, server);
        }
        Protocol framed = RpcTrial.protocol(test);
        if (framed != null) {
            return server.source().protocol() == framed;
        }
        return !StreamCheck.isStream(server.source()) && (!whole || isTls(server) == https);
    }

    private static String spoken(RouteTest test) {
        return test.url().substring(0, test.url().indexOf(':')).toUpperCase(Locale.ROOT);
    }

    private static String wanted(RuntimeServer server) {
        return "proxy server \"" + server.id() + "\"";
    }

    static boolean isTls(RuntimeServer server) {
        return server.source().protocol() == Protocol.HTTPS;
    }

    /**
     * Returns the head as it arrives at {@code server}.
     *
     * @throws InvalidRequest when it breaks a rule
     */
    static RequestHead head(RouteTest test, RuntimeServer server) {
        boolean tls = isTls(server);
        RequestTarget target = RequestTarget.parse(test.url(), test.method());
        String named = test.host() != null ? test.host() : target.authority();
        if (named == null) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "host");
        }
        Authority authority = Authority.parse(named, tls);
        FieldList fields = new FieldList();
        for (HeaderField field : test.headers()) {
            if (!field.name().equalsIgnoreCase("host")) {
                fields.add(field.name().toLowerCase(Locale.ROOT), field.value().strip());
            }
        }
        return new RequestHead(
                test.protocol() == RequestProtocol.HTTP_2 ? "HTTP/2" : "HTTP/1.1",
                tls,
                test.method(),
                authority.host(),
                authority.port(),
                authority.text(tls),
                target.path(),
                target.unmergedPath(),
                target.query(),
                fields,
                bodyBytes(fields.get("content-length")),
                Addresses.parse(test.clientAddress()),
                REMOTE_PORT,
                server.source().port());
    }

    private static long bodyBytes(@Nullable String length) {
        try {
            return length == null ? 0 : Math.max(0, Long.parseLong(length));
        } catch (NumberFormatException e) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "content-length");
        }
    }
}
