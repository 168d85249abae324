package io.sigma.e2e.fault;

import io.sigma.e2e.SigmaProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;

/**
 * The clock of some processes, by a library that is preloaded: that of the machine is everybody's. It goes wrong while
 * they run; what measures durations goes on, as when an operator sets a clock.
 */
public record Clock(Path library, Path offset) {

    /** Returns whether the library can be made here. */
    public static boolean isPossible() {
        return Programs.isThere("cc");
    }

    /** Returns a clock that is right. */
    public static Clock in(Path folder) throws IOException {
        Path source = folder.resolve("clock.c");
        try (InputStream text = Objects.requireNonNull(Clock.class.getResourceAsStream("clock.c"))) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path library = folder.resolve("clock.so");
        Programs.run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
        Clock clock = new Clock(library, folder.resolve("clock-offset"));
        clock.set(Duration.ZERO);
        return clock;
    }

    /** Lets a process go by this clock. */
    public void shownTo(SigmaProcess.Command command) {
        command.with("LD_PRELOAD", library).with("CLOCK_OFFSET_FILE", offset);
    }

    /** From now on the clock is wrong by {@code error}. */
    public void set(Duration error) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(error.toSeconds()).flip();
        // Written in place: processes have mapped the file.
        try (FileChannel file = FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
