package io.sigma.dataplane.disk;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the settings of the gateway say that requests are logged: the operator's word, which nobody checks. */
public final class OperatorLog {

    private static final String OFF = "off";
    private static final String STANDARD_OUTPUT = "stdout";

    private OperatorLog() {}

    /** Returns the file that {@code destination} names: absolute and in normal form. */
    static Optional<Path> file(String destination) {
        return destination.equals(OFF) || destination.equals(STANDARD_OUTPUT)
                ? Optional.empty()
                : Optional.of(Path.of(destination).toAbsolutePath().normalize());
    }

    /**
     * Returns what is appended to; null for nothing.
     *
     * @param destination {@code stdout}, {@code off} or the path of a file
     * @throws UncheckedIOException when the file cannot be opened
     */
    public static @Nullable FileChannel open(String destination) {
        if (destination.equals(OFF)) {
            return null;
        }
        if (destination.equals(STANDARD_OUTPUT)) {
            return new FileOutputStream(FileDescriptor.out).getChannel();
        }
        try {
            return FileChannel.open(Path.of(destination), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("accessLog: " + destination + " cannot be opened: " + e.getMessage(), e);
        }
    }
}
