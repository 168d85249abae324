package io.sigma.check;

import io.sigma.model.FieldError;
import io.sigma.model.FieldErrorCode;
import io.sigma.model.FieldErrorUnit;
import io.sigma.model.FieldErrorValues;
import io.sigma.model.Kind;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes every error of a field, so that each has a code for programs and the values of which its text consists. Nothing
 * else constructs a {@link FieldError}. Pure.
 */
public final class Faults {

    /** The text that replaces a secret. */
    private static final String REDACTED = "[redacted]";

    private static final String EXPECTED = "(expected: ";

    private Faults() {}

    /** Returns the error of a value that is absent, is not wanted beside the others, or is not valid. */
    public static FieldError of(String pointer, Mismatch mismatch) {
        return of(
                switch (mismatch.given()) {
                    case Mismatch.ABSENT -> FieldErrorCode.REQUIRED;
                    case Mismatch.PRESENT -> FieldErrorCode.NOT_APPLICABLE;
                    default -> FieldErrorCode.INVALID;
                },
                pointer,
                mismatch);
    }

    /** Returns the error of a value that has no meaning. */
    public static FieldError of(String pointer, InvalidValue e) {
        Mismatch mismatch = e.mismatch();
        return mismatch == null ? plain(pointer, String.valueOf(e.getMessage())) : of(pointer, mismatch);
    }

    /** Returns the error of a value that is not valid, where there is nothing to say about what was expected. */
    public static FieldError plain(String pointer, String detail) {
        return new FieldError(pointer, detail, FieldErrorCode.INVALID, null);
    }

    /**
     * Returns the error whose text another process made. Its parts are read from the text if it has the form of
     * {@link Mismatch#toString}. Errors that this process finds are made by {@link #of(String, Mismatch)} instead.
     */
    public static FieldError received(String pointer, String text) {
        int at = text.indexOf(EXPECTED);
        if (at < 0 || !text.endsWith(")")) {
            return plain(pointer, text);
        }
        String given = text.substring(0, at).strip();
        FieldError read = of(pointer, new Mismatch(given, text.substring(at + EXPECTED.length(), text.length() - 1)));
        return retold(pointer, text, read);
    }

    /** Returns the error of a value that is absent. */
    public static FieldError required(String pointer, String expected) {
        return of(pointer, Mismatch.absent(expected));
    }

    /** Returns the error of a field that its object does not have; {@code allowed} are those that it has. */
    public static FieldError unknownField(String pointer, List<String> allowed) {
        return of(
                pointer,
                Mismatch.of("unknown field", oneOf(allowed)).toString(),
                FieldErrorCode.UNKNOWN_FIELD,
                FieldErrorValues.builder().allowed(allowed));
    }

    /** Returns the error of a number outside of {@code minimum} to {@code maximum}, each null where it has no bound. */
    public static FieldError range(
            String pointer, String given, @Nullable Long minimum, @Nullable Long maximum, String expected) {
        return of(
                pointer,
                new Mismatch(given, expected).toString(),
                FieldErrorCode.RANGE,
                FieldErrorValues.builder().given(given).minimum(minimum).maximum(maximum));
    }

    /** Returns the error of a text, a list or an object with too few or too many of {@code unit}. */
    public static FieldError length(
            String pointer,
            String given,
            @Nullable Long minimum,
            @Nullable Long maximum,
            FieldErrorUnit unit,
            String expected) {
        return of(
                pointer,
                new Mismatch(given, expected).toString(),
                FieldErrorCode.LENGTH,
                FieldErrorValues.builder()
                        .given(bare(given))
                        .minimum(minimum)
                        .maximum(maximum)
                        .unit(unit));
    }

    /** Returns the error of a value of another type than the contract's. */
    public static FieldError type(String pointer, String given, String expected) {
        return of(FieldErrorCode.TYPE, pointer, new Mismatch(given, expected));
    }

    /** Returns the error of a value that is none of {@code allowed}. */
    public static FieldError choice(String pointer, String given, List<String> allowed) {
        return of(
                pointer,
                new Mismatch(given, oneOf(allowed)).toString(),
                FieldErrorCode.CHOICE,
                FieldErrorValues.builder().given(bare(given)).allowed(allowed));
    }

    /** Returns the error of a text that does not match {@code pattern}, a regular expression. */
    public static FieldError pattern(String pointer, String given, String pattern, String expected) {
        return of(
                pointer,
                new Mismatch(given, expected).toString(),
                FieldErrorCode.PATTERN,
                FieldErrorValues.builder().given(bare(given)).pattern(pattern).expected(expected));
    }

