package io.sigma.dataplane.exchange;

import io.sigma.value.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that belong to one connection and are never passed on (RFC 9110 §7.6.1). Pure but for the fields given. */
public final class ConnectionFields {

    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
    private static final int UPGRADE_REQUIRED = 426;

    /** Up to so many fields are looked for one by one. */
    private static final int SINGLE_REMOVALS_MAX = 8;

    /** With {@code Proxy}, which is none: CGI programs take it for the proxy of requests of their own. */
    private static final FieldNames HOP_BY_HOP = FieldNames.of(
            "connection",
            "keep-alive",
            "proxy",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** Naming these in Connection could make a recipient frame or route the message in another way. */
    private static final Set<String> PROTECTED =
            Set.of("host", "content-length", "transfer-encoding", "trailer", ":authority", "content-type");

    /**
     * Fields that frame, route or authenticate a message, put conditions on it, control or describe it, beside the
     * fields of one connection.
     */
    private static final FieldNames NOT_IN_TRAILERS = FieldNames.of(
            "authorization",
            "host",
            "content-length",
            "content-type",
            ":authority",
            "age",
            "location",
            "www-authenticate",
            "cache-control",
            "content-encoding",
            "content-range",
            "cookie",
            "date",
            "expect",
            "expires",
            "forwarded",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "max-forwards",
            "pragma",
            "range",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "vary",
            "via",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto",
            "x-real-ip");

    private ConnectionFields() {}

    /**
     * Returns whether Connection says that the connection stays, and nothing else. It is what most say who say
     * anything, and names no field that is not removed anyway.
     */
    public static boolean isKeepAlive(Fields fields) {
        return "keep-alive".equalsIgnoreCase(fields.get("connection")) && fields.count("connection") == 1;
    }

    /**
     * Removes the fields of the client's connection, those that Connection names, and those with an underscore, which
     * some servers take for a hyphen.
     *
     * @return the protocol that the client asks to switch to; null when it asks for none
     * @throws InvalidRequest when Connection names a field that frames or routes the message, a field has no name, or
     *     there are more than {@code fieldsMax} of them
     */
    public static @Nullable String stripRequest(Fields fields, int fieldsMax) {
        count(fields, fieldsMax);
        String upgrade = null;
        if (fields.contains("connection") && !isKeepAlive(fields)) {
            List<String> named = names(fields.all("connection"));
            for (String name : named) {
                if (PROTECTED.contains(name)) {
                    throw new InvalidRequest(ErrorKind.BAD_REQUEST, "Connection: " + name);
                }
            }
            upgrade = named.contains("upgrade") ? upgrade(fields.all("upgrade")) : null;
            named.remove("te");
            remove(fields, named);
        }
        removeHopByHop(fields);
        keepTrailersOnly(fields);
        removeUnderscored(fields);
        return upgrade;
    }

    /**
     * As {@link #stripResponse(Fields)}, of a final response. The protocols that a 426 asks for are passed on (RFC 9110
     * §15.5.22) to a client whose protocol has the field, and the challenges of a 407 to every one (§15.5.8).
     *
     * @param protocol of the client, as {@link RequestHead#protocol} says it
     */
    public static void stripResponse(ResponseHead head, String protocol) {
        Fields fields = head.fields();
        int status = head.status();
        if (status == PROXY_AUTHENTICATION_REQUIRED) {
            List<String> challenges = fields.all("proxy-authenticate");
            stripResponse(fields);
            challenges.forEach(challenge -> fields.add("proxy-authenticate", challenge));
        } else if (status == UPGRADE_REQUIRED && protocol.equals("HTTP/1.1")) {
            List<String> required = fields.all("upgrade");
            stripResponse(fields);
            if (!required.isEmpty()) {
                fields.add("connection", "Upgrade");
                fields.add("upgrade", String.join(", ", required));
            }
        } else {
            stripResponse(fields);
        }
    }

    /**
     * Removes the fields of the node's connection and those that Connection names; the length stays, because the
     * gateway frames what it sends by it.
     */
    public static void stripResponse(Fields fields) {
        if (fields.contains("connection") && !isKeepAlive(fields)) {
            List<String> named = names(fields.all("connection"));
            named.removeIf("content-length"::equals);
            remove(fields, named);
        }
        removeHopByHop(fields);
        fields.remove("te");
    }

    /** As {@link #stripResponse(Fields)}, of an interim response: no length (RFC 9110 §8.6), and no trailers follow. */
    public static void stripInterim(Fields fields) {
        stripResponse(fields);
        fields.remove("content-length");
        fields.remove("trailer");
    }

    /**
     * Returns the names that Connection lists, in lower case: they may come in the trailers, too (RFC 9110 §7.6.1).
     * Empty for most messages.
     */
    public static Set<String> options(Fields fields) {
        return !fields.contains("connection") || isKeepAlive(fields)
                ? Set.of()
                : Set.copyOf(names(fields.all("connection")));
    }

    /** Removes the trailers that {@link #options} of their head names. */
    public static void stripNamed(Fields trailers, Set<String> options) {
        if (!options.isEmpty()) {
            trailers.removeIf(name -> options.contains(name.toLowerCase(Locale.ROOT)));
        }
    }

    /**
     * Returns whether the fields of a 101 switch to the protocol that was asked for, and to no other (RFC 9110 §7.8,
     * §15.2.2, RFC 6455 §4.1). Where a version was asked for, another one may be answered.
     *
     * @param asked one protocol
     */
    public static boolean isSwitch(Fields fields, String asked) {
        String wanted = asked.toLowerCase(Locale.ROOT);
        List<String> answered = names(fields.all("upgrade"));
        if (answered.size() != 1
                || fields.count("upgrade") != 1
                || !names(fields.all("connection")).contains("upgrade")) {
            return false;
        }
        int slash = wanted.indexOf('/');
        String protocol = answered.getFirst();
        return protocol.equals(wanted) || (slash > 0 && (protocol + '/').startsWith(wanted.substring(0, slash + 1)));
    }

    /**
     * Removes what must not come after the body of a request, because whoever reads it has acted upon the head (RFC
     * 9110 §6.5.1), and fields with an underscore.
     */
    public static void stripRequestTrailers(Fields trailers) {
        stripResponseTrailers(trailers);
        trailers.removeIf(ForwardingNames::isOne);
        removeUnderscored(trailers);
    }

    /** Removes what must not come after the body of a response (RFC 9110 §6.5.1, RFC 9113 §8.2.2). */
    public static void stripResponseTrailers(Fields trailers) {
        removeHopByHop(trailers);
        trailers.removeAll(NOT_IN_TRAILERS);
    }

    /** Trailers are passed on, so the client's wish for them is; of codings the gateway has no use. */
    private static void keepTrailersOnly(Fields fields) {
        if (!fields.contains("te")) {
            return;
        }
        boolean trailers = names(fields.all("te")).contains("trailers");
        fields.remove("te");
        if (trailers) {
            fields.set("te", "trailers");
        }
    }

    private static void removeHopByHop(Fields fields) {
        fields.removeAll(HOP_BY_HOP);
    }

    private static void count(Fields fields, int max) {
        if (fields.size() > max) {
            throw new InvalidRequest(ErrorKind.HEAD_TOO_LARGE, "more fields than " + max);
        }
    }

    private static void removeUnderscored(Fields fields) {
        if (!fields.mayHaveOddNames()) {
            return;
        }
        List<String> names = new ArrayList<>(0);
        fields.forEach((name, value) -> {
            if (name.isEmpty()) {
                throw new InvalidRequest(ErrorKind.BAD_REQUEST, "a field without a name");
            }
            if (name.indexOf('_') >= 0) {
                names.add(name);
            }
        });
        remove(fields, names);
    }

    /** Removes many in one pass: a head full of them must not cost the square of their number. */
    private static void remove(Fields fields, List<String> names) {
        if (names.size() <= SINGLE_REMOVALS_MAX) {
            names.forEach(fields::remove);
            return;
        }
        Set<String> lower = new HashSet<>();
        names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
        fields.removeIf(name -> lower.contains(name.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the protocol when exactly one is asked for, by a name with or without a version (RFC 9110 §7.8); h2c is
     * never passed on, the gateway speaks it itself.
     */
    private static @Nullable String upgrade(List<String> values) {
        List<String> protocols = values.size() == 1 ? names(values) : List.of();
        if (protocols.size() != 1 || protocols.getFirst().equals("h2c")) {
            return null;
        }
        String protocol = values.getFirst().replace(',', ' ').strip();
        int slash = protocol.indexOf('/');
        boolean named = slash < 0
                ? Tokens.isToken(protocol)
                : Tokens.isToken(protocol.substring(0, slash)) && Tokens.isToken(protocol.substring(slash + 1));
        return named ? protocol : null;
    }

    private static List<String> names(List<String> values) {
        List<String> names = new ArrayList<>();
        for (String value : values) {
            for (String item : value.split(",", -1)) {
                String name = item.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
