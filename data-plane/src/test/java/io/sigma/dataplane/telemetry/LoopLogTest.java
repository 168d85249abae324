package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sigma.value.LogTemplate;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LoopLogTest {

    private static final String[] TEXTS = {
        "",
        "web",
        "plain route",
        "quote\" back\\slash",
        "line\r\n\t\u0000\u007f",
        "\u00e9\u00ff",
        "\u4e2d\u6587\ud83d\ude00"
    };
    private static final long[] TIMES = {
        0, 1, 999, 1_000, 86_399_999, 86_400_000, 951_782_400_123L, 1_772_366_400_007L, 4_102_444_799_999L
    };

    private final Random random = new Random(7);
    private final LoopLog loop = new LoopLog(new LogQueue(1 << 20, () -> {}));
    private final StringBuilder written = new StringBuilder();

    private static LogTarget template(String text) {
        return new LogTarget(LogTemplate.parse(text), null, Long.MAX_VALUE, 1);
    }

    private String written() {
        written.setLength(0);
        loop.queue().drain((target, lines) -> written.append(StandardCharsets.US_ASCII.decode(lines)));
        return written.toString();
    }

    private String text() {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        return random.nextInt(20) == 0 ? text.repeat(random.nextInt(2_000)) : text + random.nextInt(100);
    }

    private @Nullable String optional() {
        return random.nextBoolean() ? null : text();
    }

    private long number() {
        return random.nextLong() >>> (1 + random.nextInt(62));
    }

    private void fill(AccessRecord log) {
        log.chosen(text(), optional(), optional(), optional(), optional(), optional());
        log.request(text(), text(), text(), text(), optional(), optional(), optional());
        log.response((int) number(), random.nextInt(3), number(), number(), optional());
        String address = text();
        log.client(address, random.nextInt(65_536), random.nextBoolean() ? address : text(), optional(), optional());
        log.identity(optional(), optional());
        log.epochMillis = random.nextBoolean() ? TIMES[random.nextInt(TIMES.length)] : random.nextLong(1L << 44);
        log.totalNanos = number();
        log.connectNanos = random.nextBoolean() ? 0 : number();
        log.firstByteNanos = random.nextBoolean() ? 0 : number();
    }

    @Test
    void linesAreThoseThatAreMadeThePlainWay() {
        LogTarget every = template(Arrays.stream(LogTemplate.Variable.values())
                .map(variable -> "$" + variable.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" \"$$\\ ")));
        for (int i = 0; i < 3_000; i++) {
            fill(loop.log());
            // Texts are encoded once, kept the second time, and copied from then on.
            for (int times = 0; times < 3; times++) {
                assertThat(loop.write(LogTarget.DEFAULT)).isTrue();
            }
            assertThat(loop.write(every)).isTrue();
            LogTemplate template = every.template();
            assertThat(template).isNotNull();
            assertThat(written())
                    .isEqualTo(LineReference.json(loop.log()).repeat(3) + LineReference.text(template, loop.log()));
        }
    }

    @Test
    void timesFromBefore1970AndFromFarAwayAreWritten() {
        for (long millis : new long[] {-1, -62_135_596_800_000L, 253_402_300_799_999L, 253_402_300_800_000L}) {
            loop.log().epochMillis = millis;
            assertThat(loop.write(template("$time_iso8601 $time_local"))).isTrue();
            assertThat(loop.write(LogTarget.DEFAULT)).isTrue();
            assertThat(written())
                    .startsWith(Instant.ofEpochMilli(millis) + " ")
                    .contains("\"time\":\"" + Instant.ofEpochMilli(millis) + "\"");
        }
    }

    @Test
    void whatIsChosenIsWrittenAnewWhenOneOfItIsAnother() {
        String route = "route";
        for (String server : new String[] {"a", "b", "a", "a\"", "b"}) {
            for (String upstream : new String[] {"x", "y", "x"}) {
                loop.log().chosen(server, "router", route, "pass", upstream, "http://node");
                assertThat(loop.write(LogTarget.DEFAULT)).isTrue();
                assertThat(written()).isEqualTo(LineReference.json(loop.log()));
            }
        }
    }

    @Test
    void lineThatIsLargerThanABlockIsWrittenWhole() {
        loop.log().request("HTTP/1.1", "GET", "a", "/" + "\u0001".repeat(50_000), null, null, null);
        for (int i = 0; i < 3; i++) {
            assertThat(loop.write(LogTarget.DEFAULT)).isTrue();
            assertThat(loop.write(template("$status"))).isTrue();
        }
        String line = LineReference.json(loop.log()) + "0\n";
        assertThat(written()).isEqualTo(line.repeat(3));
    }

    /** A template of 4,096 characters can have the path a thousand times. */
    @Test
    void lineEndsWhenATemplateRepeatsLongTexts() {
        int length = 32 * 1024;
        AccessRecord log = loop.log();
        fill(log);
        log.request("HTTP/1.1", "GET", "a", "/" + "p".repeat(length - 1), null, null, null);
        loop.write(template("$uri".repeat(1_000)));
        assertThat(written()).hasSize(1024 * 1024 + 1).endsWith("p\n");

        loop.write(template("$request_method"));
        assertThat(written()).isEqualTo("GET\n");
    }

    @Test
    void linesAndMetersAllocateNothing() {
        GatewayMetrics metrics = new GatewayMetrics(10, 1);
        ServerMeters server = metrics.server("web");
        RouteMeters route = metrics.route("web", "api");
        UpstreamMeters upstream = metrics.upstream("nodes");
        LogTarget combined = new LogTarget(LogTemplate.COMBINED, null, Long.MAX_VALUE, 1);
        Runnable request = () -> {
            server.begun(0);
            upstream.count(0, null);
            long now = System.nanoTime();
            server.ended(0, 1_000_000, now);
            route.count(0, 200, 1_000_000, 10, 20);
            AccessRecord log = loop.log();
            log.chosen("web", "plain", "api", "one", "nodes", "http://127.0.0.1:80");
            log.request("HTTP/1.1", "GET", "example.com", "/api/1", "a=b", "https://a/", "curl \u00e9");
            log.response(200, 1, 0, 41, null);
            log.times(now - 1_000_000, now - 900_000, now - 500_000, now);
            log.client("127.0.0.1", 1, "127.0.0.1", null, null);
            loop.write(LogTarget.DEFAULT);
            loop.write(combined);
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int requests = 10_000;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < requests; i++) {
                request.run();
                if (i % 100 == 0) {
                    loop.queue().drain((target, lines) -> {});
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // Comparing the clocks, a few times a second, makes an object; that is not per request.
        assertThat(least).isLessThan(requests / 10);
    }
}
