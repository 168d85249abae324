package io.sigma.dataplane.trial;

import io.sigma.dataplane.match.RpcSubject;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeServer.StreamRouter;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.HeaderField;
import io.sigma.model.Protocol;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.value.Addresses;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request in a frame that is tried out: which router takes it, and to which nodes it may go. The table is that of
 * traffic. The path of the URL has the service, or class, and then the method. Confined to one thread.
 */
final class RpcTrial {

    /** In the order of {@link #SCHEMES}. */
    private static final List<Protocol> PROTOCOLS = List.of(Protocol.BOLT, Protocol.DUBBO, Protocol.THRIFT);

    private static final List<String> SCHEMES = List.of("bolt:", "dubbo:", "thrift:");

    private final RouteTest test;
    private final RuntimeServer server;
    private final Function<NodeEndpoint, NodeEndpoint> running;

    /**
     * @param server that accepts the connection, and takes requests in frames
     * @param running finds the node that runs for one of a snapshot that does not
     */
    RpcTrial(RouteTest test, RuntimeServer server, Function<NodeEndpoint, NodeEndpoint> running) {
        this.test = test;
        this.server = server;
        this.running = running;
    }

    /** Returns the protocol that the URL names; null for none of those whose messages are frames. */
    static @Nullable Protocol protocol(RouteTest test) {
        for (int i = 0; i < SCHEMES.size(); i++) {
            if (StreamTrial.isOf(test, SCHEMES.get(i))) {
                return PROTOCOLS.get(i);
            }
        }
        return null;
    }

    /**
     * The request of the test, from its URL and header pairs.
     *
     * @param asked has the pairs; null where the protocol has none
     */
    private record Subject(
            String service, String method, @Nullable RouteTest asked) implements RpcSubject {

        @Override
        public @Nullable String header(String name) {
            if (asked == null) {
                return null;
            }
            for (HeaderField field : asked.headers()) {
                if (field.name().equals(name)) {
                    return field.value();
                }
            }
            return null;
        }
    }

    private Subject subject() {
        String url = test.url();
        int path = url.indexOf('/', url.startsWith("/") ? 0 : url.indexOf("://") + 3);
        String rest = path < 0 ? "" : url.substring(path + 1);
        int slash = rest.indexOf('/');
        String service = text(slash < 0 ? rest : rest.substring(0, slash));
        // Bolt has no method, and only Bolt has header pairs.
        return server.source().protocol() == Protocol.BOLT
                ? new Subject(service, "", test)
                : new Subject(service, slash < 0 ? "" : text(rest.substring(slash + 1)), null);
    }

    /** Returns what stands in a URL, which is left as it is where its encoding is not valid. */
    private static String text(String encoded) {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return encoded;
        }
    }

    /** Fills {@code result}. */
    RouteTestResult run(RouteTestResult.Builder result) {
        Subject subject = subject();
        StreamRouter router = server.rpc().find(subject, Addresses.parse(test.clientAddress()));
        String asked = (subject.service.isEmpty() ? "without a service" : "for \"" + subject.service + "\"")
                + (subject.method.isEmpty() ? "" : ", method \"" + subject.method + "\"");
        if (router == null) {
            return result.outcome(RouteTestOutcome.REFUSED)
                    .detail("No router takes the request " + asked + ", so the gateway answers with an error.")
                    .build();
        }
        return result.routerId(router.id())
                .proxyPassId(router.source().proxyPassId())
                .upstreams(CandidateNodes.ofBytes(router.pass(), running))
                .outcome(RouteTestOutcome.FORWARDED)
                .detail("Router \"" + router.id() + "\" takes the request " + asked + ".")
                .build();
    }
}
