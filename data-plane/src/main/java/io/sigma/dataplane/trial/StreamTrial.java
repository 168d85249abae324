package io.sigma.dataplane.trial;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.Protocol;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.value.Addresses;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is tried out: which router passes its bytes on, and to which nodes. The table is that of traffic.
 * Confined to one thread.
 */
final class StreamTrial {

    private final RouteTest test;
    private final RuntimeServer server;
    private final Function<NodeEndpoint, NodeEndpoint> running;

    /**
     * @param server that accepts the connection
     * @param running finds the node that runs for one of a snapshot that does not
     */
    StreamTrial(RouteTest test, RuntimeServer server, Function<NodeEndpoint, NodeEndpoint> running) {
        this.test = test;
        this.server = server;
        this.running = running;
    }

    /** Returns whether the test is about a connection without HTTP. */
    static boolean isOfBytes(RouteTest test) {
        return isOf(test, "tcp:") || isOf(test, "tls:");
    }

    static boolean isOf(RouteTest test, String scheme) {
        return test.url().regionMatches(true, 0, scheme, 0, scheme.length());
    }

    /** Returns whether connections to {@code server} are ones that the URL can name. */
    static boolean isPossible(RouteTest test, RuntimeServer server) {
        Protocol protocol = server.source().protocol();
        if (isOf(test, "tcp:")) {
            return protocol == Protocol.TCP;
        }
        return protocol == Protocol.TLS
                || (protocol == Protocol.TCP && server.source().tls() != null)
                || (protocol == Protocol.HTTPS && !server.streams().entries().isEmpty());
    }

    /** Returns what follows the scheme of the URL: a host with an optional port. */
    static String authority(RouteTest test) {
        String rest = test.url().substring(test.url().indexOf("://") + 3);
        int end = rest.indexOf('/');
        return end < 0 ? rest : rest.substring(0, end);
    }

    /** Fills {@code result}; returns null where the gateway decrypts the connection and HTTP follows. */
    @Nullable
    RouteTestResult run(RouteTestResult.Builder result) {
        Protocol protocol = server.source().protocol();
        String name = protocol == Protocol.TCP && server.source().tls() == null ? null : serverName();
        // Of a connection that it decrypts, the gateway agrees on no protocol.
        List<String> offered = protocol == Protocol.TCP ? List.of() : test.alpn();
        StreamRouter router = server.streams().find(name, offered, Addresses.parse(test.clientAddress()));
        String asked = name == null ? "without a server name" : "for \"" + name + "\"";
        if (router != null) {
            return result.routerId(router.id())
                    .proxyPassId(router.source().proxyPassId())
                    .upstreams(CandidateNodes.ofBytes(router.pass(), running))
                    .outcome(RouteTestOutcome.FORWARDED)
                    .detail("Router \"" + router.id() + "\" takes the connection " + asked
                            + (protocol == Protocol.TCP ? "." : " and does not decrypt it."))
                    .build();
        }
        if (StreamCheck.isStream(server.source())) {
            return result.outcome(RouteTestOutcome.REFUSED)
                    .detail("No router takes the connection " + asked + ", so the gateway closes it.")
                    .build();
        }
        return isOfBytes(test)
                ? result.outcome(RouteTestOutcome.ANSWERED)
                        .detail("The gateway decrypts the connection " + asked
                                + ", and HTTP follows: test it with an https URL.")
                        .build()
                : null;
    }

    private @Nullable String serverName() {
        String asked = test.sni();
        if (asked == null) {
            asked = test.host();
        }
        if (asked == null && !test.url().startsWith("/")) {
            asked = authority(test);
        }
        if (asked == null) {
            return null;
        }
        int colon = asked.startsWith("[") ? -1 : asked.lastIndexOf(':');
        String name = HostPattern.normalise((colon < 0 ? asked : asked.substring(0, colon)).toLowerCase(Locale.ROOT));
        // Addresses are no server names (RFC 6066 §3).
        return !isAddress(name) && HostPattern.isHost(name) ? name : null;
    }

    private static boolean isAddress(String name) {
        try {
            Addresses.parse(name);
            return true;
        } catch (InvalidValue e) {
            return name.startsWith("[");
        }
    }
}
