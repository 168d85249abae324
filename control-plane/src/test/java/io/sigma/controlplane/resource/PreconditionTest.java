package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.FailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PreconditionTest {

    @Test
    void listsAreReadAndWeakTagsLeftOut() {
        assertThat(EntityTags.ifMatch(null)).isEqualTo(EntityTags.NONE);
        assertThat(EntityTags.ifMatch(" * ").any()).isTrue();
        assertThat(EntityTags.ifMatch("\"a\", W/\"b\",\t\"c,d\"").tags()).containsExactly("\"a\"", "\"c,d\"");
        assertThat(EntityTags.ifMatch("W/\"a\"").tags()).isEmpty();
        assertThat(EntityTags.ifMatch("W/\"a\"").present()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"a", "a\"", "\"a\" \"b\"", "\"a\",b", "w/\"a\"", "\"a b\"", "*, \"a\"", ","})
    void othersAreRefused(String value) {
        assertThatThrownBy(() -> EntityTags.ifMatch(value))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(value)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void ifNoneMatchComparesWeakly() {
        assertThat(EntityTags.ifNoneMatch("W/\"a\", \"b\"").tags()).containsExactly("\"a\"", "\"b\"");
        assertThat(EntityTags.ifNoneMatch("*").has("\"c\"")).isTrue();
        assertThat(EntityTags.ifNoneMatch(null).has("\"c\"")).isFalse();
    }
}
