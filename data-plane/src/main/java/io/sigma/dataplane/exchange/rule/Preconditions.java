package io.sigma.dataplane.exchange.rule;

import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Conditions of requests on what the gateway itself answers with (RFC 9110 §13). Pure. */
public final class Preconditions {

    private static final DateTimeFormatter FIXDATE = format("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
    /** §5.6.7: the two obsolete forms have to be read, too. */
    private static final DateTimeFormatter ASCTIME = format("EEE MMM ppd HH:mm:ss yyyy");

    /** The outcome of the request. */
    public enum Outcome {
        /** It is answered as if there were no condition. */
        HOLD,
        /** 304: what the client has is this. */
        NOT_MODIFIED,
        /** 412: what the client wants to go on with is another one. */
        FAILED
    }

    private Preconditions() {}

    /**
     * Returns what the conditions of a GET or HEAD that would be answered with 200 come to, in the order of §13.2.2.
     * If-Range comes after them, where they hold: {@link #rangeHolds}.
     *
     * @param tag entity tag of the representation; null when it has none
     * @param modified when it changed; null when that is not known
     */
    public static Outcome evaluate(Fields request, @Nullable String tag, @Nullable Instant modified) {
        if (request.contains("if-match")) {
            if (!matches(request.all("if-match"), tag, true)) {
                return Outcome.FAILED;
            }
        } else if (modified != null) {
            Instant known = date(request, "if-unmodified-since");
            if (known != null && seconds(modified).isAfter(known)) {
                return Outcome.FAILED;
            }
        }
        if (request.contains("if-none-match")) {
            return matches(request.all("if-none-match"), tag, false) ? Outcome.NOT_MODIFIED : Outcome.HOLD;
        }
        Instant known = modified == null ? null : date(request, "if-modified-since");
        boolean fresh = known != null && modified != null && !seconds(modified).isAfter(known);
        return fresh ? Outcome.NOT_MODIFIED : Outcome.HOLD;
    }

    /** Returns what they come to for an answer that the gateway makes, whose head may have a tag and a date. */
    public static Outcome evaluate(RequestHead request, ResponseHead answer) {
        Fields fields = request.fields();
        boolean conditional = fields.contains("if-match")
                || fields.contains("if-none-match")
                || fields.contains("if-modified-since")
                || fields.contains("if-unmodified-since");
        // Others select no representation, so that there is nothing to compare with (§13.2.1).
        boolean selects = answer.status() / 100 == 2 && !request.method().equals("OPTIONS");
        if (!conditional || !selects) {
            return Outcome.HOLD;
        }
        String date = answer.fields().get("last-modified");
        Instant modified = date == null ? null : parse(date.strip());
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        Outcome outcome = evaluate(fields, answer.fields().get("etag"), modified);
        if (reads || outcome != Outcome.NOT_MODIFIED) {
            return outcome;
        }
        return fields.contains("if-none-match") ? Outcome.FAILED : Outcome.HOLD;
    }

    /**
     * Returns whether a range may be answered: without If-Range, or where it names what there is (§13.1.5). A weak tag
     * names none, and a date none that something changed less than a second before it, after which it may change once
     * more (§8.8.2.2).
     */
    public static boolean rangeHolds(Fields request, @Nullable String tag, Instant modified, Instant now) {
        List<String> conditions = request.all("if-range");
        if (conditions.isEmpty()) {
            return true;
        }
        if (conditions.size() > 1) {
            return false;
        }
        String condition = conditions.getFirst().strip();
        if (condition.startsWith("\"")) {
            return tag != null && !tag.startsWith("W/") && condition.equals(tag);
        }
        Instant known = parse(condition);
        return known != null
                && seconds(modified).equals(known)
                && ChronoUnit.SECONDS.between(seconds(modified), now) >= 1;
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Returns whether a list of tags, in however many lines, has {@code tag} or is {@code *}; what is no list of tags
     * has none.
     *
     * @param strong whether weak tags are equal to none (§8.8.3.2)
     */
    private static boolean matches(List<String> lines, @Nullable String tag, boolean strong) {
        for (String line : lines) {
            String text = line.strip();
            if (text.equals("*")) {
                return true;
            }
            int i = 0;
            while (i < text.length()) {
                char c = text.charAt(i);
                if (c == ',' || c == ' ' || c == '\t') {
                    i++;
                    continue;
                }
                boolean weak = text.startsWith("W/\"", i);
                int open = weak ? i + 2 : i;
                int close = text.charAt(open) == '"' ? text.indexOf('"', open + 1) : -1;
                if (close < 0) {
                    break;
                }
                if (isSame(text.substring(open, close + 1), weak, tag, strong)) {
                    return true;
                }
                i = close + 1;
            }
        }
        return false;
    }

    private static boolean isSame(String opaque, boolean weak, @Nullable String tag, boolean strong) {
        if (tag == null) {
            return false;
        }
        boolean weakTag = tag.startsWith("W/");
        return !(strong && (weak || weakTag)) && opaque.equals(weakTag ? tag.substring(2) : tag);
    }

    /**
     * Returns the only date of that name; null for none, several, or what is no date: such a field is to be ignored.
     */
    private static @Nullable Instant date(Fields request, String name) {
        if (!request.contains(name) || request.count(name) > 1) {
            return null;
        }
        String text = request.get(name);
        return text == null ? null : parse(text.strip());
    }

    /** Returns the time of an HTTP-date in any of its three forms (§5.6.7); null for what is none. */
    static @Nullable Instant parse(String text) {
        return parse(text, LocalDateTime.now(ZoneOffset.UTC));
    }

    static @Nullable Instant parse(String text, LocalDateTime now) {
        int comma = text.indexOf(',');
        try {
            LocalDateTime time =
                    comma > 3 ? rfc850(text, comma, now) : LocalDateTime.parse(text, comma == 3 ? FIXDATE : ASCTIME);
            return time.toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A year of two digits is that of the time at most 50 years ahead; the day of the week has to fit that one. */
    private static LocalDateTime rfc850(String text, int comma, LocalDateTime now) {
        LocalDateTime latest = now.plusYears(50);
        DateTimeFormatter format = new DateTimeFormatterBuilder()
                .appendPattern(" dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, latest.getYear() - 99)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH);
        LocalDateTime time = LocalDateTime.parse(text.substring(comma + 1), format);
        LocalDateTime meant = time.isAfter(latest) ? time.minusYears(100) : time;
        String day = meant.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        if (!day.equals(text.substring(0, comma))) {
            throw new DateTimeException("the day of the week");
        }
        return meant;
    }

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }
}
