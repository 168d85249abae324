package io.sigma.controlplane.analysis;

import com.google.re2j.Pattern;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.route.Affixes;
import io.sigma.value.Re2;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a route, to be compared with another one. Immutable.
 *
 * @param field the name of the route's field that has the condition
 * @param index the place of the condition in that field, from 0
 * @param name in lower case for a header field
 * @param exact the value that is asked for; null when another test decides
 * @param regex what the value must match; null when another test decides
 * @param present without both: whether it must be there
 */
record Term(
        String field,
        int index,
        String name,
        @Nullable String exact,
        @Nullable Pattern regex,
        boolean present) {

    /** Only gateways set it, for nodes. */
    private static final String CONSUMER = "x-consumer-id";

    static List<Term> of(Route route) {
        List<Term> terms = new ArrayList<>();
        add(terms, "headers", route.headers());
        add(terms, "queryParameters", route.queryParameters());
        add(terms, "cookies", route.cookies());
        return List.copyOf(terms);
    }

    private static void add(List<Term> terms, String field, List<RouteCondition> conditions) {
        for (int i = 0; i < conditions.size(); i++) {
            RouteCondition condition = conditions.get(i);
            String name = field.equals("headers") ? condition.name().toLowerCase(Locale.ROOT) : condition.name();
            Pattern regex = condition.regex() == null ? null : Re2.compile(condition.regex());
            boolean present = !Boolean.FALSE.equals(condition.present());
            terms.add(new Term(field, i, name, condition.value(), regex, present));
        }
    }

    boolean isAboutTheSame(Term other) {
        return field.equals(other.field) && name.equals(other.name);
    }

    /** Returns whether {@code other} holds whenever this one does. */
    boolean implies(Term other) {
        if (!isAboutTheSame(other)) {
            return false;
        }
        if (other.exact != null) {
            return other.exact.equals(exact);
        }
        if (other.regex != null) {
            return (regex != null && regex.pattern().equals(other.regex.pattern()))
                    || (exact != null && other.regex.matches(exact));
        }
        boolean there = exact != null || regex != null || present;
        return there == other.present;
    }

    /** Returns whether the two can never hold together. */
    boolean contradicts(Term other) {
        if (!isAboutTheSame(other)) {
            return (isNoCookieField() && other.isOfCookie()) || (isOfCookie() && other.isNoCookieField());
        }
        if (isAbsence() || other.isAbsence()) {
            return isAbsence() != other.isAbsence();
        }
        if (regex != null && other.regex != null) {
            return areApart(Affixes.of(regex.pattern()), Affixes.of(other.regex.pattern()));
        }
        if (exact != null && other.exact != null) {
            return !exact.equals(other.exact);
        }
        return (exact != null && other.regex != null && !other.regex.matches(exact))
                || (regex != null && other.exact != null && !regex.matches(other.exact));
    }

    /** Returns whether no text has the beginnings, or the ends, of both. */
    private static boolean areApart(Affixes one, Affixes other) {
        boolean beginnings =
                one.prefix().startsWith(other.prefix()) || other.prefix().startsWith(one.prefix());
        boolean ends = one.suffix().endsWith(other.suffix()) || other.suffix().endsWith(one.suffix());
        return !beginnings || !ends;
    }

    private boolean isNoCookieField() {
        return field.equals("headers") && name.equals("cookie") && isAbsence();
    }

    private boolean isOfCookie() {
        return field.equals("cookies") && !isAbsence();
    }

    /** Returns why no request has the value that is asked for; null when one may. */
    @Nullable
    String impossible() {
        if (field.equals("headers") && name.equals(CONSUMER) && !isAbsence()) {
            return "gateways drop this field of clients before they match a request";
        }
        if (exact == null || field.equals("queryParameters")) {
            return null;
        }
        if (!exact.equals(exact.strip())) {
            return "white space around a value is not part of it";
        }
        if (field.equals("cookies") && exact.indexOf(';') >= 0) {
            return "a semicolon ends a cookie";
        }
        return exact.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff))
                ? null
                : "a header has no such character";
    }

    private boolean isAbsence() {
        return exact == null && regex == null && !present;
    }

    /** Returns by what routes that ask for this one value are looked up; of no use for other conditions. */
    AskedValue key() {
        return new AskedValue(field + ' ' + name, String.valueOf(exact));
    }

    /** Returns what is asked for, as people read it. */
    String text() {
        if (exact != null) {
            return name + " is \"" + exact + "\"";
        }
        if (regex != null) {
            return name + " matches \"" + regex.pattern() + "\"";
        }
        return name + (present ? " is there" : " is not there");
    }
}
