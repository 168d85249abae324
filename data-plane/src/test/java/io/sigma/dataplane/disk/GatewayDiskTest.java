package io.sigma.dataplane.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sigma.check.PathUse;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.settings.SettingsReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GatewayDiskTest {

    @TempDir
    Path folder;

    private Path data;
    private Path open;
    private GatewayDisk disk;

    @BeforeEach
    void make() throws IOException {
        data = folder.resolve("data");
        open = Files.createDirectory(folder.resolve("open"));
        Files.createDirectory(folder.resolve("outside"));
        Files.writeString(folder.resolve("outside/secret"), "secret");
        disk = GatewayDisk.open(data, open);
        disk.makeFolders();
        Files.writeString(data.resolve("admin-token"), "token");
    }

    private Path at(PathUse use) {
        return data.resolve(use == PathUse.LOGGED ? "logs" : "files");
    }

    @ParameterizedTest
    @EnumSource
    void relativePathsBeginInTheOwnFolder(PathUse use) throws IOException {
        assertThat(disk.resolve(use, "a//b/./c")).isEqualTo(at(use).toRealPath().resolve("a/b/c"));
        assertThat(disk.resolve(use, open + "//new/parent/file"))
                .isEqualTo(open.toRealPath().resolve("new/parent/file"));
        assertThat(disk.resolve(use, open + "/x/../y"))
                .isEqualTo(open.toRealPath().resolve("y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "//",
                "/.",
                "/etc",
                "/etc/passwd",
                "/nowhere/at/all",
                "/proc",
                "/proc/self/environ",
                "/proc/self/root/OPEN/x",
                "/dev/stdin",
                "/dev/fd/0",
                "/dev/shm/x",
                "/sys/kernel",
                "..",
                "../admin-token",
                "a/../../admin-token",
                "OPEN/..",
                "OPEN/../outside/secret",
                "OPENx/a",
                "DATA",
                "DATA/admin-token",
                "DATA/not-there",
                "DATA/files/../admin-token",
                "a\u0000b"
            })
    void whatLiesOutsideIsRefused(String text) {
        String path = text.replace("OPEN", open.toString()).replace("DATA", data.toString());
        for (PathUse use : PathUse.values()) {
            assertThatThrownBy(() -> disk.check(use, path))
                    .as(use + " " + path)
                    .isInstanceOf(PathRefused.class)
                    .hasMessageContaining(use.setting());
        }
    }

    @Test
    void refusalDoesNotTellWhatExists() throws IOException {
        Files.createSymbolicLink(open.resolve("to-file"), folder.resolve("outside/secret"));
        Files.createSymbolicLink(open.resolve("to-none"), folder.resolve("outside/none"));
        for (PathUse use : PathUse.values()) {
            for (String[] pair : new String[][] {
                {
                    folder.resolve("outside/secret").toString(),
                    folder.resolve("outside/none").toString()
                },
                {open.resolve("to-file").toString(), open.resolve("to-none").toString()},
                {data.resolve("admin-token").toString(), data.resolve("none").toString()},
                {"/etc/passwd/../.." + open + "/x", "/etc/none/../.." + open + "/x"}
            }) {
                assertThat(said(use, pair[0])).isEqualTo(said(use, pair[1]));
            }
        }
    }

    private String said(PathUse use, String text) {
        Throwable refusal = catchThrowable(() -> disk.check(use, text));
        return refusal == null
                ? "taken"
                : refusal.getClass() + String.valueOf(refusal.getMessage()).replace(text, "TEXT");
    }

    @Test
    void linksThatLeaveAreRefusedAlsoBelowWhatDoesNotExistYet() throws IOException {
        Files.createSymbolicLink(open.resolve("out"), folder.resolve("outside"));
        Files.createSymbolicLink(open.resolve("root"), Path.of("/"));
        Files.createSymbolicLink(open.resolve("self"), Path.of("/proc/self/root"));
        Files.createSymbolicLink(open.resolve("data"), data);
        Files.createSymbolicLink(open.resolve("loop"), open.resolve("loop"));
        for (String text : new String[] {
            "out", "out/secret", "out/new/file", "root/etc/passwd", "self/etc", "data/admin-token", "loop", "loop/x"
        }) {
            for (PathUse use : PathUse.values()) {
                assertThatThrownBy(() -> disk.check(use, open.resolve(text).toString()))
                        .as(use + " " + text)
                        .isInstanceOf(PathRefused.class);
            }
        }
    }

    @Test
    void linkFromOneOpenFolderToAnotherIsFollowed() throws IOException {
        Files.writeString(data.resolve("files/ca.pem"), "ca");
        Files.createSymbolicLink(open.resolve("ca"), data.resolve("files/ca.pem"));
        assertThat(disk.read(open.resolve("ca").toString())).isEqualTo("ca".getBytes(UTF_8));
    }

    @Test
    void dataFolderIsNeverReachedThroughAFolderAboveIt() throws IOException {
        GatewayDisk above = GatewayDisk.open(data, folder, Path.of("/"));
        Files.writeString(data.resolve("files/a"), "a");
        assertThat(above.read(data.resolve("files/a").toString())).isEqualTo("a".getBytes(UTF_8));
        assertThat(above.read(folder.resolve("outside/secret").toString())).isEqualTo("secret".getBytes(UTF_8));
        for (String text :
                new String[] {data.toString(), data + "/admin-token", "/", "/proc/self/environ", "/sys", "/dev/null"}) {
            assertThatThrownBy(() -> above.check(PathUse.READ, text)).as(text).isInstanceOf(PathRefused.class);
        }
        ServedFolder served = above.folder(folder.toString());
        assertThat(served.find("data/admin-token")).isNull();
        assertThat(served.find("data/files/a")).isNotNull();
        assertThat(served.find("outside/secret")).isNotNull();
    }

    @Test
    void logsInTheDataFolderAreNeitherServedNorReadThroughAFolderAboveIt() throws IOException {
        GatewayDisk above = GatewayDisk.open(data, folder);
        String log = Files.writeString(data.resolve("logs/shop.log"), "GET /?token=1")
                .toString();
        String file = data.resolve("files/new").toString();
        assertThat(above.folder(folder.toString()).find("data/logs/shop.log")).isNull();
        assertThatThrownBy(() -> above.check(PathUse.SERVED, log)).isInstanceOf(PathRefused.class);
        assertThatThrownBy(() -> above.check(PathUse.READ, log)).isInstanceOf(PathRefused.class);
        assertThatThrownBy(() -> above.check(PathUse.LOGGED, file)).isInstanceOf(PathRefused.class);
    }

    @Test
    void keysBesideServedFilesAreNotServed() throws IOException {
        Path files = data.resolve("files");
        Path key = Files.writeString(files.resolve("key.pem"), "key");
        ServedFolder served = disk.folder(".");
        assertThat(served.find("key.pem")).isNotNull();
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(served.find("key.pem")).isNull();
        assertThat(disk.read("key.pem")).isEqualTo("key".getBytes(UTF_8));
        Files.createSymbolicLink(files.resolve("index.html"), key);
        assertThat(served.find("index.html")).isNull();
    }

    @Test
    void foldersForKeysAndLogsWithinAServedFolderAreNotServed() throws IOException {
        for (String name : new String[] {"tls", "logs", "www"}) {
            Files.writeString(Files.createDirectory(open.resolve(name)).resolve("a"), "a");
        }
        GatewayDisk narrow = GatewayDisk.of(settings("off", open.resolve("logs"), open.resolve("tls")));
        ServedFolder served = narrow.folder(open.toString());
        assertThat(served.find("www/a")).isNotNull();
        assertThat(served.find("tls/a")).isNull();
        assertThat(served.find("logs/a")).isNull();
        assertThat(narrow.read(open.resolve("tls/a").toString())).isEqualTo("a".getBytes(UTF_8));
        assertThat(narrow.folder(open.resolve("tls").toString()).find("a")).isNull();
    }

    private GatewaySettings settings(String accessLog, Path logs, Path read) {
        return SettingsReader.of(
                        Map.of(
                                "SIGMA_DATA_DIR", data.toString(),
                                "SIGMA_ACCESS_LOG", accessLog,
                                "SIGMA_SERVED_FOLDERS", open.toString(),
                                "SIGMA_LOG_FOLDERS", logs.toString(),
                                "SIGMA_READ_FOLDERS", read.toString()),
                        null)
                .read(GatewaySettings.class);
    }

    @Test
    void logOfTheOperatorIsNoLogOfTheConfiguration() throws IOException {
        Path log = Files.createFile(open.resolve("access.log"));
        Files.createSymbolicLink(open.resolve("linked.log"), log);
        GatewayDisk narrow = GatewayDisk.of(settings(open + "/./access.log", open, open));
        for (PathUse use : PathUse.values()) {
            for (String name : new String[] {"access.log", "linked.log"}) {
                assertThatThrownBy(() -> narrow.check(use, open.resolve(name).toString()))
                        .isInstanceOf(PathRefused.class);
            }
        }
        assertThat(narrow.folder(open.toString()).find("access.log")).isNull();
        narrow.check(PathUse.LOGGED, open.resolve("other.log").toString());
    }

    @Test
    void folderThatComesLaterOrLeadsElsewhereNowIsOpenAtOnce() throws IOException {
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.writeString(first.resolve("a"), "first");
        Files.writeString(second.resolve("a"), "second");
        Path link = folder.resolve("current");
        GatewayDisk linked = GatewayDisk.open(data, link);
        linked.check(PathUse.READ, link.resolve("a").toString());
        for (Path target : new Path[] {first, second}) {
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, target);
            assertThat(linked.read(link.resolve("a").toString()))
                    .isEqualTo(target.getFileName().toString().getBytes(UTF_8));
        }
        Files.delete(link);
        Files.createSymbolicLink(link, folder.resolve("nowhere"));
        assertThatThrownBy(() -> linked.check(PathUse.READ, link.resolve("a").toString()))
                .isInstanceOf(PathRefused.class);
        // Another folder that is open does not suffer.
        linked.check(PathUse.READ, "a");
    }

    @Test
    void servedFolderDoesNotFollowALinkThatLeavesIt() throws IOException {
        Path root = Files.createDirectory(open.resolve("www"));
        Files.writeString(root.resolve("index.html"), "hello");
        Files.writeString(open.resolve("beside"), "beside");
        Files.createSymbolicLink(root.resolve("a"), folder.resolve("outside/secret"));
        Files.createSymbolicLink(root.resolve("b"), folder.resolve("outside"));
        Files.createSymbolicLink(root.resolve("c"), open.resolve("beside"));
        Files.createSymbolicLink(root.resolve("d"), root.resolve("index.html"));
        ServedFolder served = disk.folder(root.toString());
        assertThat(served.find("a")).isNull();
        assertThat(served.find("b/secret")).isNull();
        assertThat(served.find("c")).isNull();
        assertThat(served.find("../beside")).isNull();
        assertThat(Objects.requireNonNull(served.find("d")).length()).isEqualTo(5);
    }

    @Test
    void whatWasPutInPlaceOfAFileAfterTheLookIsNotOpened() throws IOException {
        Path root = Files.createDirectories(open.resolve("www/sub"));
        Path file = Files.writeString(root.resolve("secret"), "mine");
        ServedFolder served = disk.folder(open.resolve("www").toString());
        ServedFile found = Objects.requireNonNull(served.find("sub/secret"));
        found.open().close();
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("outside/secret"));
        assertThatThrownBy(found::open).isInstanceOf(IOException.class);
        Files.delete(file);
        Files.delete(root);
        Files.createSymbolicLink(root, folder.resolve("outside"));
        assertThatThrownBy(found::open).isInstanceOf(IOException.class);
    }

    @Test
    void onlyRegularFilesAreRead() throws Exception {
        Files.createDirectory(open.resolve("folder"));
        Path pipe = open.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path path : new Path[] {open.resolve("folder"), pipe, open.resolve("none")}) {
            assertThatThrownBy(() -> disk.read(path.toString()))
                    .hasMessage("\"" + path + "\" cannot be read (expected: a file of at most 4194304 bytes)");
        }
        assertThat(disk.folder(open.toString()).find("pipe")).isNull();
    }

    // --- Logs

    /** Writes as an access log does. */
    private static void write(LogPlace log, String line, long bytesMax, int files) throws IOException {
        byte[] bytes = line.getBytes(UTF_8);
        try (SeekableByteChannel out = log.open()) {
            if (out.size() == 0 || out.size() + bytes.length <= bytesMax) {
                out.write(ByteBuffer.wrap(bytes));
                return;
            }
        }
        log.rotate(files);
        try (SeekableByteChannel fresh = log.open()) {
            fresh.write(ByteBuffer.wrap(bytes));
        }
    }

    @Test
    void logDoesNotTouchAFileThatItDidNotMake() throws IOException {
        Path other = Files.writeString(open.resolve("passwd"), "root");
        assertThatThrownBy(() -> disk.check(PathUse.LOGGED, other.toString())).hasMessageContaining("made");
        assertThatThrownBy(() -> write(disk.log(other.toString()), "line\n", 1024, 1))
                .isInstanceOf(IOException.class);
        assertThat(other).hasContent("root");
        assertThatThrownBy(() -> disk.check(PathUse.LOGGED, open.toString())).hasMessageContaining("regular file");
    }

    @Test
    void rotationDoesNotOverwriteOrDeleteAFileThatTheLogDidNotMake() throws IOException {
        Path aside = Files.writeString(open.resolve("shop.log.1"), "precious");
        LogPlace log = disk.log(open.resolve("shop.log").toString());
        write(log, "one\n", 4, 3);
        assertThatThrownBy(() -> write(log, "two\n", 4, 3)).hasMessageContaining("shop.log.1");
        assertThat(aside).hasContent("precious");
        assertThat(open.resolve("shop.log")).hasContent("one\n");
    }

    @Test
    void ownFilesAreKnownAgainAfterARestart() throws IOException {
        String path = open.resolve("shop.log").toString();
        LogPlace log = disk.log(path);
        write(log, "one\n", 4, 2);
        write(log, "two\n", 4, 2);
        LogPlace again = GatewayDisk.open(data, open).log(path);
        write(again, "three\n", 4, 2);
        assertThat(open.resolve("shop.log")).hasContent("three\n");
        assertThat(open.resolve("shop.log.1")).hasContent("two\n");
        assertThat(open.resolve("shop.log.2")).doesNotExist();
    }

    @Test
    void fileThatSomebodyPutInPlaceOfALogIsNotDeleted() throws IOException {
        Path path = open.resolve("shop.log");
        LogPlace log = disk.log(path.toString());
        write(log, "one\n", 4, 1);
        Files.move(path, open.resolve("moved"));
        Files.writeString(path, "precious");
        assertThatThrownBy(() -> write(log, "two\n", 4, 1)).isInstanceOf(IOException.class);
        assertThat(path).hasContent("precious");
    }

    @Test
    void logThatAnotherLogPutAsideIsNotWrittenTo() throws IOException {
        LogPlace log = disk.log(open.resolve("shop.log").toString());
        write(log, "one\n", 4, 2);
        write(log, "two\n", 4, 2);
        assertThatThrownBy(() ->
                        disk.check(PathUse.LOGGED, open.resolve("shop.log.1").toString()))
                .hasMessageContaining("shop.log.1");
    }
}
