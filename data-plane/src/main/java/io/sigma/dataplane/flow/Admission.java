package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ForwardingNames;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.Lookup;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.model.ServerTls;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a request before its filters see it. {@code ExchangeHandler} calls it for traffic, and {@code
 * trial.RouteTrial} for requests that are only tried out.
 */
public final class Admission {

    private static final String EXPECT = "expect";
    private static final String CONTINUE = "100-continue";

    private Admission() {}

    /** Returns why the gateway takes no such request, null when it does. */
    public static @Nullable ErrorKind refusal(RuntimeServer server, RequestHead request) {
        if (request.method().equals("CONNECT") || request.method().equals("TRACE")) {
            return ErrorKind.METHOD_NOT_ALLOWED;
        }
        if (request.fields().contains(EXPECT) && !expectsContinueOnly(request.fields())) {
            return ErrorKind.EXPECTATION;
        }
        return request.bodyBytes() > server.bodyBytesMax() ? ErrorKind.BODY_TOO_LARGE : null;
    }

    /** Expect is a list (RFC 9110 §10.1.1), which may have several lines and empty elements (§5.6.1.2). */
    private static boolean expectsContinueOnly(Fields fields) {
        for (String line : fields.all(EXPECT)) {
            for (String item : line.split(",", -1)) {
                String expectation = item.strip();
                if (!expectation.isEmpty() && !expectation.equalsIgnoreCase(CONTINUE)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * HTTP/1.0 has no expectations, and nobody waits before content that does not follow (RFC 9110 §10.1.1). A list of
     * nothing is none.
     *
     * @return whether one was removed
     */
    private static boolean removeVainExpectation(RequestHead request) {
        Fields fields = request.fields();
        if (!fields.contains(EXPECT)) {
            return false;
        }
        boolean vain = !request.hasBody() || request.protocol().equals("HTTP/1.0") || !fields.contains(EXPECT, "100-");
        if (vain) {
            fields.remove(EXPECT);
        } else if (fields.count(EXPECT) > 1 || !CONTINUE.equalsIgnoreCase(fields.get(EXPECT))) {
            // A list that says it several times, which nodes refuse that read one value.
            fields.set(EXPECT, CONTINUE);
        }
        return vain;
    }

    /**
     * Removes the fields that are of the connection, and those that this client may not set; sets the one that tells
     * nodes of the client's certificate, after that, since the client may name it in Connection.
     *
     * @return the protocol that the client asks to switch to; null for none
     * @throws InvalidRequest when they break a rule
     */
    public static @Nullable String strip(RuntimeServer server, Exchange exchange) {
        RequestHead request = exchange.request();
        boolean waits = removeVainExpectation(request);
        Set<String> options = ConnectionFields.options(request.fields());
        if (request.hasBody()) {
            exchange.connectionOptions(options);
        }
        if (!options.isEmpty() && server.trusted().trusts(request.remoteAddress())) {
            refuseHiding(options);
        }
        String wanted = ConnectionFields.stripRequest(
                request.fields(), server.source().limits().fieldsMax());
        if (server.trusted().strip(request)) {
            exchange.origin(server.trusted().originOf(request));
        }
        String subject = exchange.clientSubject();
        ServerTls tls = subject == null ? null : server.source().tls();
        if (subject != null && tls != null && tls.clientSubjectHeader() != null) {
            request.fields().set(tls.clientSubjectHeader(), printable(subject));
        }
        // HTTP/1.0 has no such wish (RFC 9110 §7.8), and the handshake of a WebSocket no content. Other protocols begin
        // behind the content.
        if (wanted == null
                || request.protocol().equals("HTTP/1.0")
                || (request.hasBody() && wanted.equalsIgnoreCase("websocket"))) {
            return null;
        }
        if (waits && request.protocol().equals("HTTP/1.1")) {
            exchange.put(Attributes.AWAITS_SWITCH, true);
        }
        return wanted;
    }

    /**
     * Refuses what would take away the word of a trusted peer: its client wrote it, to be taken for the peer.
     *
     * @param options that Connection lists
     */
    private static void refuseHiding(Set<String> options) {
        for (String option : options) {
            if (ForwardingNames.isOne(option)) {
                throw new InvalidRequest(ErrorKind.BAD_REQUEST, "Connection: " + option);
            }
        }
    }

    /** A name may hold any character; a field value may not. */
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.chars().forEach(c -> printable.append(c >= ' ' && c < 0x7f ? (char) c : '?'));
        return printable.toString();
    }

    /**
     * Returns the route that takes the request of {@code exchange}, which is that of {@code lookup}; null when none
     * does.
     */
    public static @Nullable RuntimeRoute match(RuntimeServer server, Exchange exchange, Lookup lookup) {
        RequestHead request = exchange.request();
        String asked =
                request.method().equals("OPTIONS") ? request.fields().get("access-control-request-method") : null;
        if (asked != null && request.fields().contains("origin")) {
            // A preflight is about the request that will follow, so it is answered where that one would be.
            RuntimeRoute target = server.table().match(request, exchange.clientAddress(), asked);
            if (target != null && target.filters().answersPreflight()) {
                return target;
            }
        }
        return server.table().match(lookup);
    }
}
