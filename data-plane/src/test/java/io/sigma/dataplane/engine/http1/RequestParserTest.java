package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.exchange.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class RequestParserTest {

    private static final int TARGET_MAX = 200;
    private static final int HEAD_MAX = 400;

    private final RequestParser parser = new RequestParser(new Texts(), TARGET_MAX, HEAD_MAX);

    private static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    private boolean read(String text) {
        return parser.read(buffer(text));
    }

    private static List<String> fields(FieldTable table) {
        List<String> fields = new ArrayList<>();
        table.forEach((name, value) -> fields.add(name + "=" + value));
        return fields;
    }

    @Test
    void aHeadIsTheSameWhereverItIsCut() {
        String head = "PURGE /a/b?c=d HTTP/1.1\r\nHost: a.example\r\nX-Tab:\t a\tb \t\r\nEmpty:\r\nX-Tab: 2\r\n\r\n";
        for (int cut = 1; cut < head.length(); cut++) {
            parser.reset();
            assertThat(read(head.substring(0, cut))).as("cut at %d", cut).isFalse();
            ByteBuf rest = buffer(head.substring(cut) + "body");
            assertThat(parser.read(rest)).isTrue();
            assertThat(rest.toString(StandardCharsets.US_ASCII)).isEqualTo("body");
            assertThat(parser.line().method()).isEqualTo("PURGE");
            assertThat(parser.line().target()).isEqualTo("/a/b?c=d");
            assertThat(parser.line().http10()).isFalse();
            assertThat(fields(parser.fields())).containsExactly("Host=a.example", "X-Tab=a\tb", "Empty=", "X-Tab=2");
        }
    }

    @Test
    void roomForALongHeadIsNotKept() {
        RequestParser roomy = new RequestParser(new Texts(), TARGET_MAX, 100_000);
        String before = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        assertThat(roomy.read(buffer(before + "a".repeat(60_000) + "\r\n\r\n"))).isTrue();
        assertThat(roomy.surplus()).isGreaterThan(60_000);
        roomy.reset();
        assertThat(roomy.surplus()).isLessThan(10_000);
        assertThat(roomy.read(buffer(before + "b".repeat(5_000) + "\r\n\r\n"))).isTrue();
        assertThat(roomy.fields().get("x")).isEqualTo("b".repeat(5_000));
        roomy.reset();
        assertThat(roomy.surplus()).isGreaterThan(5_000);
    }

    @Test
    void nothingOfTheHeadBeforeIsLeft() {
        assertThat(read("GET /long/target HTTP/1.0\r\nHost: a\r\nX-One: 1\r\n\r\n"))
                .isTrue();
        assertThat(parser.line().http10()).isTrue();
        parser.fields().add("x-added", "1");
        parser.reset();
        assertThat(fields(parser.fields())).isEmpty();
        assertThat(read("PUT / HTTP/1.1\r\nHost: b\r\n\r\n")).isTrue();
        assertThat(parser.line().http10()).isFalse();
        assertThat(fields(parser.fields())).containsExactly("Host=b");
        assertThat(parser.fields().contains("x-one")).isFalse();
        assertThat(parser.fields().contains("x-added")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "\nGET / HTTP/1.1\r\n\r\n",
                "\rGET / HTTP/1.1\r\n\r\n",
                "\u0000GET / HTTP/1.1\r\n\r\n",
                " GET / HTTP/1.1\r\n\r\n",
                "GET  / HTTP/1.1\r\n\r\n",
                "GET / \r\n\r\n",
                "GET /\r\n\r\n",
                "GET / a HTTP/1.1\r\n\r\n",
                "GET /\t HTTP/1.1\r\n\r\n",
                "GET /\u0001 HTTP/1.1\r\n\r\n",
                "GET /\u007f HTTP/1.1\r\n\r\n",
                "G(T / HTTP/1.1\r\n\r\n",
                "GET / http/1.1\r\n\r\n",
                "GET / HTTP/1.x\r\n\r\n",
                "GET / HTTP/11\r\n\r\n",
                "GET / HTTP/1.1 \r\n\r\n",
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET / HTTP/1.1\r\n: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\r\n\tHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\rb\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\r\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\u0000b\r\n\r\n",
                "GET / HTTP/1.1\r\nX: 12345678\u007f\r\n\r\n",
                "GET / HTTP/1.1\r\nX\u0001: a\r\n\r\n",
                "GET / HTTP/1.1\r\nX\u00e9: a\r\n\r\n",
            })
    void whatIsMalformedIsABadRequest(String head) {
        assertThatThrownBy(() -> read(head))
                .isInstanceOfSatisfying(
                        InvalidMessage.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BAD_REQUEST));
    }

    @ParameterizedTest
    @CsvSource({"HTTP/2.0", "HTTP/0.9", "HTTP/3.1"})
    void anotherMajorVersionIsNotSupported(String version) {
        assertThatThrownBy(() -> read("GET / " + version + "\r\n\r\n"))
                .isInstanceOfSatisfying(
                        InvalidMessage.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VERSION));
    }

    @Test
    void emptyLinesBeforeARequestAreIgnoredWithinBounds() {
        assertThat(read("\r\n\r\nGET / HTTP/1.1\r\n\r\n")).isTrue();
        assertThat(parser.line().method()).isEqualTo("GET");
        parser.reset();
        assertThatThrownBy(() -> read("\r\n".repeat(TARGET_MAX))).isInstanceOf(InvalidMessage.class);
    }

    @Test
    void aLaterMinorVersionIsServed() {
        assertThat(read("GET / HTTP/1.9\r\nHost: a\r\n\r\n")).isTrue();
        assertThat(parser.line().http10()).isFalse();
    }

    @Test
    void aTargetOrAHeadOverItsLimitIsToldApartBeforeItsEnd() {
        assertThatThrownBy(() -> read("GET /" + "a".repeat(TARGET_MAX + 100)))
                .isInstanceOfSatisfying(
                        InvalidMessage.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TARGET_TOO_LONG));
        parser.reset();
        assertThatThrownBy(() -> read("GET / HTTP/1.1\r\nX: " + "a".repeat(HEAD_MAX)))
                .isInstanceOfSatisfying(
                        InvalidMessage.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.HEAD_TOO_LARGE));
        parser.reset();
        assertThatThrownBy(() -> read("GET / HTTP/1.1\r\n" + "X: a\r\n".repeat(HEAD_MAX / 6 + 1)))
                .isInstanceOfSatisfying(
                        InvalidMessage.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.HEAD_TOO_LARGE));
        parser.reset();
        assertThat(read("GET /" + "a".repeat(TARGET_MAX - 1) + " HTTP/1.1\r\n" + "X: aa\r\n".repeat(HEAD_MAX / 7)
                        + "\r\n"))
                .isTrue();
    }

    @Test
    void theEndOfALineIsFoundAtEveryDistance() {
        for (int length = 0; length < 40; length++) {
            parser.reset();
            String value = "v".repeat(length);
            assertThat(read("GET / HTTP/1.1\r\nX: " + value + "\r\n\r\n")).isTrue();
            assertThat(parser.fields().get("x")).isEqualTo(value);
            for (int at = 0; at < length; at++) {
                String bad = value.substring(0, at) + "\u0002" + value.substring(at + 1);
                parser.reset();
                assertThatThrownBy(() -> read("GET / HTTP/1.1\r\nX: " + bad + "\r\n\r\n"))
                        .isInstanceOf(InvalidMessage.class);
            }
        }
    }
}
