package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.ControlPlane;
import io.sigma.dataplane.Gateway;
import io.sigma.postgres.EmbeddedPostgres;
import io.sigma.snapshot.ResourceType;
import io.sigma.standalone.Standalone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every expression of ours takes steps in proportion to its input, and does not recurse by it. Steps are counted, so
 * the machine does not matter. A new expression needs a row in {@link #WORST}: what is repeated to make the input that
 * is worst for it.
 */
final class RegularExpressionsTest {

    private static final int LENGTH = 100_000;
    private static final long STEPS_A_CHARACTER_MAX = 60;

    /**
     * How an expression is used, and the worst for it.
     *
     * @param searched whether it is looked for everywhere in the input, not matched from the start
     * @param pieces each is repeated
     */
    private record Row(boolean searched, List<String> pieces) {}

    private static void match(Map<String, Row> rows, String name, String expression, String... pieces) {
        rows.put(name + " " + expression, new Row(false, List.of(pieces)));
    }

    private static void search(Map<String, Row> rows, String name, String expression, String... pieces) {
        rows.put(name + " " + expression, new Row(true, List.of(pieces)));
    }

    /** By class and expression; expressions that are made are tried where they are made. */
    private static final Map<String, Row> WORST = worst();

    private static Map<String, Row> worst() {
        Map<String, Row> rows = new TreeMap<>();
        match(rows, "io.sigma.check.DiscoveryCheck", "[A-Z][A-Z0-9_]{0,63}", "A");
        match(rows, "io.sigma.check.DiscoveryCheck", "[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?", "a-", "a.");
        match(rows, "io.sigma.check.HealthCheckCheck", "[1-5]([0-9][0-9]|xx)", "1xx");
        match(rows, "io.sigma.identity.PeerIdentity", "sigma://(control-plane|gateway)/(.*)", "sigma://gateway/");
        search(rows, "io.sigma.format.FilePointers", "([a-z])([A-Z])", "aA");
        search(rows, "io.sigma.format.FilePointers", "^(/nodes/\\d+)/url$", "/nodes/1", "/nodes/");
        search(rows, "io.sigma.format.FilePointers", "^/hosts/\\d+$", "/hosts/1");
        search(
                rows,
                "io.sigma.json.ParserMessage",
                ", from `[^`]{0,200}`| \\(token `JsonToken\\.[A-Z_]{1,40}`\\)|: enable `[^`]{0,200}` to allow",
                ", from `",
                ": enable `",
                "`");
        search(
                rows,
                "io.sigma.json.ParserMessage",
                "(?s) \\(start marker at .*| in 'reader', line .*| \\(through reference chain: .*",
                " (start marker at ",
                " in 'reader', line ");
        search(
                rows,
                "io.sigma.json.ParserMessage",
                " \\(class [\\w.$]{1,300}\\), not marked as ignorable",
                " (class a.",
                "a");
        search(
                rows,
                "io.sigma.json.ParserMessage",
                "\\b(?:[a-z][a-z0-9_]{0,60}\\.){2,12}([A-Z][A-Za-z0-9_$]{0,100})",
                "a.",
                "a.a.A");
        match(rows, "io.sigma.json.Yaml", "(?i)y|n|yes|no|on|off|true|false|null|~|<<|=|[-+0-9.].*", "on", "true", "-");
        search(rows, "io.sigma.settings.SettingsReader", "([A-Z])", "A");
        match(rows, "io.sigma.value.ResourceId", "[A-Za-z0-9._-]{1,64}");
        search(
                rows,
                "io.sigma.value.CertifiedKey",
                "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----A\n-----END ",
                "-----BEGIN EC PRIVATE KEY-----\n-----END PRIVATE KEY-----");
        match(
                rows,
                "io.sigma.controlplane.access.Argon2Hash",
                "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([^$]+)\\$([^$]+)",
                "$argon2id$v=19$m=1,t=1,p=1$a$a");
        match(rows, "io.sigma.controlplane.api.operation.AuditOperations", "[^\",\r\n]*");
        search(rows, "io.sigma.controlplane.api.contract.BodySchema", "%([0-9A-F])(?![0-9A-F])", "%A", "%AA");
        match(rows, "io.sigma.controlplane.api.request.Cursors", "(made)");
        match(rows, "io.sigma.controlplane.api.request.Cursors", "[0-9]{1,19}");
        match(rows, "io.sigma.controlplane.api.request.Cursors", "[A-Za-z0-9._-]{1,64}");
        match(rows, "io.sigma.controlplane.api.request.Cursors", "[A-Za-z0-9._@-]{1,64}");
        match(rows, "io.sigma.controlplane.api.request.BodyTypes", "[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)", "q=0.0");
        match(rows, "io.sigma.controlplane.api.request.Parameters", "-?[0-9]{1,18}");
        match(rows, "io.sigma.controlplane.api.Refusals", "[A-Za-z0-9._@-]{1,64}");
        match(rows, "io.sigma.controlplane.events.EventLog", "[0-9]{1,18}-[0-9]{1,18}", "1-");
        match(rows, "io.sigma.controlplane.apidoc.OpenApiDocument", "3\\.[0-9]+\\.[0-9]+(-.+)?", "3.1.1-", "3.1.");
        match(
                rows,
                "io.sigma.controlplane.apidoc.OpenApiServers",
                "(https?://[^/?#]+)?(/[^?#]*)?",
                "https://a",
                "http://a/");
        search(rows, "io.sigma.controlplane.apidoc.OpenApiServers", "\\{([^{}]*)}", "{a", "{a}");
        match(rows, "io.sigma.controlplane.apidoc.OperationReader", "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}");
        search(
                rows,
                "io.sigma.controlplane.apidoc.OperationReader",
                "[\\p{Cc}\\x{ad}\\x{34f}\\x{61c}\\x{115f}\\x{1160}"
                        + "\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{200b}-\\x{200f}\\x{2028}-\\x{202e}\\x{2060}-\\x{206f}"
                        + "\\x{3164}\\x{fe00}-\\x{fe0f}\\x{feff}\\x{ffa0}&&[^\\n]]",
                "\t");
        search(
                rows,
                "io.sigma.controlplane.apidoc.OperationReader",
                "[ \\n\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}]+",
                " ",
                "\n");
        search(rows, "io.sigma.controlplane.apidoc.PathTemplate", "[^A-Za-z0-9_]", "-");
        search(rows, "io.sigma.controlplane.apidoc.PathTemplate", "/:[A-Za-z0-9_]+", "/:a", "/:aaaaaaaa");
        match(rows, "io.sigma.controlplane.resource.Declaration", "[A-Za-z0-9._-]{1,64}");
        match(
                rows,
                "io.sigma.controlplane.resource.EntityTags",
                "[ \\t]*(W/)?(\"[!\\x23-\\x7e\\x80-\\xff]*\")[ \\t]*(?:,|$)",
                " \t",
                "\"a",
                "\"a\" ",
                "W/\"a\",");
        search(rows, "io.sigma.controlplane.search.SearchQuery", "\\s+", " ", "a ");
        match(rows, "io.sigma.controlplane.search.SearchQuery", "GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS", "GET");
        match(rows, "io.sigma.controlplane.search.SearchQuery", "HTTP/[0-9.]+", "HTTP/1.");
        match(rows, "io.sigma.controlplane.search.SearchQuery", "([0-9]{1,5})", "1");
        match(
                rows,
                "io.sigma.controlplane.search.SearchQuery",
                "(?:([a-z][a-z0-9+.-]*)://)?(?:[^/?#@\\s]*@)?(\\[[0-9a-f:.]+]|[^/?#:\\s\\[\\]=]*)"
                        + "(?::([0-9]{1,5}))?([/?#].*)?",
                "a",
                "a://",
                "a@",
                "a:",
                "a:1",
                "[a",
                "[:",
                "a=");
        search(rows, "io.sigma.controlplane.search.Words", "[^\\p{L}\\p{N}]+", "-", "a-");
        match(rows, "io.sigma.controlplane.search.Words", "[0-9.]+|\\[.*", "1.", "[");
        search(rows, "io.sigma.controlplane.settings.OwnSecrets", "[^A-Za-z0-9._-]", "!");
        search(rows, "io.sigma.controlplane.store.AuditEntry", "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "\t");
        search(rows, "io.sigma.controlplane.store.history.Table", "([A-Z])", "A");
        match(
                rows,
                "io.sigma.dataplane.link.ControlPlaneAddress",
                "(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]/\\s]+))(?::(\\d{1,5}))?|([0-9a-fA-F.]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*)",
                "[a",
                "a:",
                "a:1",
                "::");
        search(rows, "io.sigma.dataplane.settings.OwnIdentity", "[^A-Za-z0-9._-]", "!");
        search(rows, "io.sigma.postgres.LogTail", "\\] ([A-Z]+): ", "] A", "] AAAAAAAA");
        match(rows, "io.sigma.cli.api.ApiOptions", "[!-~]+");
        match(rows, "io.sigma.cli.state.ConfigOptions", "(?s)[^=]{1,128}=.*", "a=");
        search(rows, "io.sigma.cli.Errors", "^sigma ?", "sigma ");
        match(rows, "io.sigma.cli.input.Ids", "[A-Za-z0-9._-]{1,64}");
        match(rows, "io.sigma.cli.state.StateFile", "(?i).*\\.ya?ml", ".yam", ".yml");
        return rows;
    }

    private static Set<String> found() {
        Set<String> found = new TreeSet<>();
        for (Class<?> any : List.of(
                ResourceType.class,
                Gateway.class,
                ControlPlane.class,
                EmbeddedPostgres.class,
                Standalone.class,
                Main.class)) {
            found.addAll(Expressions.of(any));
        }
        return found;
    }

    @Test
    void everyExpressionHasARowAndEveryRowAnExpression() {
        assertThat(found()).hasSizeGreaterThan(30).isEqualTo(new TreeSet<>(WORST.keySet()));
    }

    @Test
    void theWorstInputTakesStepsInProportion() {
        WORST.forEach((place, row) -> {
            String expression = place.substring(place.indexOf(' ') + 1);
            if (!expression.equals(Expressions.MADE)) {
                Pattern pattern = Pattern.compile(expression);
                for (String input : inputs(row.pieces)) {
                    if (row.searched) {
                        searched(pattern, input, place);
                    } else {
                        matched(pattern, input, place);
                    }
                }
            }
        });
    }

    @Test
    void whatIsNotInProportionIsFound() {
        for (String bad : new String[] {"-+$", "(a+)+b", "\\s*;", "(?:/[a-z]+)+!"}) {
            boolean caught = false;
            for (String piece : new String[] {"-", "a", " ", "/a"}) {
                try {
                    String input = piece.repeat(LENGTH / piece.length()) + "\u0001";
                    matched(Pattern.compile(bad), input, bad);
                    searched(Pattern.compile(bad), input, bad);
                } catch (AssertionError e) {
                    caught = true;
                }
            }
            assertThat(caught).as(bad).isTrue();
        }
    }

    /**
     * Returns the reviewed pieces, and some that are bad for many expressions, each to the end and with what cannot
     * match there.
     */
    private static List<String> inputs(List<String> pieces) {
        List<String> all = new ArrayList<>(pieces);
        all.addAll(List.of("a", "0", " ", "-", "/", "/a", "a.", "{", "\"", "\n", "$", "aA", ":", "[", "("));
        List<String> inputs = new ArrayList<>();
        for (String piece : all) {
            String repeated = piece.repeat(LENGTH / piece.length() + 1);
            inputs.add(repeated);
            inputs.add(repeated + "\u0001");
        }
        return inputs;
    }

    private static void matched(Pattern pattern, String input, String place) {
        run(
                new Counted(input),
                place,
                text -> pattern.matcher(text).matches() || pattern.matcher(text).lookingAt());
    }

    private static void searched(Pattern pattern, String input, String place) {
        run(new Counted(input), place, text -> {
            Matcher matcher = pattern.matcher(text);
            boolean more = true;
            while (more) {
                more = matcher.find();
            }
            return more;
        });
    }

    private interface Work {
        boolean on(CharSequence text);
    }

    private static void run(Counted text, String place, Work work) {
        try {
            work.on(text);
        } catch (StackOverflowError e) {
            throw new AssertionError(place + " recurses by its input " + text.start(), e);
        }
    }

    /** Counts how often a character is looked at. */
    private static final class Counted implements CharSequence {

        private final String text;
        private long steps;

        Counted(String text) {
            this.text = text;
        }

        String start() {
            return text.substring(0, 40);
        }

        @Override
        public char charAt(int index) {
            if (++steps > STEPS_A_CHARACTER_MAX * text.length()) {
                throw new AssertionError(
                        "more than " + STEPS_A_CHARACTER_MAX + " steps for each character of " + start());
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
