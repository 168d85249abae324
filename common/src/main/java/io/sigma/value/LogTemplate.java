package io.sigma.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line of an access log with {@code $variables}; {@code $$} is a dollar sign. Immutable. */
public final class LogTemplate {

    /** The variables of a template, written in lower case after a dollar sign. */
    public enum Variable {
        ATTEMPTS,
        BODY_BYTES_SENT,
        BYTES_RECEIVED,
        CLIENT_ADDR,
        CONSUMER,
        ERROR,
        HOST,
        HTTP_REFERER,
        HTTP_USER_AGENT,
        MSEC,
        NODE,
        PROTOCOL,
        PROXY_PASS,
        PROXY_SERVER,
        QUERY,
        REMOTE_ADDR,
        REMOTE_PORT,
        REQUEST,
        REQUEST_ID,
        REQUEST_METHOD,
        REQUEST_TIME,
        ROUTE,
        ROUTER,
        SSL_CLIENT_S_DN,
        SSL_CLIENT_VERIFY,
        STATUS,
        TIME_ISO8601,
        TIME_LOCAL,
        UPSTREAM,
        UPSTREAM_CONNECT_TIME,
        UPSTREAM_HEADER_TIME,
        URI;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Receives the parts of a compiled template. */
    public interface Line {

        /** Appends printable ASCII as it is. */
        void literal(String text);

        /** Appends what {@code variable} stands for. */
        void value(Variable variable);
    }

    /** The format that nginx and Apache call combined. */
    public static final LogTemplate COMBINED =
            parse("$client_addr - $consumer [$time_local] \"$request\" $status $body_bytes_sent"
                    + " \"$http_referer\" \"$http_user_agent\"");

    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Reference(Variable variable) implements Part {}
    }

    private final Part[] parts;

    private LogTemplate(List<Part> parts) {
        this.parts = parts.toArray(Part[]::new);
    }

    /**
     * Returns the parsed template.
     *
     * @throws InvalidValue for an unknown variable or a control character
     */
    public static LogTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            int dollar = text.indexOf('$', i);
            int end = dollar < 0 ? text.length() : dollar;
            if (end > i) {
                parts.add(new Part.Literal(literal(text, text.substring(i, end))));
                i = end;
            } else if (text.startsWith("$$", i)) {
                parts.add(new Part.Literal("$"));
                i += 2;
            } else {
                Variable variable = variable(text, i + 1);
                parts.add(new Part.Reference(variable));
                i += 1 + variable.text().length();
            }
        }
        return new LogTemplate(parts);
    }

    private static String literal(String text, String piece) {
        if (piece.chars().anyMatch(c -> c < ' ' || c >= 0x7f)) {
            throw InvalidValue.of(text, "printable ASCII");
        }
        return piece;
    }

    private static Variable variable(String text, int start) {
        int end = start;
        while (end < text.length() && (text.charAt(end) == '_' || Character.isLetterOrDigit(text.charAt(end)))) {
            end++;
        }
        String name = text.substring(start, end);
        List<String> known = new ArrayList<>();
        for (Variable variable : Variable.values()) {
            if (variable.text().equals(name)) {
                return variable;
            }
            known.add("$" + variable.text());
        }
        throw InvalidValue.of(text, "$$ or one of " + String.join(", ", known) + ", not $" + name);
    }

    /** Tells {@code line} of all parts, in their order. Allocates nothing. */
    public void expand(Line line) {
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String text) -> line.literal(text);
                case Part.Reference(Variable variable) -> line.value(variable);
            }
        }
    }
}
