package io.sigma.check;

import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.AddressRange;
import io.sigma.value.Mismatch;
import io.sigma.value.Re2;
import io.sigma.value.Tokens;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Conditions of a route on header fields, query parameters, cookies and the client's address. */
final class RouteConditionCheck {

    /** Fields that are gone, or have become something else, before a request is matched. */
    private static final Set<String> NEVER_MATCHED = Set.of(
            "connection",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private RouteConditionCheck() {}

    static void check(Findings findings, Route route) {
        for (int i = 0; i < route.headers().size(); i++) {
            String name = route.headers().get(i).name();
            boolean field = Tokens.isToken(name)
                    && name.indexOf('_') < 0
                    && !NEVER_MATCHED.contains(name.toLowerCase(Locale.ROOT));
            Mismatch detail = Mismatch.quoted(
                    name,
                    "a field name without _, none of "
                            + NEVER_MATCHED.stream().sorted().toList());
            findings.require(field, detail, "headers", i, "name");
        }
        for (int i = 0; i < route.cookies().size(); i++) {
            String name = route.cookies().get(i).name();
            findings.require(Tokens.isToken(name), Mismatch.quoted(name, "a cookie name"), "cookies", i, "name");
        }
        conditions(findings, route.headers(), "headers", true);
        conditions(findings, route.queryParameters(), "queryParameters", false);
        conditions(findings, route.cookies(), "cookies", false);
        for (int i = 0; i < route.clientAddresses().size(); i++) {
            String range = route.clientAddresses().get(i);
            findings.parse(() -> AddressRange.parse(range), "clientAddresses", i);
        }
    }

    private static void conditions(
            Findings findings, List<RouteCondition> conditions, String field, boolean ignoreCase) {
        Set<String> exact = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            RouteCondition condition = conditions.get(i);
            int said = (condition.value() == null ? 0 : 1)
                    + (condition.regex() == null ? 0 : 1)
                    + (condition.present() == null ? 0 : 1);
            Mismatch detail = Mismatch.of(said + " of them", "exactly one of value, regex and present");
            findings.require(said == 1, detail, field, i);
            String regex = condition.regex();
            if (regex != null) {
                findings.parse(() -> Re2.compile(regex), field, i, "regex");
            }
            if (condition.value() != null) {
                String name = ignoreCase ? condition.name().toLowerCase(Locale.ROOT) : condition.name();
                Mismatch twice = Mismatch.quoted(condition.name(), "one condition for each name");
                findings.require(exact.add(name), twice, field, i, "name");
            }
        }
    }
}
