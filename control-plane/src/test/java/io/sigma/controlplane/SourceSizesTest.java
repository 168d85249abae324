package io.sigma.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.testing.SourceSizes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Files and packages of the control plane stay small enough to be read at once. */
final class SourceSizesTest {

    private static final SourceSizes SOURCES = new SourceSizes(Path.of("src/main/java/io/sigma/controlplane"));

    @Test
    void noFileIsTooLong() {
        assertThat(SOURCES.longFiles()).isEmpty();
    }

    @Test
    void noPackageHasTooManyFiles() {
        assertThat(SOURCES.largePackages()).isEmpty();
    }
}
