package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.disk.GatewayDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessLogTest {

    @TempDir
    Path folder;

    private final LongAdder shed = new LongAdder();

    private static void write(AccessLog log, int loop, String path) {
        log.record(loop).request("HTTP/1.1", "GET", "a", path, null, null, null);
        log.write(loop, LogTarget.DEFAULT);
    }

    private static BufferedReader reader(Path pipe) {
        try {
            return Files.newBufferedReader(pipe, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatWaitsIsWrittenWhenTheLogIsClosed() throws Exception {
        Path file = folder.resolve("access.log");
        try (AccessLog log =
                new AccessLog(file.toString(), GatewayDisk.open(folder), 2, 100_000, shed, new LongAdder())) {
            for (int i = 0; i < 20_000; i++) {
                write(log, i % 2, "/" + i);
            }
        }
        assertThat(Files.readAllLines(file)).hasSize(20_000);
        assertThat(shed.sum()).isZero();
    }

    @Test
    void linesAreShedAndCountedWhileNobodyTakesThem() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
        int count = 50_000;
        // Opening one end of a pipe waits for the other.
        CompletableFuture<BufferedReader> opened = CompletableFuture.supplyAsync(() -> reader(pipe));
        try (AccessLog log =
                new AccessLog(pipe.toString(), GatewayDisk.open(folder), 1, 1_000, shed, new LongAdder())) {
            BufferedReader reader = opened.join();
            for (int i = 0; i < count; i++) {
                write(log, 0, "/" + i);
            }
            assertThat(shed.sum()).isPositive();
            long expected = count - shed.sum();
            // What was not shed is there, whole and in order.
            long last = -1;
            for (long i = 0; i < expected; i++) {
                String line = reader.readLine();
                assertThat(line).endsWith("}");
                long number = Long.parseLong(line.replaceFirst(".*\"path\":\"/(\\d+)\".*", "$1"));
                assertThat(number).isGreaterThan(last);
                last = number;
            }
            write(log, 0, "/again");
            assertThat(reader.readLine()).contains("\"/again\"");
        }
        try (BufferedReader reader = opened.join()) {
            assertThat(reader.readLine()).isNull();
        }
    }
}
