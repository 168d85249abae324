package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.sigma.dataplane.exchange.Fields;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What the encoder of Netty iterates over to write one block of fields. It may be used for another one once that is
 * written. Confined to the event loop.
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
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    private static final int FIELDS_INITIAL = 16;

    private final NameCache known;
    private CharSequence[] pairs = new CharSequence[FIELDS_INITIAL * 2];
    private int length;
    private @Nullable AsciiString status;

    OutgoingHead(NameCache known) {
        this.known = known;
    }

    /** Forgets what was there before, and takes the head of a response. */
    public OutgoingHead response(int code, Fields fields) {
        length = 0;
        AsciiString text = HttpResponseStatus.valueOf(code).codeAsText();
        status = text;
        put(STATUS, text);
        fields.forEach(this::field);
        return this;
    }

    /**
     * Forgets what was there before, and takes the head of a request.
     *
     * @param fields without Host, in whose place {@code authority} is sent
     */
    public OutgoingHead request(String method, String scheme, String authority, String path, Fields fields) {
        length = 0;
        status = null;
        put(METHOD, method);
        put(SCHEME, scheme);
        put(AUTHORITY, authority);
        put(PATH, path);
        fields.forEach(this::field);
        String te = fields.get("te");
        if (te != null && te.equalsIgnoreCase("trailers")) {
            put(TE, TRAILERS);
        }
        return this;
    }

    /** Forgets what was there before, and takes an extended CONNECT for WebSocket (RFC 8441 §5). */
    public OutgoingHead webSocket(String scheme, String authority, String path, Fields fields) {
        request("CONNECT", scheme, authority, path, fields);
        CharSequence[] all = pairs.length < length + 2 ? Arrays.copyOf(pairs, length + 2) : pairs;
        // Pseudo-fields come first (RFC 9113 §8.3).
        System.arraycopy(all, 0, all, 2, length);
        all[0] = PROTOCOL;
        all[1] = WEBSOCKET;
        pairs = all;
        length += 2;
        return this;
    }

    /** Forgets what was there before, and takes trailers. */
    public OutgoingHead trailers(Fields fields) {
        length = 0;
        status = null;
        fields.forEach(this::field);
        return this;
    }

    /** Takes a field, whoever made it, unless it is one that HTTP/2 has no place for (RFC 9113 §8.2.2). */
    private void field(String name, String value) {
        CharSequence lower = known.lower(name);
        if (lower != null) {
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