    /** Returns the error of a value that is not valid for another reason. */
    public static FieldError invalid(String pointer, String given, String expected) {
        return of(FieldErrorCode.INVALID, pointer, new Mismatch(given, expected));
    }

    /** Returns the error of a value that is there more than once. */
    public static FieldError duplicate(String pointer, String given, String expected) {
        return of(FieldErrorCode.DUPLICATE, pointer, new Mismatch(given, expected));
    }

    /** Returns the error of a reference to {@code id}, which does not exist; {@code label} is the word for its kind. */
    public static FieldError unknownReference(String pointer, String id, Kind kind, String label) {
        return of(
                pointer,
                Mismatch.quoted(id, "the id of an existing " + label).toString(),
                FieldErrorCode.UNKNOWN_REFERENCE,
                FieldErrorValues.builder().given(id).kind(kind));
    }

    /**
     * Returns the error of a value that another resource has.
     *
     * @param kind the kind of the other one, null where it is not told
     * @param id its id, null where it is not told
     */
    public static FieldError conflict(
            String pointer, String given, String expected, @Nullable Kind kind, @Nullable String id) {
        return of(
                pointer,
                new Mismatch(given, expected).toString(),
                FieldErrorCode.CONFLICT,
                FieldErrorValues.builder()
                        .given(bare(given))
                        .expected(expected)
                        .kind(kind)
                        .id(id));
    }

    /** Returns the error of a value that a token or a setting does not permit. */
    public static FieldError notPermitted(String pointer, Mismatch mismatch) {
        return of(FieldErrorCode.NOT_PERMITTED, pointer, mismatch);
    }

    /** Returns the error of a value that a gateway cannot use. */
    public static FieldError refusedByGateway(String pointer, String gateway, @Nullable String reason) {
        FieldErrorValues said = received(pointer, String.valueOf(reason)).values();
        return of(
                pointer,
                "gateway " + gateway + ": " + reason,
                FieldErrorCode.REFUSED_BY_GATEWAY,
                (said == null ? FieldErrorValues.builder() : said.toBuilder()).gateway(gateway));
    }

    /** Returns the error of an operation that cannot be done. */
    public static FieldError failed(String pointer, String detail) {
        return new FieldError(pointer, detail, FieldErrorCode.FAILED, null);
    }

    /** Returns what an import or an export would lose. */
    public static FieldError lost(String pointer, String detail) {
        return new FieldError(pointer, detail, FieldErrorCode.LOST, null);
    }

    /** Returns what an import understands in another way than it stands there. */
    public static FieldError warning(String pointer, String detail) {
        return new FieldError(pointer, detail, FieldErrorCode.WARNING, null);
    }

    /** Returns {@code error} at another place. */
    public static FieldError at(String pointer, FieldError error) {
        return new FieldError(pointer, error.detail(), error.code(), error.values());
    }

    /** Returns {@code error} with another text, which says nothing else, at another place. */
    public static FieldError retold(String pointer, String detail, FieldError error) {
        return new FieldError(pointer, detail, error.code(), error.values());
    }

    /** Returns {@code error} with what {@code cut} leaves of its text and of what was given. */
    public static FieldError shortened(FieldError error, UnaryOperator<String> cut) {
        FieldErrorValues values = error.values();
        String given = values == null ? null : values.given();
        return new FieldError(
                error.pointer(),
                cut.apply(error.detail()),
                error.code(),
                values == null || given == null
                        ? values
                        : values.toBuilder().given(cut.apply(given)).build());
    }

    private static FieldError of(FieldErrorCode code, String pointer, Mismatch mismatch) {
        FieldErrorValues.Builder values = FieldErrorValues.builder().expected(mismatch.expected());
        boolean valued = code != FieldErrorCode.REQUIRED && code != FieldErrorCode.NOT_APPLICABLE;
        return of(pointer, mismatch.toString(), code, valued ? values.given(bare(mismatch.given())) : values);
    }

    private static String oneOf(List<String> allowed) {
        return "one of " + String.join(", ", allowed);
    }

    private static FieldError of(String pointer, String detail, FieldErrorCode code, FieldErrorValues.Builder values) {
        return new FieldError(pointer, detail, code, values.build());
    }

    /** Returns a value without the quotes of a text; null for a secret. */
    private static @Nullable String bare(String given) {
        if (given.contains(REDACTED)) {
            return null;
        }
        boolean quoted = given.length() > 1 && given.startsWith("\"") && given.endsWith("\"");
        return quoted ? given.substring(1, given.length() - 1) : given;
    }
}
