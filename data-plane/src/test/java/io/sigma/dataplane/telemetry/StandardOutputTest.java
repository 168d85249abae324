package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.Context;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.json.Json;
import io.sigma.model.AccessLogPlugin;
import io.sigma.value.LogTemplate;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Standard output, seen from outside of the process. */
final class StandardOutputTest {

    /** The process whose output is looked at. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) {
            try (AccessLog log = new AccessLog(
                    "stdout", GatewayDisk.open(Path.of("target")), 1, 16, new LongAdder(), new LongAdder())) {
                write(log, "/json", LogTarget.DEFAULT);
                write(log, "/combined", new LogTarget(LogTemplate.COMBINED, null, Long.MAX_VALUE, 1));
                LogTemplate template = LogTemplate.parse("$request_method $uri $status");
                write(log, "/template", new LogTarget(template, null, Long.MAX_VALUE, 1));
            }
        }

        private static void write(AccessLog log, String path, LogTarget target) {
            AccessRecord record = log.record(0);
            record.chosen("web", null, null, null, null, null);
            record.request("HTTP/1.1", "GET", "a", path, null, null, null);
            record.response(200, 0, 0, 2, null);
            record.client("127.0.0.1", 1, "127.0.0.1", null, null);
            record.epochMillis = 0;
            record.totalNanos = 1;
            log.write(0, target);
        }
    }

    /** The class path of the tests may be hidden in a class loader or a manifest. */
    private static String classPath() {
        return Stream.of(
                        AccessLog.class,
                        StandardOutputTest.class,
                        Json.class,
                        AccessLogPlugin.class,
                        JsonNode.class,
                        JsonFactory.class,
                        JsonInclude.class,
                        JavaTimeModule.class,
                        LoggerFactory.class,
                        ch.qos.logback.classic.Logger.class,
                        Context.class)
                .map(StandardOutputTest::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachFormatIsALineOnStandardOutput() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        Writer.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(lines).hasSize(3);
        assertThat(Json.read(lines.getFirst(), JsonNode.class).path("path").asText())
                .isEqualTo("/json");
        assertThat(lines.get(1))
                .isEqualTo("127.0.0.1 - - [01/Jan/1970:00:00:00 +0000] \"GET /combined HTTP/1.1\" 200 2 \"-\" \"-\"");
        assertThat(lines.get(2)).isEqualTo("GET /template 200");
    }
}
