package io.sigma.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileMarkTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(folder.resolve("sigma.json"), "one");
    }

    @Test
    void readingAFileKeepsItsMark() throws Exception {
        FileMark mark = FileMark.of(file);
        Files.readString(file);
        assertThat(FileMark.of(file)).isEqualTo(mark);
    }

    @Test
    void anotherFileOfThatNameHasAnotherMark() throws Exception {
        FileMark mark = FileMark.of(file);
        Path other = Files.writeString(folder.resolve("other"), "two");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.delete(file);
        Files.move(other, file);
        assertThat(FileMark.of(file)).isNotEqualTo(mark);
    }

    @Test
    void whereALinkLeadsIsWhatCounts() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        FileMark mark = FileMark.of(link);
        assertThat(mark).isEqualTo(FileMark.of(file));
        Files.delete(link);
        Files.createSymbolicLink(link, Files.writeString(folder.resolve("other"), "two"));
        assertThat(FileMark.of(link)).isNotEqualTo(mark);
    }

    @Test
    void markTellsNothingOfAFileThatWasJustWritten() throws Exception {
        FileMark mark = FileMark.of(file);
        assertThat(mark.tells(Instant.now())).isFalse();
        assertThat(mark.tells(Instant.now().plusSeconds(3))).isTrue();
    }

    @Test
    void oldTimeOfContentDoesNotHideThatTheFileIsNew() throws Exception {
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        assertThat(FileMark.of(file).tells(Instant.now())).isFalse();
    }

    @Test
    void missingFileIsSaidToBeMissing() {
        assertThatThrownBy(() -> FileMark.of(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }
}
