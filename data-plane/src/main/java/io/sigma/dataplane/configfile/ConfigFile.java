package io.sigma.dataplane.configfile;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.watch.FileMark;
import io.sigma.format.SigmaJson;
import io.sigma.format.SigmaJsonReader;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Loads a file, and again whenever its content changes, however it is replaced. A bad file is refused with the pointer
 * of what is wrong, and what was served before still is; it is tried again now and then, as a port may have been taken
 * for a moment. Revisions count up from the last one served.
 */
public final class ConfigFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigFile.class);
    private static final long POLL_MILLIS = 300;

    /** After so many polls, half a minute, the content is read whatever the file system says of the file. */
    private static final int UNREAD_POLLS_MAX = 100;
    /**
     * After so many polls, half a minute too, what was not taken is tried again: what was wrong may have been the
     * machine.
     */
    private static final int RETRY_POLLS = 100;

    /** After so many polls, three seconds, a file that is not there is not just being replaced. */
    private static final int MISSING_POLLS = 10;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long APPLY_SECONDS = 60;

    private final Path file;
    private final SnapshotTarget target;
    private final long pollMillis;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Scheduling.backgroundThreads("sigma-config-file"));

    // Confined to the thread.
    private String seen = "";
    /** The refused content, in the form of {@link #seen}. Empty if none was refused. Confined to the thread. */
    private String failed = "";
    // Since it was tried. Confined to the thread.
    private int polls;

    /** Why the file cannot be read, as the log says. Empty while it can be read. Confined to the thread. */
    private String unreadable = "";

    /** The polls in a row without a file. Confined to the thread. */
    private int missing;

    /**
     * As long as the file has it, its content is what was seen; null when that is not certain. Confined to the thread.
     */
    private @Nullable FileMark mark;

    // Confined to the thread.
    private int unreadPolls;

    public ConfigFile(Path file, SnapshotTarget target) {
        this(file, target, POLL_MILLIS);
    }

    ConfigFile(Path file, SnapshotTarget target, long pollMillis) {
        this.pollMillis = pollMillis;
        this.file = file.toAbsolutePath();
        this.target = target;
    }

    /**
     * Loads the file, and follows its changes from then on; to be called once.
     *
     * @return completes when the file is served; fails with {@link SnapshotRefused}, which has the pointer into the
     *     file of what is wrong, and then the file is not followed
     */
    public Future<Void> open() {
        Promise<Void> promise = Promise.promise();
        thread.execute(() -> {
            try {
                String content = hash();
                apply();
                seen = content;
                thread.scheduleWithFixedDelay(this::poll, pollMillis, pollMillis, TimeUnit.MILLISECONDS);
                promise.complete();
            } catch (NoSuchFileException e) {
                promise.fail(new SnapshotRefused("", file + " does not exist"));
            } catch (IOException e) {
                promise.fail(new SnapshotRefused("", file + " cannot be read: " + e.getMessage()));
            } catch (RuntimeException | Error e) {
                // Whoever starts the gateway waits for it.
                promise.fail(e);
            }
        });
        return promise.future();
    }

    private void poll() {
        boolean retries = !failed.isEmpty() && ++polls >= RETRY_POLLS;
        String before = failed;
        try {
            if (!retries && FileMark.of(file).equals(mark) && ++unreadPolls < UNREAD_POLLS_MAX) {
                return;
            }
            String content = hash();
            unreadable = "";
            missing = 0;
            if (content.equals(seen)) {
                failed = "";
            } else if (retries || !content.equals(failed)) {
                // Until it is taken it is not known what becomes of it.
                failed = content;
                polls = 0;
                apply();
                seen = content;
                failed = "";
            }
        } catch (NoSuchFileException e) {
            if (++missing == MISSING_POLLS) {
                LOG.warn("{} is gone, and the earlier configuration stays in use", file);
            }
        } catch (IOException e) {
            // It is said once, and not at each poll.
            String cause = String.valueOf(e.getMessage());
            LOG.atLevel(cause.equals(unreadable) ? Level.DEBUG : Level.ERROR)
                    .log("{} cannot be read, and the earlier configuration stays in use: {}", file, cause);
            unreadable = cause;
        } catch (SnapshotRefused e) {
            LOG.atLevel(failed.equals(before) ? Level.DEBUG : Level.ERROR)
                    .log(
                            "{} is refused, and the earlier configuration stays in use: {} {}",
                            file,
                            e.pointer(),
                            e.detail());
        } catch (RuntimeException | Error e) {
            // Whatever it was: a timer never calls again what failed once, and the file would not be followed any more.
            LOG.error("{} could not be loaded, and the earlier configuration stays in use", file, e);
        }
    }

    private void apply() throws IOException {
        SigmaJson read;
        try {
            read = SigmaJsonReader.read(file);
        } catch (SigmaJsonRefused e) {
            FieldError first = e.errors().getFirst();
            throw new SnapshotRefused(first.pointer(), String.valueOf(e.getMessage()));
        }
        for (FieldError warning : read.warnings()) {
            LOG.warn("{}: {}: {}", file, warning.pointer(), warning.detail());
        }
        ConfigState state = read.state();
        Snapshot snapshot = Snapshot.of(target.current().revision() + 1, state);
        if (snapshot.hash().equals(target.current().hash())) {
            LOG.info("{} contains the configuration that is served already", file);
            return;
        }
        try {
            target.prepare(snapshot).await(APPLY_SECONDS, TimeUnit.SECONDS);
            target.apply(snapshot).await(APPLY_SECONDS, TimeUnit.SECONDS);
            LOG.info("{} is served as revision {}", file, snapshot.revision());
        } catch (SnapshotRefused e) {
            throw new SnapshotRefused(pointer(read, e.pointer()), e.detail());
        } catch (CompletionException | TimeoutException e) {
            throw new SnapshotRefused("", "not applied within " + APPLY_SECONDS + " s: " + e.getMessage());
        }
    }

    /** Returns the pointer into the file of a pointer into the state, such as {@code /proxyServers/web/port}. */
    private static String pointer(SigmaJson read, String statePointer) {
        String[] segments = statePointer.split("/", 4);
        Kind kind = segments.length < 3 ? null : kind(segments[1]);
        if (kind == null) {
            return statePointer;
        }
        String rest = segments.length > 3 ? "/" + segments[3] : "";
        return read.pointer(kind, segments[2].replace("~1", "/").replace("~0", "~"), rest);
    }

    private static @Nullable Kind kind(String field) {
        return ResourceType.ALL.stream()
                .filter(type -> type.field().equals(field))
                .map(ResourceType::kind)
                .findFirst()
                .orElse(null);
    }

    /** Reads the file, and notes what the file system said of it just before. */
    private String hash() throws IOException {
        FileMark before = FileMark.of(file);
        if (before.size() > SigmaJsonReader.FILE_BYTES_MAX) {
            throw new IOException(before.size() + " bytes (expected: at most " + SigmaJsonReader.FILE_BYTES_MAX + ")");
        }
        if (!Files.isRegularFile(file)) {
            // Of a pipe or a device the end may never come.
            throw new IOException("it is not a regular file");
        }
        MessageDigest digest = sha256();
        Instant now = Instant.now();
        try (InputStream content = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        mark = before.tells(now) ? before : null;
        unreadPolls = 0;
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
