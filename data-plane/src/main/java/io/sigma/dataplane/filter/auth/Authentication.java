package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cooperation of the authenticating filters: each looks for credentials of its kind and, when there are none,
 * leaves the request to the next one. {@link AuthenticationGate}, after the last, refuses a client without credentials.
 */
final class Authentication {

    /** Present once a filter has accepted the client's credentials. */
    private static final AttributeKey<Boolean> DONE = AttributeKey.of(Boolean.class, "authenticated");

    /** The missing credentials, for {@code www-authenticate}. */
    private static final AttributeKey<String> CHALLENGE = AttributeKey.of(String.class, "challenge");

    private Authentication() {}

    static boolean isDone(Exchange exchange) {
        return exchange.get(DONE) != null;
    }

    /**
     * Returns the credentials of {@code scheme} that the client shows (RFC 9110 §11.6.2); null when it shows none.
     *
     * @param scheme with the space that follows it
     * @param hides whether nodes do not get to see them
     */
    static @Nullable String credentials(Exchange exchange, String scheme, boolean hides) {
        String sent = exchange.request().fields().only("authorization");
        if (sent == null || !sent.regionMatches(true, 0, scheme, 0, scheme.length())) {
            return null;
        }
        if (hides) {
            exchange.request().fields().remove("authorization");
        }
        return sent.substring(scheme.length()).strip();
    }

    /** Notes that the client showed what is right. */
    static Filter.Verdict accept(Exchange exchange, @Nullable Identity identity) {
        exchange.put(DONE, true);
        exchange.put(Attributes.IDENTITY, identity);
        return Filter.Verdict.CONTINUE;
    }

    /** Notes what the client could have shown. */
    static Filter.Verdict offer(Exchange exchange, String challenge) {
        String before = exchange.get(CHALLENGE);
        exchange.put(CHALLENGE, before == null ? challenge : before + ", " + challenge);
        return Filter.Verdict.CONTINUE;
    }

    /** Refuses wrong credentials. */
    static Filter.Verdict refuse(Replies replies, String challenge) {
        replies.fail(ErrorKind.UNAUTHORIZED, Map.of("www-authenticate", challenge));
        return Filter.Verdict.TAKEN;
    }

    /** Refuses to check credentials now. */
    static Filter.Verdict busy(Replies replies) {
        replies.fail(ErrorKind.TOO_BUSY, Map.of("retry-after", "1"));
        return Filter.Verdict.TAKEN;
    }

    /** Refuses who showed nothing. */
    static Filter.Verdict refuse(Exchange exchange, Replies replies) {
        String challenge = exchange.get(CHALLENGE);
        return refuse(replies, challenge == null ? "Key realm=\"sigma\"" : challenge);
    }
}
