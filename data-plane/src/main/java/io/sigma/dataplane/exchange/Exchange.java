package io.sigma.dataplane.exchange;

import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Prefetched;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer: the head, the client's side, the changes of the request, and, from {@link ExchangeRecord},
 * the measurements for the log and the metrics. Confined to the event loop of the client's connection.
 */
public final class Exchange extends ExchangeRecord implements Prefetched {

    private static final int ATTRIBUTE_SLOTS = 8;

    /** No bound on the time that the exchange may take. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    private RequestHead request;
    private final Downstream downstream;
    private final int loop;

    private String path;
    private @Nullable String query;
    private @Nullable TrustedProxies trusted;
    private @Nullable InetAddress clientAddress;
    private @Nullable Origin origin;
    /** Field names in the Connection field. Trailers with these names are not passed on. */
    private Set<String> connectionOptions = Set.of();
    /** Of which {@link #clientKey} is the number; mostly the same one for all requests of a connection. */
    @Kept("says whose number clientKey is")
    private @Nullable InetAddress keyed;

    @Kept("a number of keyed, whoever asks")
    private long clientKey;

    private long bodyBytesMax = Long.MAX_VALUE;
    private long limitMillis = NO_LIMIT;

    @Kept("false, as one that is shared is not used again")
    private boolean shared;
    /** The object that rewrote a path last, maybe the path of an earlier request, and the result; null for none. */
    @Kept("says what rewritten was made with")
    private @Nullable Object rewriter;

    @Kept("says what rewritten was made of")
    private String rewrittenFrom = "";

    @Kept("follows from rewriter and rewrittenFrom")
    private String rewritten = "";
    // Keys and values by turns; there are few, and most exchanges have none.
    @Kept("emptied")
    private @Nullable Object @Nullable [] attributes;

    /**
     * @param loop index of the event loop, from 0
     * @param startNanos when the head was complete, by {@link System#nanoTime()}
     */
    public Exchange(RequestHead request, Downstream downstream, int loop, long startNanos) {
        this.request = request;
        this.downstream = downstream;
        this.loop = loop;
        this.path = request.path();
        this.query = request.query();
        begin(request, startNanos);
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? status() + (int) startNanos() + (query == null ? 1 : 0) : 0;
    }

    /**
     * Makes an exchange that is over, and that is not {@link #isShared()}, the one of another request of the same
     * client.
     *
     * @param nanos when the head was complete, by {@link System#nanoTime()}
     */
    public void again(RequestHead head, long nanos) {
        request = head;
        clear();
        begin(head, nanos);
        path = head.path();
        query = head.query();
        trusted = null;
        clientAddress = null;
        origin = null;
        connectionOptions = Set.of();
        bodyBytesMax = Long.MAX_VALUE;
        limitMillis = NO_LIMIT;
        if (attributes != null) {
            Arrays.fill(attributes, null);
        }
    }

    /**
     * Notes that something may still look at the exchange when it is over: a task, a copy of the request, a further
     * try.
     */
    public void share() {
        shared = true;
    }

    /** Returns whether {@link #share} was called. */
    public boolean isShared() {
        return shared;
    }

    public RequestHead request() {
        return request;
    }

    public Downstream downstream() {
        return downstream;
    }

    /** Keeps the empty segments of the path from now on, as the router wants it. */
    public void keepSlashes() {
        request = request.unmerged();
        path = request.path();
    }

    /** Sets whose word on the client's address counts; none until then. */
    public void trust(TrustedProxies proxies) {
        trusted = proxies;
        clientAddress = null;
    }

    /** Notes what a trusted peer says that the client asked for; null for nothing. */
    public void origin(@Nullable Origin said) {
        origin = said;
    }

    /** Returns whether the client came by https: by its connection, or by what a trusted peer says. */
    public boolean tls() {
        Origin said = origin;
        return said == null ? request.tls() : said.tls();
    }

    /** Returns the scheme of {@link #tls}. */
    public String scheme() {
        return Origin.scheme(tls());
    }

    /** Returns the host that the client asked for, without a port; routers are chosen by that of the request. */
    public String host() {
        Origin said = origin;
        return said == null ? request.host() : said.host();
    }

    /** Returns the host that the client asked for, with its port unless it is that of the scheme. */
    public String authority() {
        Origin said = origin;
        return said == null ? request.authority() : said.authority();
    }

    /** Returns the same; its port is that of the connection if a trusted peer says so. */
    public String fullAuthority() {
        Origin said = origin;
        return said == null ? request.authority() : said.fullAuthority();
    }

