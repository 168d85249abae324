package io.sigma.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.disk.GatewayDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are looked at for as long as somebody has them, whatever a look leads to. */
final class WatchedFilesTest {

    private static final int POLL_MILLIS = 20;

    @TempDir
    Path folder;

    private WatchedFiles files() {
        return new WatchedFiles(GatewayDisk.open(folder.resolve("data"), folder), POLL_MILLIS, new LongAdder());
    }

    private static String text(List<byte[]> contents) {
        return new String(contents.getFirst(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void listenerThatFailsKeepsNothingFromTheOthersAndTheNextLook() throws Exception {
        Path path = Files.writeString(folder.resolve("secret"), "one");
        AtomicInteger heard = new AtomicInteger();
        try (WatchedFiles files = files()) {
            files.onChange(() -> {
                throw new IllegalStateException("a listener that fails");
            });
            files.onChange(heard::incrementAndGet);
            WatchedFile<String> file = files.open(List.of(path.toString()), WatchedFilesTest::text);
            Files.writeString(path, "another");
            eventually(() -> file.value().equals("another"));
            eventually(() -> heard.get() == 1);
            Files.writeString(path, "the third");
            eventually(() -> file.value().equals("the third"));
        }
    }

    @Test
    void contentThatCannotBeReadWhateverTheReasonIsReadAgain() throws Exception {
        Path path = Files.writeString(folder.resolve("secret"), "one");
        try (WatchedFiles files = files()) {
            WatchedFile<String> file = files.open(List.of(path.toString()), contents -> {
                if (text(contents).equals("bad")) {
                    throw new StackOverflowError();
                }
                return text(contents);
            });
            Files.writeString(path, "bad");
            Thread.sleep(10 * POLL_MILLIS);
            assertThat(file.value()).isEqualTo("one");
            Files.writeString(path, "good");
            eventually(() -> file.value().equals("good"));
        }
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the time by which it should be").isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}
