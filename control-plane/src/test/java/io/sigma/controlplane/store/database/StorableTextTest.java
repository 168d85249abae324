package io.sigma.controlplane.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorableTextTest {

    private static final int LENGTH_MAX = 4;

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"\0", "a\0b", "abcde"})
    void refusesWhatTheDatabaseWouldNotTakeAndNamesTheField(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorableText.requireStorable("host", text, LENGTH_MAX))
                .withMessage("host (expected: a text of 0..4 characters without NUL)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abcd", "\u0001\n"})
    void takesOthers(String text) {
        assertThatNoException().isThrownBy(() -> StorableText.requireStorable("host", text, LENGTH_MAX));
    }

    @Test
    void looksForNulAnywhere() {
        assertThat(StorableText.isStorable("gateway\0")).isFalse();
        assertThat(StorableText.isStorable("gateway")).isTrue();
    }
}
