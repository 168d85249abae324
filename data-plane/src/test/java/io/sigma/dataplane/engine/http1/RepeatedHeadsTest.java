package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.InvalidRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The memory of one head must not affect the next one: each head must mean the same as on a new connection. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class RepeatedHeadsTest {

    private static final int HEADS = 150;
    private static final int TARGET_MAX = 60;

    private static final List<String> NAMES = List.of(
            "Host",
            "User-Agent",
            "ACCEPT",
            "content-length",
            "Connection",
            "x-one",
            "X-Two",
            "x_three",
            "Te",
            "Aa",
            "BB");
    private static final List<String> ASKED = Stream.concat(NAMES.stream(), Stream.of("x-none", "expect", "x-n70"))
            .map(name -> name.toLowerCase(Locale.ROOT))
            .toList();
    private static final FieldNames UNWANTED = FieldNames.of("connection", "te", "upgrade");
    private static final FieldLine LINE = new FieldLine("x-line", "encoded");

    private static final List<String> REQUEST_LINES = List.of(
            "GET / HTTP/1.1",
            "GET /a HTTP/1.1",
            "\r\nPOST /longer/than/that?q=1 HTTP/1.0",
            "\r\n\r\nPURGE " + "/" + "a".repeat(50) + " HTTP/1.1",
            "GET /" + "a".repeat(200) + " HTTP/1.1",
            "GET / HTTP/3.0",
            "GET  / HTTP/1.1",
            "G(T / HTTP/1.1",
            "PUT / HTTP/1");
    private static final List<String> RESPONSE_LINES =
            List.of("HTTP/1.1 200 OK", "HTTP/1.1 200 ", "HTTP/1.0 404 Not Found", "HTTP/1.1 304", "HTTP/2 200");

    /** What one connection is put to. */
    record Course(long seed, boolean response, int headMax, int fieldsMax, int valueMax) {

        HeadParser parser() {
            return response
                    ? new ResponseParser(new Texts(), headMax)
                    : new RequestParser(new Texts(), TARGET_MAX, headMax);
        }

        List<String> firstLines() {
            return response ? RESPONSE_LINES : REQUEST_LINES;
        }
    }

    static Stream<Course> courses() {
        List<Course> all = new ArrayList<>();
        for (long seed = 0; seed < 60; seed++) {
            boolean response = seed % 2 == 1;
            all.add(new Course(seed, response, 300, 8, 40));
            all.add(new Course(seed, response, 2_000, 12, 400));
            all.add(new Course(seed, response, 30_000, 12, 4_000));
            all.add(new Course(seed, response, 30_000, 140, 30));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("courses")
    void aHeadMeansTheSameAsOnANewConnection(Course course) {
        Random random = new Random(course.seed);
        HeadParser used = course.parser();
        List<String> lines = new ArrayList<>(List.of("Host: a.example", "User-Agent: tests", "accept: */*"));
        String first = course.firstLines().getFirst();
        int complete = 0;
        for (int i = 0; i < HEADS; i++) {
            String sent = head(random, course, first, lines);
            String as = course + ", head " + i + ": " + sent;
            HeadParser fresh = course.parser();
            String expected = outcome(fresh, List.of(sent));
            List<String> pieces = random.nextBoolean() ? List.of(sent) : cut(random, sent);
            assertThat(outcome(used, pieces)).as(as).isEqualTo(expected);
            if (expected.startsWith("complete")) {
                complete++;
                compare(random, fresh, used, as);
            }
            used.reset();
            assertThat(seen(used.fields())).as(as).isEqualTo(seen(new FieldTable(new Texts())));
            first = change(random, course, first, lines);
        }
        assertThat(complete).isGreaterThan(HEADS / 6);
    }

    /** Returns a head, which now and then is malformed or ends too early, and what follows it. */
    private static String head(Random random, Course course, String first, List<String> lines) {
        StringBuilder head = new StringBuilder(first).append("\r\n");
        lines.forEach(line -> head.append(line).append("\r\n"));
        head.append("\r\n");
        if (random.nextInt(10) == 0) {
            int at = random.nextInt(head.length());
            switch (random.nextInt(4)) {
                case 0 -> head.deleteCharAt(at);
                case 1 -> head.insert(at, "\n\r\t\u0000\u007f: ;\u00e9".charAt(random.nextInt(9)));
                case 2 -> head.insert(at, "v".repeat(random.nextInt(course.headMax)));
                default -> head.setLength(at);
            }
        } else if (random.nextInt(3) == 0) {
            head.append("b".repeat(random.nextInt(3_000)));
        }
        return head.toString();
    }

    /** Changes what the next head will be; returns its first line. */
    private static String change(Random random, Course course, String first, List<String> lines) {
        int changes = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : random.nextInt(2);
        for (int i = 0; i < changes; i++) {
            int at = lines.isEmpty() ? 0 : random.nextInt(lines.size());
            int kind = random.nextInt(8);
            if (lines.isEmpty() || (kind == 0 && lines.size() < course.fieldsMax)) {
                lines.add(at, line(random, course, name(random)));
            } else if (kind == 1) {
                lines.add(lines.remove(at));
            } else if (kind == 2) {
                lines.remove(at);
            } else if (kind == 3 && course.fieldsMax > 64) {
                for (int j = lines.size(); j < random.nextInt(course.fieldsMax); j++) {
                    lines.add("X-N" + j + (j % 50 == 49 ? "_" : "") + ": " + j);
                }
            } else {
                String line = lines.get(at);
                lines.set(at, line(random, course, line.substring(0, line.indexOf(':'))));
            }
        }
        while (lines.stream().mapToInt(String::length).sum() > course.headMax) {
            lines.removeFirst();
        }
        return random.nextInt(4) == 0
                ? course.firstLines().get(random.nextInt(course.firstLines().size()))
                : first;
    }

    private static String name(Random random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static String line(Random random, Course course, String name) {
        String value = random.nextBoolean()
                ? String.valueOf(random.nextInt(100_000))
                : "v\t".repeat(1) + "w".repeat(random.nextInt(random.nextInt(4) == 0 ? course.valueMax : 20));
        return name + ":" + " \t".repeat(random.nextInt(2)) + value + " ".repeat(random.nextInt(2));
    }

    private static List<String> cut(Random random, String text) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(random.nextInt(3) == 0 ? 3 : 200));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }

    /**
     * Returns what {@code parser} makes of it, the fields aside: what is left behind the head, or what is wrong with
     * it.
     */
    private static String outcome(HeadParser parser, List<String> pieces) {
        try {
            for (int i = 0; i < pieces.size(); i++) {
                ByteBuf piece = Unpooled.copiedBuffer(pieces.get(i), StandardCharsets.ISO_8859_1);
                if (parser.read(piece)) {
                    String rest = piece.toString(StandardCharsets.ISO_8859_1)
                            + String.join("", pieces.subList(i + 1, pieces.size()));
                    return "complete: " + first(parser) + status(parser) + ", then " + rest;
                }
                assertThat(piece.isReadable()).isFalse();
            }
            return "goes on";
        } catch (InvalidMessage e) {
            // Of what is malformed the first line is logged, as far as it could be read.
            return e.kind() + ": " + first(parser);
        }
    }

    private static String first(HeadParser parser) {
        return parser instanceof RequestParser request ? request.line().toString() : "";
    }

    private static String status(HeadParser parser) {
        return parser instanceof ResponseParser response ? response.status() + (response.isHttp10() ? " old" : "") : "";
    }

    /** Has both tables asked and edited in the same way. */
    private static void compare(Random random, HeadParser fresh, HeadParser used, String as) {
        FieldTable expected = fresh.fields();
        FieldTable actual = used.fields();
        if (random.nextInt(4) > 0) {
            assertThat(seen(actual)).as(as).isEqualTo(seen(expected));
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            Consumer<FieldTable> edit = edit(random);
            edit.accept(expected);
            edit.accept(actual);
            if (random.nextBoolean()) {
                assertThat(seen(actual)).as("%s, edited", as).isEqualTo(seen(expected));
            }
        }
        assertThat(seen(actual)).as("%s, edited", as).isEqualTo(seen(expected));
    }

    private static Consumer<FieldTable> edit(Random random) {
        String name = name(random);
        String value = "set " + random.nextInt(10);
        return switch (random.nextInt(6)) {
            case 0 -> table -> table.remove(name);
            case 1 -> table -> table.removeAll(UNWANTED);
            case 2 -> table -> table.add(name, value);
            case 3 -> table -> table.set(name, value);
            case 4 -> table -> table.add(LINE);
            default -> table -> table.removeIf(candidate -> candidate.startsWith("X"));
        };
    }

    /** Returns all that can be learnt of a table. */
    private static List<@Nullable Object> seen(FieldTable table) {
        List<@Nullable Object> seen = new ArrayList<>();
        for (String name : ASKED) {
            for (String asked : List.of(name, name.toUpperCase(Locale.ROOT), name)) {
                seen.add(table.get(asked));
                seen.add(table.all(asked));
                seen.add(table.count(asked));
                seen.add(table.contains(asked));
                seen.add(orRefusal(() -> table.only(asked)));
            }
            seen.add(table.number(name, 5));
        }
        seen.add(table.parsed());
        seen.add(table.size());
        seen.add(table.mayHaveOddNames());
        table.forEach((name, value) -> seen.add(name + "=" + value));
        HeadBuffer out = new HeadBuffer().begin();
        table.write(out);
        seen.add(new String(out.octets(), 0, out.length(), StandardCharsets.ISO_8859_1));
        return seen;
    }

    private static @Nullable Object orRefusal(Supplier<@Nullable String> question) {
        try {
            return question.get();
        } catch (InvalidRequest e) {
            return e.kind();
        }
    }

    // --- What is remembered

    private final RequestParser parser = new RequestParser(new Texts(), 1_000, 10_000);

    private FieldTable next(String head) {
        parser.reset();
        assertThat(parser.read(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1)))
                .isTrue();
        return parser.fields();
    }

    private static String value(FieldTable table, String name) {
        return Objects.requireNonNull(table.get(name));
    }

    /** Longer than texts that connections share. */
    private static String longText(char filling) {
        return String.valueOf(filling).repeat(300);
    }

    @Test
    void aValueIsOneTextAsLongAsItsLineIsTheSame() {
        String agent = "User-Agent: " + longText('u') + "\r\n";
        String end = "Accept: " + longText('a') + "\r\n\r\n";
        next("GET / HTTP/1.1\r\nHost: a\r\n" + agent + end);
        FieldTable table = next("GET / HTTP/1.1\r\nHost: a\r\n" + agent + end);
        String first = value(table, "user-agent");
        String last = value(table, "accept");
        table.remove("user-agent");
        assertThat(next("GET /longer HTTP/1.1\r\nHost: a\r\n" + agent + end).get("user-agent"))
                .isSameAs(first);
        // Lines behind one that has another value begin elsewhere.
        table = next("GET / HTTP/1.1\r\nHost: longer.example\r\n" + agent + end);
        assertThat(table.get("host")).isEqualTo("longer.example");
        assertThat(table.get("user-agent")).isSameAs(first);
        assertThat(table.get("accept")).isSameAs(last);
        table = next("GET / HTTP/1.1\r\nHost: longer.example\r\nUser-Agent: " + longText('v') + "\r\n" + end);
        assertThat(table.get("user-agent")).isEqualTo(longText('v'));
        assertThat(table.get("accept")).isSameAs(last);
    }

    @Test
    void aHeadThatWasNotCompleteIsNothingToCompareWith() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + longText('x') + "\r\n\r\n";
        next(head);
        String known = value(next(head), "x-long");
        parser.reset();
        assertThat(parser.read(Unpooled.copiedBuffer(head.substring(0, 40), StandardCharsets.ISO_8859_1)))
                .isFalse();
        assertThat(next(head).get("x-long")).isEqualTo(known).isNotSameAs(known);
    }

    @Test
    void whatFollowsAHeadNeedsNoRoom() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        int before = parser.surplus();
        for (int i = 0; i < 3; i++) {
            next(head + "b".repeat(5_000));
        }
        assertThat(parser.surplus()).isEqualTo(before);
    }
}
