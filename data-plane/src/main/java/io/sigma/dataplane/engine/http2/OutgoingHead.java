package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A field block for the encoder of Netty. {@code FrameLink} and {@code NodeFrames} keep an object each and fill it for
 * each head. It may be filled again once the head before is written. Confined to the event loop.
 */
public final class OutgoingHead extends BlockHead {

    private static final AsciiString STATUS = Http2Headers.PseudoHeaderName.STATUS.value();
    private static final AsciiString METHOD = Http2Headers.PseudoHeaderName.METHOD.value();
    private static final AsciiString SCHEME = Http2Headers.PseudoHeaderName.SCHEME.value();
    private static final AsciiString AUTHORITY = Http2Headers.PseudoHeaderName.AUTHORITY.value();
    private static final AsciiString PATH = Http2Headers.PseudoHeaderName.PATH.value();
    private static final AsciiString PROTOCOL = Http2Headers.PseudoHeaderName.PROTOCOL.value();
    private static final AsciiString WEBSOCKET = AsciiString.cached("websocket");
    private static final AsciiString TE = AsciiString.cached("te");
    /** Of the handshake on HTTP/1.1, where the request may be sent again (RFC 8441 §5). */
    private static final String WEBSOCKET_KEY = "sec-websocket-key";

    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "proxy-authorization");
    private static final int FIELDS_INITIAL = 16;

    private final NameCache known;
    private CharSequence[] pairs = new CharSequence[FIELDS_INITIAL * 2];
    private int length;
    private @Nullable AsciiString status;
    /** At which of {@link #pairs} fields begin that no table of compression may hold. */
    private final BitSet neverIndexed = new BitSet();
    /** The field that is being encoded. */
    private int encoding;

    OutgoingHead(NameCache known) {
        this.known = known;
    }

    /** Forgets what was there before, and takes the head of a response. */
    public OutgoingHead response(int code, Fields fields) {
        forget();
        AsciiString text = HttpResponseStatus.valueOf(code).codeAsText();
        status = text;
        put(STATUS, text);
        fields.forEach((name, value) -> field(name, value, fields.isNeverIndexed(name)));
        return this;
    }

    /**
     * Forgets what was there before, and takes the head of a request.
     *
     * @param fields without Host, in whose place {@code authority} is sent
     */
    public OutgoingHead request(String method, String scheme, String authority, String path, Fields fields) {
        begin(method, scheme, authority, path);
        fields.forEach((name, value) -> requestField(name, value, fields));
        String te = fields.get("te");
        if (te != null && te.equalsIgnoreCase("trailers")) {
            put(TE, TRAILERS);
        }
        return this;
    }

    /** Forgets what was there before, and takes an extended CONNECT for WebSocket (RFC 8441 §5). */
    public OutgoingHead webSocket(String scheme, String authority, String path, Fields fields) {
        begin("CONNECT", scheme, authority, path);
        put(PROTOCOL, WEBSOCKET);
        fields.forEach((name, value) -> {
            if (!name.equalsIgnoreCase(WEBSOCKET_KEY)) {
                requestField(name, value, fields);
            }
        });
        return this;
    }

    private void begin(String method, String scheme, String authority, String path) {
        forget();
        put(METHOD, method);
        put(SCHEME, scheme);
        put(AUTHORITY, authority);
        put(PATH, path);
    }

    /** Forgets what was there before, and takes trailers. */
    public OutgoingHead trailers(Fields fields) {
        forget();
        fields.forEach((name, value) -> field(name, value, fields.isNeverIndexed(name)));
        return this;
    }

    private void forget() {
        length = 0;
        status = null;
        neverIndexed.clear();
    }

    /** Connections to nodes are shared by clients, whose credentials no table is to hold (RFC 7541 §7.1.3). */
    private void requestField(String name, String value, Fields fields) {
        field(name, value, CREDENTIALS.contains(FieldNames.lower(name)) || fields.isNeverIndexed(name));
    }

    /** Takes a field, whoever made it, unless it is one that HTTP/2 has no place for (RFC 9113 §8.2.2). */
    private void field(String name, String value, boolean never) {
        CharSequence lower = known.lower(name);
        if (lower != null) {
            if (never) {
                neverIndexed.set(length);
            }
            put(lower, value);
        }
    }

    private void put(CharSequence name, CharSequence value) {
        if (length == pairs.length) {
            pairs = Arrays.copyOf(pairs, length * 2);
        }
        pairs[length] = name;
        pairs[length + 1] = value;
        length += 2;
    }

    /** Returns whether no table of compression may hold the field that is being encoded. */
    boolean isNeverIndexed() {
        return neverIndexed.get(encoding);
    }

    @Override
    public int size() {
        return length / 2;
    }

    @Override
    public boolean isEmpty() {
        return length == 0;
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
        return new Fieldwise();
    }

    /** Each field in turn, as an entry that holds until the next one. */
    private final class Fieldwise
            implements Iterator<Map.Entry<CharSequence, CharSequence>>, Map.Entry<CharSequence, CharSequence> {

        private int at = -2;

        @Override
        public boolean hasNext() {
            return at + 2 < length;
        }

        @Override
        public Map.Entry<CharSequence, CharSequence> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            at += 2;
            encoding = at;
            return this;
        }

        @Override
        public CharSequence getKey() {
            return pairs[at];
        }

        @Override
        public CharSequence getValue() {
            return pairs[at + 1];
        }

        @Override
        public CharSequence setValue(CharSequence value) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public @Nullable CharSequence status() {
        return status;
    }
}
