package io.sigma.controlplane.apidoc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SegmentGlobTest {

    private static final String[] PARTS = {"[^/]+", ".+", ".*", "a", "b", "\\.", "ab"};

    @Test
    void saysWhatTheExpressionSays() {
        Random random = new Random(7);
        int matching = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder expression = new StringBuilder();
            for (int left = random.nextInt(6); left > 0; left--) {
                expression.append(PARTS[random.nextInt(PARTS.length)]);
            }
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(7); left > 0; left--) {
                text.append("ab.".charAt(random.nextInt(3)));
            }
            boolean expected = Pattern.matches(expression.toString(), text);
            SegmentGlob glob = SegmentGlob.of(expression.toString().replace("[^/]+", "\0"), '\0');
            assertThat(glob.matches(text.toString()))
                    .as("%s of %s", text, expression)
                    .isEqualTo(expected);
            matching += expected ? 1 : 0;
        }
        assertThat(matching).isGreaterThan(1_000);
    }
}
