package io.sigma.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AffixesTest {

    private static final String[] PARTS = {
        "a", "b", "/", "]", "}", "-", "\\.", "\\d", "\\w", ".", "[ab]", "[^a]", "[]a]", "[}]", "[[:alpha:]]", "[\\]b]",
        "(a|b)", "(?:ab)", "(?<n>b)", "((?i)a)", "(?i)", "(?i:b)", "(a)", "|", "^", "$", "*", "+", "?", "{2}", "{0,1}",
                "{",
        "{b}", "*?", "+?", "\\Qa.b\\E", "\\x62", "\\x{61}", "\\pL", "\\b", "([)])"
    };

    @ParameterizedTest
    @CsvSource(
            value = {
                "/api/v[0-9]+/.*; /api/v; ''",
                "^/api/v[0-9]+/x$; /api/v; /x",
                "/a/b; /a/b; /a/b",
                ".*\\.php; ''; .php",
                "/ab?c; /a; c",
                "/ab+c; /ab; bc",
                "/ab{2}c; /a; c",
                "/a|/b; ''; ''",
                "(/a|/b)/c; ''; /c",
                "(?i)/a; ''; ''",
                "/a(?i)b; ''; ''",
                "/users/(?<id>[^/]+)/orders; /users/; /orders",
                "/a[]|]b; /a; b",
                "/a([)]|x)b; /a; b",
                "/a{[}]b; ''; ''",
                "/\\Qa.b\\E/c; ''; ''",
            },
            delimiter = ';')
    void literalsAtBothEndsAreFound(String expression, String prefix, String suffix) {
        assertThat(Affixes.of(expression)).isEqualTo(new Affixes(prefix, suffix));
    }

    @Test
    void whateverAnExpressionMatchesHasItsAffixes() {
        Random random = new Random(11);
        int matched = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder expression = new StringBuilder();
            for (int part = random.nextInt(6); part >= 0; part--) {
                expression.append(PARTS[random.nextInt(PARTS.length)]);
            }
            Pattern pattern = compile(expression.toString());
            if (pattern == null) {
                continue;
            }
            Affixes affixes = Affixes.of(expression.toString());
            for (int attempt = 0; attempt < 60; attempt++) {
                String text = text(random);
                if (pattern.matches(text)) {
                    matched++;
                    assertThat(text).as("%s", expression).startsWith(affixes.prefix());
                    assertThat(text).as("%s", expression).endsWith(affixes.suffix());
                }
            }
        }
        assertThat(matched).isGreaterThan(5_000);
    }

    private static @org.jspecify.annotations.Nullable Pattern compile(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    private static String text(Random random) {
        String alphabet = "aabb/]}-.{AB1";
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
