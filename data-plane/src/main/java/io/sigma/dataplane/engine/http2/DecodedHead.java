package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one block as the decoder of Netty hands them over, checked one by one (RFC 9113 §8.2, §8.3). A text is
 * made once of what the compression of the connection repeats. What only a sender of fields needs is not there.
 * Confined to the event loop.
 */
public final class DecodedHead extends BlockHead {

    /** The overhead of a field beside its name and value (RFC 9113 §6.5.2), in octets. */
    private static final int FIELD_BYTES = 32;

    private static final List<Map.Entry<CharSequence, CharSequence>> OF_REQUEST = List.of(Map.entry(":method", ""));
    private static final List<Map.Entry<CharSequence, CharSequence>> OF_RESPONSE = List.of(Map.entry(":status", ""));

    private final Http2Fields fields = new Http2Fields();
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable String status;
    private boolean lengthSaid;
    private int bytes;
    private final boolean connecting;
    /** Indexes of the fields that a compression table must not hold. Null if there are none. */
    private final @Nullable BitSet neverIndexed;
    /** The number of fields that have arrived. */
    private int seen;

    /**
     * @param connecting whether it answers a CONNECT
     * @param neverIndexed the numbers of the fields that no table of compression may hold; null for none
     */
    DecodedHead(boolean connecting, @Nullable BitSet neverIndexed) {
        this.connecting = connecting;
        this.neverIndexed = neverIndexed;
    }

    public Http2Fields fields() {
        return fields;
    }

    /** Returns how long the block is as RFC 9113 §6.5.2 counts, in octets. */
    int bytes() {
        return bytes;
    }

    @Nullable
    String methodText() {
        return method;
    }

    @Nullable
    String schemeText() {
        return scheme;
    }

    @Nullable
    String authorityText() {
        return authority;
    }

    @Nullable
    String pathText() {
        return path;
    }

    /** Returns the protocol of an extended CONNECT (RFC 8441 §4). */
    @Nullable
    String protocolText() {
        return protocol;
    }

    @Nullable
    public String statusText() {
        return status;
    }

    /** Returns whether it has no pseudo-field except {@code :status}. */
    public boolean isOfResponse() {
        return status != null && pseudoFields() == 1;
    }

    /**
     * @throws IllegalArgumentException when the field makes the message malformed; the decoder ends its stream over it
     */
    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        String text = value.toString();
        int number = seen++;
        bytes += name.length() + text.length() + FIELD_BYTES;
        if (name.length() > 0 && name.charAt(0) == ':') {
            pseudo(name.toString(), text);
            return this;
        }
        checkName(name);
        checkValue(value);
        if (HttpHeaderNames.CONTENT_LENGTH.contentEquals(name)) {
            checkLength(text);
        }
        fields.received(name.toString(), text);
        if (neverIndexed != null && neverIndexed.get(number)) {
            fields.neverIndexed(name.toString());
        }
        return this;
    }

    private void checkName(CharSequence name) {
        boolean token = name.length() > 0 && HttpHeaderValidationUtil.validateToken(name) < 0;
        for (int i = 0; token && i < name.length(); i++) {
            char c = name.charAt(i);
            token = !AsciiString.isUpperCase(c);
            if (c == '_') {
                fields.underscored();
            }
        }
        if (!token) {
            throw new IllegalArgumentException("a field name that is not a token in lower case");
        }
    }

    private static void checkValue(CharSequence value) {
        if (HttpHeaderValidationUtil.validateValidHeaderValue(value) >= 0) {
            throw new IllegalArgumentException("a character that no field value has");
        }
        int length = value.length();
        if (length > 0 && value.charAt(length - 1) <= ' ') {
            // White space in front is refused above (RFC 9113 §8.2.1).
            throw new IllegalArgumentException("white space at the end of a field value");
        }
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new IllegalArgumentException("a character that no field value has");
            }
        }
    }

    /** As on HTTP/1.1, no list is taken, not even one of equal numbers (RFC 9110 §8.6). */
    private void checkLength(String value) {
        boolean number = !lengthSaid && !value.isEmpty();
        for (int i = 0; number && i < value.length(); i++) {
            char c = value.charAt(i);
            number = c >= '0' && c <= '9';
        }
        if (!number) {
            throw new IllegalArgumentException("a length that is not one number");
        }
        lengthSaid = true;
    }

    private void pseudo(String name, String value) {
        String before;
        switch (name) {
            case ":method" -> {
                before = method;
                method = value;
            }
            case ":scheme" -> {
                before = scheme;
                scheme = value;
            }
            case ":authority" -> {
                before = authority;
                authority = value;
            }
            case ":path" -> {
                before = path;
                path = value;
            }
            case ":protocol" -> {
                before = protocol;
                protocol = value;
            }
            case ":status" -> {
                before = status;
                status = value;
            }
            default -> throw new IllegalArgumentException("an unknown pseudo-field");
        }
        if (before != null || value.isEmpty()) {
            throw new IllegalArgumentException("a pseudo-field that is empty or twice there");
        }
    }

    // --- What the decoder asks

    @Override
    public List<CharSequence> getAll(CharSequence name) {
        // It looks for the length of the body in each head. A 2xx to CONNECT has no body (RFC 9110 §9.3.6).
        boolean tunnel = connecting && status != null && status.startsWith("2");
        return lengthSaid && !tunnel ? new ArrayList<>(fields.all(name.toString())) : List.of();
    }

    @Override
    public Http2Headers setLong(CharSequence name, long value) {
        fields.set(name.toString(), String.valueOf(value));
        return this;
    }

    @Override
    public int size() {
        return fields.size() + pseudoFields();
    }

    private int pseudoFields() {
        int count = method == null ? 0 : 1;
        count += scheme == null ? 0 : 1;
        count += authority == null ? 0 : 1;
        count += path == null ? 0 : 1;
        count += protocol == null ? 0 : 1;
        return status == null ? count : count + 1;
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Returns one pseudo-field at most, as the decoder looks for nothing else: for any in a trailer section, and for
     * that of a response in the head of a request.
     */
    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
        if (pseudoFields() == 0) {
            return Collections.emptyIterator();
        }
        return (status == null ? OF_REQUEST : OF_RESPONSE).iterator();
    }

    @Override
    public @Nullable CharSequence method() {
        return method;
    }

    @Override
    public @Nullable CharSequence scheme() {
        return scheme;
    }

    @Override
    public @Nullable CharSequence authority() {
        return authority;
    }

    @Override
    public @Nullable CharSequence path() {
        return path;
    }

    @Override
    public @Nullable CharSequence status() {
        return status;
    }

    @Override
    public Iterator<CharSequence> valueIterator(CharSequence name) {
        return getAll(name).iterator();
    }
}
