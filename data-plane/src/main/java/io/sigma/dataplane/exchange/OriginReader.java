package io.sigma.dataplane.exchange;

import io.sigma.value.TrustedAddresses;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a trusted peer says of the scheme, host and port that the client asked for: {@code X-Forwarded-Proto},
 * {@code -Host} and {@code -Port}, or where these are absent {@code Forwarded} (RFC 7239 §5.3, §5.4). What cannot be
 * one is passed over. Pure.
 */
final class OriginReader {

    private static final String PROTO = "x-forwarded-proto";
    private static final String HOST = "x-forwarded-host";
    private static final String PORT = "x-forwarded-port";
    private static final String FORWARDED = "forwarded";

    private OriginReader() {}

    /** Returns whether anything is said. */
    static boolean says(Fields fields) {
        return fields.contains(PROTO) || fields.contains(HOST) || fields.contains(PORT) || fields.contains(FORWARDED);
    }

    /**
     * Returns what is said; null for nothing that could be.
     *
     * @param forHops how many elements of X-Forwarded-For trusted proxies added
     * @param forwardedHops how many of Forwarded
     */
    static @Nullable Origin read(RequestHead request, int forHops, int forwardedHops) {
        Fields fields = request.fields();
        List<String> elements = TrustedAddresses.elements(fields.all(FORWARDED));
        String element =
                elements.isEmpty() ? "" : elements.get(Math.max(0, elements.size() - Math.max(1, forwardedHops)));
        int hops = TrustedAddresses.elements(fields.all("x-forwarded-for")).size();
        Boolean tls = tls(or(said(fields, PROTO, hops, forHops), parameter(element, "proto")));
        boolean secure = tls == null ? request.tls() : tls;
        Authority named = authority(or(said(fields, HOST, hops, forHops), parameter(element, "host")), secure);
        int port = port(said(fields, PORT, hops, forHops));
        if (tls == null && named == null && port == 0) {
            return null;
        }
        if (named == null) {
            boolean implied = request.port() == Authority.port(request.tls());
            named = new Authority(request.host(), implied ? Authority.port(secure) : request.port());
        }
        return new Origin(secure, named.host(), port == 0 ? named.port() : port, named.text(secure));
    }

    /**
     * Returns what a field says: of a list with as many elements as X-Forwarded-For what the proxy said that the client
     * spoke to, else what the peer itself said. Null when there is no such field.
     */
    private static @Nullable String said(Fields fields, String name, int hops, int forHops) {
        if (!fields.contains(name)) {
            return null;
        }
        List<String> items = TrustedAddresses.elements(fields.all(name));
        if (items.isEmpty()) {
            return null;
        }
        boolean aligned = items.size() == hops && forHops > 0;
        return items.get(items.size() - (aligned ? forHops : 1));
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
    }

    /** Returns the value of a parameter of an element of Forwarded; null when it has none. */
    static @Nullable String parameter(String element, String name) {
        int start = 0;
        while (start <= element.length()) {
            int end = pairEnd(element, start);
            String bare = element.substring(start, end).strip();
            start = end + 1;
            int equals = bare.indexOf('=');
            if (equals > 0 && bare.substring(0, equals).equalsIgnoreCase(name)) {
                String value = bare.substring(equals + 1).strip();
                boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
                return quoted ? unescaped(value.substring(1, value.length() - 1)) : value;
            }
        }
        return null;
    }

    /** Returns where the pair from {@code start} ends. A semicolon within a quoted string separates nothing. */
    private static int pairEnd(String element, int start) {
        boolean quoted = false;
        for (int i = start; i < element.length(); i++) {
            char c = element.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return element.length();
    }

    /** A backslash says that the next character is itself (RFC 9110 §5.6.4). */
    private static String unescaped(String quoted) {
        if (quoted.indexOf('\\') < 0) {
            return quoted;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < quoted.length(); i++) {
            i += quoted.charAt(i) == '\\' && i + 1 < quoted.length() ? 1 : 0;
            plain.append(quoted.charAt(i));
        }
        return plain.toString();
    }

    private static @Nullable Boolean tls(@Nullable String scheme) {
        return switch (scheme == null ? "" : scheme.toLowerCase(Locale.ROOT)) {
            case "https", "wss" -> true;
            case "http", "ws" -> false;
            default -> null;
        };
    }

    private static @Nullable Authority authority(@Nullable String text, boolean tls) {
        try {
            return text == null ? null : Authority.parse(text, tls);
        } catch (InvalidRequest e) {
            return null;
        }
    }

    private static int port(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > 5) {
            return 0;
        }
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            port = port * 10 + digit;
        }
        return port <= 65535 ? port : 0;
    }
}
