package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/sigma} tells the JVM, by one that only says what it was told. */
class LauncherTest {

    private static final Path SCRIPT = Path.of("src/main/dist/bin/sigma");
    private static final int PATIENCE_SECONDS = 30;

    @TempDir
    Path home;

    @BeforeEach
    void putAJvmThatSaysWhatItWasTold() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.copy(SCRIPT, home.resolve("bin/sigma"));
        Path java = Files.createDirectories(home.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void gatewaysKeepTheirHeapSmall() throws Exception {
        for (String command : List.of("gateway", "run")) {
            assertThat(told("", command)).contains("-XX:+UseG1GC", "-Xms32m", "-XX:TrimNativeHeapInterval=5000");
        }
    }

    @Test
    void whatRunsForLongGivesMemoryBack() throws Exception {
        for (String command : List.of("gateway", "run", "standalone", "control-plane")) {
            assertThat(told("", command))
                    .contains("-XX:G1PeriodicGCInterval=20000", "-Dio.netty.allocator.cacheTrimIntervalMillis=5000")
                    .contains("-XX:TrimNativeHeapInterval=5000", "-XX:MaxHeapFreeRatio=30");
        }
        assertThat(told("", "apply")).doesNotContain("-XX:G1PeriodicGCInterval=20000");
    }

    @Test
    void withoutACommandTheFileOfTheFolderIsRun() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", home.resolve("bin/sigma").toString());
        builder.directory(home.toFile());
        assertThat(said(builder)).contains("-XX:+UseSerialGC").doesNotContain("run");
        Files.writeString(home.resolve("sigma.json"), "{}");
        assertThat(said(builder)).contains("-Xms32m").endsWith("run");
    }

    @Test
    void controlPlanesHaveTheHeapOfTheJvm() throws Exception {
        for (String command : List.of("standalone", "control-plane")) {
            assertThat(told("", command))
                    .contains("-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError")
                    .doesNotContain("-Xms32m");
        }
    }

    /**
     * The compiler says nothing about a method that it does not find, so an update of Netty that renames one is noticed
     * here.
     */
    @Test
    void theCompilerIsToldOfMethodsThatThereAre() throws Exception {
        Pattern inlined = Pattern.compile("-XX:CompileCommand=inline,(.+)::(.+)");
        for (String command : List.of("gateway", "run", "standalone")) {
            List<String> told = told("", command);
            assertThat(told).containsSubsequence("-XX:Tier3DelayOn=1000", "-XX:CompileCommand=quiet");
            List<MatchResult> methods = told.stream()
                    .map(inlined::matcher)
                    .filter(Matcher::matches)
                    .map(Matcher::toMatchResult)
                    .toList();
            assertThat(methods).hasSize(2);
            for (MatchResult method : methods) {
                assertThat(Class.forName(method.group(1)).getDeclaredMethods())
                        .extracting(Method::getName)
                        .contains(method.group(2));
            }
        }
        assertThat(told("", "control-plane")).noneMatch(option -> option.contains("CompileCommand"));
    }

    @Test
    void shortCommandsAreFrugal() throws Exception {
        assertThat(told("", "version")).contains("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");
    }

    @Test
    void whatTheUserSaysComesLastAndWins() throws Exception {
        for (String command : List.of("gateway", "standalone", "version")) {
            List<String> told = told("-Xms64m -Xmx256m", command);
            assertThat(told).containsSubsequence("-Xms64m", "-Xmx256m", "-jar");
            assertThat(told.subList(told.indexOf("-Xmx256m") + 1, told.size()))
                    .containsExactly(
                            "-jar",
                            home.toRealPath().resolve("lib/sigma-dist.jar").toString(),
                            command);
        }
    }

    @Test
    void anotherCollectorReplacesOurs() throws Exception {
        for (String command : List.of("gateway", "control-plane", "version")) {
            assertThat(told("-XX:+UseParallelGC", command))
                    .contains("-XX:+UseParallelGC")
                    .doesNotContain("-XX:+UseG1GC", "-XX:+UseSerialGC", "-Xms32m", "-XX:G1HeapRegionSize=1m");
        }
    }

    @Test
    void theCacheOfMakeDistIsUsedWhereThereIsOne() throws Exception {
        assertThat(cache("gateway")).isEmpty();
        Path lib = Files.createDirectories(home.toRealPath().resolve("lib"));
        Path sigma = Files.createFile(lib.resolve("sigma.aot"));
        for (String command : List.of("gateway", "run", "standalone", "control-plane", "version")) {
            assertThat(cache(command)).containsExactly("-XX:AOTCache=" + sigma);
        }
    }

    @Test
    void gatewaysHaveACacheOfTheirOwn() throws Exception {
        Path lib = Files.createDirectories(home.toRealPath().resolve("lib"));
        Path gateway = Files.createFile(lib.resolve("gateway.aot"));
        assertThat(cache("gateway")).containsExactly("-XX:AOTCache=" + gateway);
        assertThat(cache("standalone")).isEmpty();
        Path sigma = Files.createFile(lib.resolve("sigma.aot"));
        assertThat(cache("gateway")).containsExactly("-XX:AOTCache=" + gateway);
        for (String command : List.of("run", "standalone", "control-plane", "version")) {
            assertThat(cache(command)).containsExactly("-XX:AOTCache=" + sigma);
        }
    }

    @Test
    void gatewaysOfAFileHaveACacheOfTheirOwn() throws Exception {
        Path lib = Files.createDirectories(home.toRealPath().resolve("lib"));
        Path gateway = Files.createFile(lib.resolve("gateway.aot"));
        Path run = Files.createFile(lib.resolve("run.aot"));
        assertThat(cache("run", "-conf", "sigma.json")).containsExactly("-XX:AOTCache=" + run);
        assertThat(cache("gateway", "--config", "sigma.json")).containsExactly("-XX:AOTCache=" + run);
        assertThat(cache("gateway", "--takeover", "--config=sigma.json")).containsExactly("-XX:AOTCache=" + run);
        assertThat(cache("gateway", "--takeover")).containsExactly("-XX:AOTCache=" + gateway);
        assertThat(cache("version")).isEmpty();
    }

    private List<String> cache(String... command) throws IOException, InterruptedException {
        return told("", command).stream()
                .filter(option -> option.startsWith("-XX:AOTCache="))
                .toList();
    }

    private List<String> told(String options, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", home.resolve("bin/sigma").toString());
        builder.command().addAll(List.of(command));
        builder.environment().put("SIGMA_JAVA_OPTS", options);
        return said(builder);
    }

    private static List<String> said(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        try (var out = process.inputReader()) {
            return out.lines().toList();
        }
    }
}
