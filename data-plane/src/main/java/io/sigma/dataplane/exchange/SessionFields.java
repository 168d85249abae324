package io.sigma.dataplane.exchange;

import io.sigma.identity.SessionCookie;
import java.util.List;

/** Fields with the session of the dashboard, which is between browsers and the control plane. Pure. */
final class SessionFields {

    private static final String COOKIE = "cookie";
    private static final String SET_COOKIE = "set-cookie";

    private SessionFields() {}

    static void stripRequest(Fields fields) {
        if (!fields.contains(COOKIE, SessionCookie.NAME)) {
            return;
        }
        List<String> lines = fields.all(COOKIE);
        replace(
                fields,
                COOKIE,
                lines,
                lines.stream()
                        .map(SessionFields::left)
                        .filter(line -> !line.isEmpty())
                        .toList());
    }

    private static String left(String line) {
        return line.contains(SessionCookie.NAME) ? SessionCookie.without(line) : line;
    }

    static void stripResponse(Fields fields) {
        if (!fields.contains(SET_COOKIE, SessionCookie.NAME)) {
            return;
        }
        List<String> lines = fields.all(SET_COOKIE);
        replace(
                fields,
                SET_COOKIE,
                lines,
                lines.stream().filter(line -> !SessionCookie.isSetBy(line)).toList());
    }

    private static void replace(Fields fields, String name, List<String> lines, List<String> kept) {
        if (!kept.equals(lines)) {
            fields.remove(name);
            kept.forEach(line -> fields.add(name, line));
        }
    }
}
