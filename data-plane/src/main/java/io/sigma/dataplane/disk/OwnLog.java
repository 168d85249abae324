package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** A log that writes to, renames and deletes only what it made itself. Confined to the writer's thread. */
final class OwnLog implements LogPlace {

    private final GatewayDisk disk;
    private final LogRegister register;
    private final String text;
    /** Where the file was when it was opened last. */
    private Path path = Path.of("");

    OwnLog(GatewayDisk disk, LogRegister register, String text) {
        this.disk = disk;
        this.register = register;
        this.text = text;
    }

    @Override
    public SeekableByteChannel open() throws IOException {
        path = disk.resolve(PathUse.LOGGED, text);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        register.check(path, path);
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        try {
            GatewayDisk.checkUnchanged(path, null);
            register.add(path, path);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void rotate(int filesMax) throws IOException {
        // All of it before anything is moved: a file that is not of this log stays, and so do those that are.
        for (int i = 0; i < filesMax; i++) {
            register.check(aside(i), path);
        }
        for (int i = filesMax - 1; i >= 1; i--) {
            try {
                Files.move(aside(i - 1), aside(i), StandardCopyOption.REPLACE_EXISTING);
                register.move(aside(i - 1), aside(i));
            } catch (NoSuchFileException e) {
                // There are not that many yet.
            }
        }
        Files.deleteIfExists(path);
    }

    private Path aside(int number) {
        return GatewayDisk.aside(path, number);
    }
}
