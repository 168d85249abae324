package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalPathTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b, /a/b",
        "/a/./b, /a/b",
        "/a/../b, /b",
        "/../../b, /b",
        "/a/.., /",
        "/a/b/.., /a/",
        "/a/., /a/",
        "/%7euser, /~user",
        "/%2e%2E/x, /x",
        "/a%2fb, /a%2Fb",
        "/a//b, /a/b",
        "//, /",
        "/a/..;x=y/b, /b",
        "/a/.hidden, /a/.hidden",
        "/a/...;x, /a/...;x",
        "/a/, /a/",
        "/%e2%82%ac, /%E2%82%AC",
        "/a|b, /a%7Cb",
        "/a%7cb, /a%7Cb",
        "/{a}<b>^`, /%7Ba%7D%3Cb%3E%5E%60",
        "/a[0]!$&()*+;=:@, /a[0]!$&()*+;=:@",
    })
    void everySpellingHasOneNormalForm(String path, String normal) {
        assertThat(NormalPath.of(path)).isEqualTo(normal);
        assertThat(NormalPath.of(normal)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "/%", "/%4", "/%zz", "/%00", "/a\\b", "/a b", "/\u0001", "/é"})
    void whatHasNoMeaningIsRefused(String path) {
        assertThatThrownBy(() -> NormalPath.of(path)).isInstanceOf(InvalidValue.class);
    }

    @Test
    void aNormalPathIsReturnedItself() {
        String path = "/api/v1/things";
        assertThat(NormalPath.of(path)).isSameAs(path);
    }

    @Test
    void charactersThatNoUriHasAreEncoded() {
        assertThat(NormalPath.encoded("a={\"b\":[1]}&c=<d>|\\^`~é"))
                .isEqualTo("a=%7B%22b%22:[1]%7D&c=%3Cd%3E%7C%5C%5E%60~é");
        String text = "a=b%7C&c[]='*";
        assertThat(NormalPath.encoded(text)).isSameAs(text);
    }
}