    /** Returns the port that the client connected to. */
    public int localPort() {
        Origin said = origin;
        return said == null ? request.localPort() : said.port();
    }

    /** Notes what Connection named before it was removed. */
    public void connectionOptions(Set<String> names) {
        connectionOptions = names;
    }

    /**
     * Removes from the trailers of the request what was meant for the gateway, and what nodes have from the gateway
     * alone.
     */
    public void stripTrailers(Fields trailers) {
        ConnectionFields.stripNamed(trailers, connectionOptions);
        if (trusted != null) {
            trusted.stripTrailers(trailers);
        }
    }

    /** Removes from a response, final or interim, what neither a node nor the configuration may tell the client. */
    public void stripAnswer(Fields fields) {
        if (trusted != null) {
            trusted.stripSession(fields);
        }
    }

    /** Returns the address of the client, seen through the proxies that are trusted. */
    public InetAddress clientAddress() {
        InetAddress known = clientAddress;
        if (known == null) {
            known = trusted == null ? request.remoteAddress() : trusted.clientOf(request);
            clientAddress = known;
        }
        return known;
    }

    /** Returns the number of {@link #clientAddress()}, see {@link ClientKey}. */
    @SuppressWarnings("ReferenceEquality") // An equal one has the same number.
    public long clientKey() {
        InetAddress address = clientAddress();
        if (address != keyed) {
            keyed = address;
            clientKey = ClientKey.of(address);
        }
        return clientKey;
    }

    /**
     * Returns the subject of the client's certificate (RFC 2253), null when it showed none. One that could not be
     * verified ended the connection.
     */
    public @Nullable String clientSubject() {
        return downstream.clientSubject();
    }

    /** Returns the index of the event loop, by which per-loop state is found. */
    public int loop() {
        return loop;
    }

    /** Returns the path that the node receives, before the prefix of the node. */
    public String path() {
        return path;
    }

    /**
     * Rewrites the path that the node receives, and remembers that for {@link #rewriteAgain}.
     *
     * @param by what it makes of a path depends on nothing else
     */
    public void rewrite(Object by, String to) {
        rewriter = by;
        rewrittenFrom = path;
        rewritten = to;
        path = to;
    }

    /**
     * Rewrites the path as {@code by} did last, when that was of the same text: most requests of a client ask for what
     * the one before asked for.
     *
     * @return whether it is rewritten
     */
    @SuppressWarnings("ReferenceEquality") // Texts that come again are the same object, and others are rewritten again.
    public boolean rewriteAgain(Object by) {
        boolean same = rewriter == by && rewrittenFrom == path;
        if (same) {
            path = rewritten;
        }
        return same;
    }

    /** Returns the query that the node receives, without the question mark; null when there is none. */
    public @Nullable String query() {
        return query;
    }

    /** Rewrites the query that the node receives. */
    public void query(@Nullable String rewritten) {
        query = rewritten;
    }

    /** Returns the largest body that the request may have, in bytes. */
    public long bodyBytesMax() {
        return bodyBytesMax;
    }

    public void bodyBytesMax(long max) {
        bodyBytesMax = max;
    }

    /** Returns how long the whole exchange may take by the client's wish, in milliseconds from its start. */
    public long limitMillis() {
        return limitMillis;
    }

    public void limitMillis(long max) {
        limitMillis = max;
    }

    /** Returns what a filter remembered under {@code key}, null when nothing. */
    public <T> @Nullable T get(AttributeKey<T> key) {
        @Nullable Object[] pairs = attributes;
        for (int i = 0; pairs != null && i < pairs.length && pairs[i] != null; i += 2) {
            Object value = pairs[i + 1];
            if (pairs[i] == key && value != null) {
                return key.cast(value);
            }
        }
        return null;
    }

    /** Remembers {@code value} until the exchange is over; null forgets. */
    public <T> void put(AttributeKey<T> key, @Nullable T value) {
        if (attributes == null && value == null) {
            return;
        }
        @Nullable Object[] pairs = attributes == null ? new @Nullable Object[ATTRIBUTE_SLOTS] : attributes;
        int i = 0;
        while (i < pairs.length && pairs[i] != null && pairs[i] != key) {
            i += 2;
        }
        if (i == pairs.length) {
            pairs = Arrays.copyOf(pairs, i + ATTRIBUTE_SLOTS);
        }
        pairs[i] = key;
        pairs[i + 1] = value;
        attributes = pairs;
    }
}
