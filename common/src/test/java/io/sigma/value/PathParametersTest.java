package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathParametersTest {

    @ParameterizedTest
    @CsvSource({
        "/a;x/b, /a/b, /a/b",
        "/a;x, /a, /a",
        "/a/;x, /a/, /a/",
        "/a;/b;;c/, /a/b/, /a/b/",
        "/;/a, /a, //a",
        "/;x/;y/a, /a, ///a",
        "/;, /, /",
        "/;/, /, //",
        "/a;/;, /a/, /a/",
        "/a%3Bx/b;c, /a%3Bx/b, /a%3Bx/b"
    })
    void segmentsCountUpToTheirFirstSemicolon(String path, String merged, String unmerged) {
        assertThat(PathParameters.without(path, true)).isEqualTo(merged);
        assertThat(PathParameters.without(path, false)).isEqualTo(unmerged);
    }

    @Test
    void pathWithoutAnyIsReturnedItself() {
        String path = "/a/b/";
        assertThat(PathParameters.without(path, true)).isSameAs(path);
    }

    @ParameterizedTest
    @CsvSource({
        "/a, /a;x/b, 4",
        "/a, /a;x, 4",
        "/a, /a, 2",
        "/a, /a/b;x, 2",
        "/a/b, /a;x/b;y/c, 8",
        "/a/b, /a;x, -1",
        "/a, /ab;x, -1",
        "/a, /;/a, -1"
    })
    void prefixEndsBehindItsParameters(String prefix, String path, int end) {
        assertThat(PathParameters.endOf(prefix, path)).isEqualTo(end);
    }
}
