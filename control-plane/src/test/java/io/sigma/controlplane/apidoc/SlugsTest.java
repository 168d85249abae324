package io.sigma.controlplane.apidoc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlugsTest {

    @ParameterizedTest
    @CsvSource({
        "Pet Store, Pet-Store",
        "'  a  ', a",
        "--a--b--, a--b",
        "/users/{id}, users-id",
        "'.', ''",
        "'..', ''",
        "'...-', ...",
        ".a, .a",
        "ü, ''",
    })
    void nothingIsLeftButWhatAnIdMayHave(String text, String slug) {
        assertThat(Slugs.of(text)).isEqualTo(slug);
    }

    @Test
    void aLongTextTakesNoLongerThanItsLength() {
        // A quadratic reading takes half a minute: the test would time out rather than fail by a little.
        assertThat(Slugs.of("-".repeat(2_000_000) + "a" + "-".repeat(2_000_000) + "b"))
                .hasSize(2_000_002);
    }
}
