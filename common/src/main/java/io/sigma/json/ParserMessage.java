package io.sigma.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The error of a JSON or YAML parser, in words that name neither the library nor Java classes. Pure. */
public final class ParserMessage {

    /** Where in the parser a limit is set, which token of the parser stands there, and how a program would allow it. */
    private static final Pattern INNER = Pattern.compile(
            ", from `[^`]{0,200}`| \\(token `JsonToken\\.[A-Z_]{1,40}`\\)|: enable `[^`]{0,200}` to allow");

    /** The parser's name of its source, which is not a file that the user knows. */
    private static final Pattern SOURCE =
            Pattern.compile("(?s) \\(start marker at .*| in 'reader', line .*| \\(through reference chain: .*");

    private static final Pattern KNOWN_TO_THE_PARSER =
            Pattern.compile(" \\(class [\\w.$]{1,300}\\), not marked as ignorable");

    /** A class with its package, such as {@code java.util.List}. */
    private static final Pattern CLASS =
            Pattern.compile("\\b(?:[a-z][a-z0-9_]{0,60}\\.){2,12}([A-Z][A-Za-z0-9_$]{0,100})");

    private ParserMessage() {}

    /** Returns the message of {@code failure}. */
    public static String of(JsonProcessingException failure) {
        return of(String.valueOf(failure.getOriginalMessage()));
    }

    static String of(String said) {
        String text = SOURCE.matcher(said).replaceFirst("");
        text = INNER.matcher(text).replaceAll("");
        text = KNOWN_TO_THE_PARSER.matcher(text).replaceAll("");
        return CLASS.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1)))
                .stripTrailing();
    }
}
