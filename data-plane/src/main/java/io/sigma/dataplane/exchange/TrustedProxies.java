package io.sigma.dataplane.exchange;

import io.sigma.value.AddressRange;
import io.sigma.value.TrustedAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The peers whose word on the client's address counts, and what of a client reaches no node, whoever sends it.
 * Immutable.
 */
public final class TrustedProxies {

    /** The field that tells a node the consumer that the client showed credentials of. */
    public static final String CONSUMER = "x-consumer-id";

    private final TrustedAddresses addresses;
    private final FieldNames reserved;
    private final boolean passesSessions;

    /**
     * @param reserved fields, in lower case, that nodes have from the gateway alone, whoever the peer is
     * @param passesSessions whether nodes are control planes, which get and set the cookie of the dashboard
     */
    public TrustedProxies(List<AddressRange> ranges, List<String> reserved, boolean passesSessions) {
        this.addresses = new TrustedAddresses(ranges);
        this.reserved = FieldNames.of(reserved.toArray(String[]::new));
        this.passesSessions = passesSessions;
    }

    /** Returns whether nodes have {@code fields}, and no others, from the gateway alone. */
    public boolean reserves(List<String> fields) {
        return reserved.all().equals(fields);
    }

    /**
     * Removes what the peer may not say of the client, before a route, a plugin or a node could believe it.
     *
     * @return whether what the peer says of the client is believed
     */
    public boolean strip(RequestHead request) {
        Fields fields = request.fields();
        fields.removeAll(reserved);
        boolean trusted = trusts(request.remoteAddress());
        if (!trusted && fields.mayHaveForwarding()) {
            fields.removeIf(ForwardingNames::isOne);
        }
        return trusted;
    }

    /**
     * Removes the session of the dashboard from a request, before anything looks at it: browsers send a cookie to every
     * port of a host.
     */
    public void stripSession(RequestHead request) {
        if (!passesSessions) {
            SessionFields.stripRequest(request.fields());
        }
    }

    /** Removes from a response, final or interim, what would give the client another session of the dashboard. */
    void stripSession(Fields response) {
        if (!passesSessions) {
            SessionFields.stripResponse(response);
        }
    }

    /** Removes from the trailers of a request what nodes have from the gateway alone. */
    public void stripTrailers(Fields trailers) {
        trailers.removeAll(reserved);
    }

    /**
     * Returns what a peer that is believed says of scheme, host and port; null for nothing that differs from its
     * request.
     */
    public @Nullable Origin originOf(RequestHead request) {
        Fields fields = request.fields();
        if (!OriginReader.says(fields)) {
            return null;
        }
        InetAddress peer = request.remoteAddress();
        return OriginReader.read(
                request,
                addresses.hopsBehind(peer, fields.all("x-forwarded-for"), UnaryOperator.identity()),
                addresses.hopsBehind(peer, fields.all("forwarded"), TrustedProxies::forParameter));
    }

    /** Returns whether what {@code peer} says is believed. */
    public boolean trusts(InetAddress peer) {
        return addresses.contains(peer);
    }

    /**
     * Returns the address of the client: the peer, unless that is trusted; then the nearest hop that is not, by
     * X-Forwarded-For, or where that is absent by Forwarded (RFC 7239). A hop that is no address ends the search.
     */
    public InetAddress clientOf(RequestHead request) {
        InetAddress peer = request.remoteAddress();
        if (addresses.isEmpty()) {
            return peer;
        }
        List<String> hops = request.fields().all("x-forwarded-for");
        return hops.isEmpty()
                ? addresses.clientBehind(peer, request.fields().all("forwarded"), TrustedProxies::forParameter)
                : addresses.clientBehind(peer, hops, UnaryOperator.identity());
    }

    /** Returns the value of {@code for} in an element of Forwarded; empty when there is none. */
    public static String forParameter(String element) {
        String value = OriginReader.parameter(element, "for");
        return value == null ? "" : value;
    }
}
