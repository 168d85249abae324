package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.disk.LogPlace;
import io.sigma.model.AccessLogPlugin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A disk without room: what is lost is counted, and when there is room again lines are whole again. */
final class LostLinesTest {

    private final LongAdder lost = new LongAdder();
    private final Disk disk = new Disk();

    /** Takes so many bytes, and then says what a full disk says. */
    private static final class Disk implements SeekableByteChannel {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int room = Integer.MAX_VALUE;

        synchronized void room(int bytes) {
            room = bytes;
        }

        synchronized String text() {
            return taken.toString(StandardCharsets.US_ASCII);
        }

        @Override
        public synchronized int write(ByteBuffer from) throws IOException {
            if (room == 0) {
                throw new IOException("No space left on device");
            }
            int count = Math.min(room, from.remaining());
            byte[] octets = new byte[count];
            from.get(octets);
            taken.write(octets, 0, count);
            room -= count;
            return count;
        }

        @Override
        public synchronized long size() {
            return taken.size();
        }

        @Override
        public int read(ByteBuffer to) {
            throw new AssertionError("logs are not read");
        }

        @Override
        public long position() {
            throw new AssertionError("logs are appended to");
        }

        @Override
        public SeekableByteChannel position(long newPosition) {
            throw new AssertionError("logs are appended to");
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new AssertionError("logs are appended to");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static void write(AccessLog log, LogTarget target, String path) {
        log.record(0).request("HTTP/1.1", "GET", "a", path, null, null, null);
        log.write(0, target);
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private void fills(AccessLog log, LogTarget target) {
        write(log, target, "/first");
        await(() -> disk.text().contains("/first"));
        disk.room(10);
        write(log, target, "/cut-off");
        await(() -> lost.sum() == 1);
        disk.room(0);
        for (int i = 0; i < 7; i++) {
            write(log, target, "/lost");
        }
        await(() -> lost.sum() == 8);
        disk.room(Integer.MAX_VALUE);
        write(log, target, "/last");
        await(() -> disk.text().contains("/last"));
        String[] lines = disk.text().split("\n", -1);
        // Three lines, of which the second is what there was room for, and the end.
        assertThat(lines).hasSize(4);
        assertThat(lines[1]).hasSize(10);
        assertThat(lines[2]).contains("/last").endsWith("}");
        assertThat(lost.sum()).isEqualTo(8);
    }

    /** A log that is opened on {@code channel}; null for one that cannot be opened. */
    private static LogPlace on(@Nullable SeekableByteChannel channel) {
        return new LogPlace() {
            @Override
            public SeekableByteChannel open() throws IOException {
                if (channel == null) {
                    throw new IOException("No space left on device");
                }
                return channel;
            }

            @Override
            public void rotate(int filesMax) {
                throw new AssertionError("nothing is full here");
            }
        };
    }

    @Test
    void linesOfTheGatewaysLogAreCountedAndItGoesOn() {
        try (AccessLog log = new AccessLog("disk", disk, text -> on(disk), 1, 1_000, new LongAdder(), lost)) {
            fills(log, LogTarget.DEFAULT);
        }
    }

    @Test
    void linesOfAPluginsFileAreCountedAndItGoesOn() {
        LogTarget target =
                LogTarget.of(AccessLogPlugin.builder().path("/var/log/any.log").build());
        try (AccessLog log = new AccessLog("off", null, text -> on(disk), 1, 1_000, new LongAdder(), lost)) {
            fills(log, target);
        }
    }

    @Test
    void linesOfAFileThatCannotBeOpenedAreCounted() {
        LogTarget target =
                LogTarget.of(AccessLogPlugin.builder().path("/var/log/any.log").build());
        try (AccessLog log = new AccessLog("off", null, text -> on(null), 1, 1_000, new LongAdder(), lost)) {
            write(log, target, "/one");
            write(log, target, "/two");
            await(() -> lost.sum() == 2);
        }
    }
}
