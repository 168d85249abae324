package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.testing.SourceSizes;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files and packages of the gateway stay small enough to be read at once. */
final class SourceSizesTest {

    private static final SourceSizes SOURCES = new SourceSizes(Path.of("src/main/java/io/sigma/dataplane"));

    /** Files that are longer at present, in lines. Each may only shrink. */
    private static final Map<String, Long> LONG_FILES = Map.of(
            "engine/http1/ParsedFields.java", 410L,
            "engine/relay/Call.java", 988L,
            "engine/relay/ClientStream.java", 585L,
            "engine/relay/RequestBody.java", 498L);

    /** Packages that are larger at present, in files. Each may only shrink. */
    private static final Map<String, Long> LARGE_PACKAGES = Map.of("engine/relay", 31L);

    @Test
    void noFileIsTooLong() {
        assertThat(SOURCES.longFiles(LONG_FILES)).isEmpty();
    }

    @Test
    void noPackageHasTooManyFiles() {
        assertThat(SOURCES.largePackages(LARGE_PACKAGES)).isEmpty();
    }
}
