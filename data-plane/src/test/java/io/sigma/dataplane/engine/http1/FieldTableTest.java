package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldTableTest {

    private final RequestParser parser = new RequestParser(new Texts(), 1000, 10_000);

    private FieldTable table(String... lines) {
        parser.reset();
        String head = "GET / HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
        assertThat(parser.read(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1)))
                .isTrue();
        return parser.fields();
    }

    private static String written(FieldTable table) {
        HeadBuffer out = new HeadBuffer().begin();
        table.write(out);
        return new String(out.octets(), 0, out.length(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void namesCompareWithoutRegardToCase() {
        FieldTable table = table("HoSt: a", "X-ONE: 1", "x-one: 2");
        assertThat(table.get("host")).isEqualTo("a");
        assertThat(table.get("Host")).isEqualTo("a");
        assertThat(table.all("X-One")).containsExactly("1", "2");
        assertThat(table.contains("x-onE")).isTrue();
        assertThat(table.contains("x-two")).isFalse();
        assertThat(table.get("x-two")).isNull();
        assertThat(table.all("x-two")).isEmpty();
    }

    @Test
    void whatNobodyChangedIsWrittenAsItCame() {
        FieldTable table = table("Host:a", "X-One:  1 ", "Accept: */*", "Cookie: a=b");
        table.remove("x-one");
        table.set("ACCEPT", "text/html");
        table.add("X-New", "n");
        assertThat(written(table)).isEqualTo("Host:a\r\nCookie: a=b\r\nACCEPT: text/html\r\nX-New: n\r\n");
    }

    @Test
    void editsAreSeenByWhoLooksLater() {
        FieldTable table = table("A: 1", "B: 2");
        table.set("a", "3");
        assertThat(table.get("A")).isEqualTo("3");
        table.add("a", "4");
        assertThat(table.all("a")).containsExactly("3", "4");
        table.remove("a");
        assertThat(table.contains("a")).isFalse();
        table.removeIf(name -> name.equalsIgnoreCase("b"));
        assertThat(written(table)).isEmpty();
    }

    @Test
    void manyFieldsAreKept() {
        String[] lines = new String[500];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "N" + i + ": " + i;
        }
        FieldTable table = table(lines);
        assertThat(table.parsed()).isEqualTo(500);
        assertThat(table.get("n499")).isEqualTo("499");
        assertThat(written(table)).isEqualTo(String.join("\r\n", lines) + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\u0000", "\u0100"})
    void whatWouldEndAFieldIsRefused(String value) {
        FieldTable table = table("A: 1");
        assertThatThrownBy(() -> table.set("x", value)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.add("x: y" + value, "1")).isInstanceOf(IllegalArgumentException.class);
        assertThat(written(table)).isEqualTo("A: 1\r\n");
    }
}
