package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.FailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IfMatchTest {

    @Test
    void listsAreReadAndWeakTagsLeftOut() {
        assertThat(IfMatch.parse(null)).isEqualTo(IfMatch.NONE);
        assertThat(IfMatch.parse(" * ").any()).isTrue();
        assertThat(IfMatch.parse("\"a\", W/\"b\",\t\"c,d\"").tags()).containsExactly("\"a\"", "\"c,d\"");
        assertThat(IfMatch.parse("W/\"a\"").tags()).isEmpty();
        assertThat(IfMatch.parse("W/\"a\"").present()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"a", "a\"", "\"a\" \"b\"", "\"a\",b", "w/\"a\"", "\"a b\"", "*, \"a\"", ","})
    void othersAreRefused(String value) {
        assertThatThrownBy(() -> IfMatch.parse(value))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(value)
                .hasMessageContaining("(expected: ");
    }
}
