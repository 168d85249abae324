package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

    @Test
    void pathsAreExactPrefixParametersOrExpressions() {
        assertThat(PathPattern.parse("/a/b")).isEqualTo(new PathPattern.Exact("/a/b"));
        assertThat(PathPattern.parse("/a/*")).isEqualTo(new PathPattern.Prefix("/a"));
        assertThat(PathPattern.parse("/*")).isEqualTo(new PathPattern.Prefix(""));
        assertThat(PathPattern.parse("/users/:id/*"))
                .isEqualTo(new PathPattern.Segments(
                        List.of(new PathPattern.Segment("users", false), new PathPattern.Segment("id", true)), true));
        assertThat(PathPattern.parse("~/v[0-9]+")).isInstanceOf(PathPattern.Regex.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "/a*", "/a/*/b", "/:", "/:a/:a", "/:a-b", "/a/../b", "/a//b", "~(", "~(?=x)", "/a?b c"})
    void pathsWithoutMeaningAreRefusedByName(String path) {
        assertThatThrownBy(() -> PathPattern.parse(path))
                .isInstanceOf(InvalidValue.class)
                .hasMessageContaining(path.startsWith("~") ? path.substring(1) : path)
                .hasMessageContaining("expected:");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8888, false, localhost, 8888, ''",
        "https://Node.Example.com, true, node.example.com, 443, ''",
        "http://[::1]:81/base/, false, ::1, 81, /base",
        "http://10.0.0.1/a/b, false, 10.0.0.1, 80, /a/b",
        "http://my_app:8080/a, false, my_app, 8080, /a",
        "https://Stack_web.tasks_1., true, stack_web.tasks_1, 443, ''",
        "http://_dns_.example, false, _dns_.example, 80, ''",
    })
    void nodeUrlsHaveSchemeHostPortAndPrefix(String url, boolean tls, String host, int port, String prefix) {
        assertThat(NodeUrl.parse(url)).isEqualTo(new NodeUrl(tls, host, port, prefix));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:1",
                "ftp://a",
                "http://",
                "http://a:0",
                "http://a:99999",
                "http://u@a",
                "http://a?b",
                "http://a#b",
                "http://a:",
                "http://a_b:",
                "http://a_b:0",
                "http://a_b:65536",
                "http://a_b:x",
                "http://u@a_b",
                "http://a_b?c",
                "http://a_b#c",
                "http://a_b..c",
                "http://_.1",
                "http://2130706433",
                "http://0x7f.1",
                "http://127.1",
                "http://[::1%25lo]",
                "http://a b",
                "http://a/%zz"
            })
    void nodeUrlsWithoutMeaningAreRefused(String url) {
        assertThatThrownBy(() -> NodeUrl.parse(url)).isInstanceOf(InvalidValue.class);
    }

    @ParameterizedTest
    @CsvSource({
        "/test/(?<segment>.*), /${segment}, /test/x/y, /x/y",
        "/a/(.)(.), /$2$1, /a/12, /21",
        "/price, /$$1, /price, /$1",
        "/a/(?<b>.*), ${b}, /a/c, /c",
        "/a/(.*), /b?q=$1&r=1, /a/c;d=e&f, /b?q=c%3Bd%3De%26f&r=1",
        "/a/(.*)/(.*), /$1?q=$2, /a/x/y/z%3F, /x/y?q=z%3F",
        "/a/(.*), /b#$1, /a/c, /b%23c",
        "/nothing, /x, /else, /else",
        "/a(/b)?, /z$1, /a, /z",
    })
    void rewritesReplaceGroups(String regexp, String replacement, String path, String rewritten) {
        assertThat(PathRewrite.parse(Re2.compile(regexp), replacement).apply(path))
                .isEqualTo(rewritten);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/$1",
                "/${rest}",
                "${rest}",
                "/b/$1",
                "/x/$1/y",
                "/x$0",
                "/$1$1",
                "a/$1",
                "b/$1",
                "/x",
                "$1/",
                "/a/b/${rest}"
            })
    void prefixWithARestIsRewrittenAsAnyExpression(String replacement) {
        for (String rest : new String[] {"(?<rest>.*)", "(?P<rest>.*)$"}) {
            PathRewrite plain = PathRewrite.parse(Re2.compile("/a/b/" + rest), replacement);
            PathRewrite expression = PathRewrite.parse(Re2.compile("/[a]/b/" + rest), replacement);
            for (String path : new String[] {
                "/a/b/",
                "/a/b/c",
                "/a/b/c/d%20",
                "/a/b",
                "/",
                "",
                "/a/bc",
                "/a/b//",
                "/a/b/a/b/",
                "/x/a/b/c",
                "/a/b/x\ny"
            }) {
                assertThat(plain.apply(path)).as(path).isEqualTo(expression.apply(path));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/${other}", "/$3", "/$", "/${a", "/$x", "/a b", "/${}"})
    void rewritesWithGroupsThatDoNotExistAreRefused(String replacement) {
        assertThatThrownBy(() -> PathRewrite.parse(Re2.compile("/(?<a>.)(.)"), replacement))
                .isInstanceOf(InvalidValue.class);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "::ffff:192.0.2.1, 192.0.2.1",
        "0:0:0:0:0:0:0:1, ::1",
        "::, ::",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "0:0:3:4:5:6:7:8, ::3:4:5:6:7:8",
        "2001:0db8:0:0:0:ff00:0042:8329, 2001:db8::ff00:42:8329",
    })
    void addressesHaveOneText(String address, String text) {
        assertThat(Addresses.text(Addresses.parse(address))).isEqualTo(text);
    }

    @Test
    void addressRangesContainWhatSharesTheirPrefix() {
        assertThat(AddressRange.parse("10.0.0.0/8").contains(Addresses.parse("10.255.0.1")))
                .isTrue();
        assertThat(AddressRange.parse("10.0.0.0/9").contains(Addresses.parse("10.128.0.1")))
                .isFalse();
        assertThat(AddressRange.parse("::1").contains(Addresses.parse("::1"))).isTrue();
        assertThat(AddressRange.parse("0.0.0.0/0").contains(Addresses.parse("::1")))
                .isFalse();
        assertThatThrownBy(() -> AddressRange.parse("10.0.0.0/33")).isInstanceOf(InvalidValue.class);
        assertThatThrownBy(() -> AddressRange.parse("localhost")).isInstanceOf(InvalidValue.class);
    }

    @Test
    void hostsAreComparedInLowerCaseWithoutTrailingDot() {
        assertThat(HostPattern.parse("*.Example.COM.")).isEqualTo(new HostPattern("example.com", true));
        assertThat(HostPattern.parse("[::1]")).isEqualTo(new HostPattern("[::1]", false));
        for (String bad : List.of("", "a..b", "*", "*.", "a:80", "a b", "*.*.a", "[::g]")) {
            assertThatThrownBy(() -> HostPattern.parse(bad)).isInstanceOf(InvalidValue.class);
        }
    }

    @Test
    void mediaRangesOverlapByWildcard() {
        assertThat(MediaRange.parse("text/*").overlaps(MediaRange.parse("TEXT/html; charset=utf-8")))
                .isTrue();
        assertThat(MediaRange.parse("application/json").overlaps(MediaRange.parse("text/html")))
                .isFalse();
        for (String bad : List.of("json", "*/json", "a/", "/b", "a/b/c")) {
            assertThatThrownBy(() -> MediaRange.parse(bad)).isInstanceOf(InvalidValue.class);
        }
    }

    @Test
    void locationsExpandTheirVariables() {
        LocationTemplate template = LocationTemplate.parse("https://$host$request_uri?cost=$$1");
        assertThat(template.expand(v -> v == LocationTemplate.Variable.HOST ? "a.example" : "/x"))
                .isEqualTo("https://a.example/x?cost=$1");
        assertThatThrownBy(() -> LocationTemplate.parse("/$nobody")).hasMessageContaining("not $nobody");
        assertThatThrownBy(() -> LocationTemplate.parse("/a\r\nSet-Cookie: b")).isInstanceOf(InvalidValue.class);
    }
}
