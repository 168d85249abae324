package io.sigma.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.engine.accept.ProxyHeaderFuzz;
import io.sigma.dataplane.engine.framed.RpcFrameFuzz;
import io.sigma.dataplane.engine.http1.ChunkedBodyFuzz;
import io.sigma.dataplane.engine.http1.RequestHeadFuzz;
import io.sigma.dataplane.engine.http1.RequestsFuzz;
import io.sigma.dataplane.engine.http1.ResponseHeadFuzz;
import io.sigma.dataplane.engine.http2.FrameFuzz;
import io.sigma.dataplane.engine.tls.ClientHelloFuzz;
import io.sigma.dataplane.filter.auth.JwtFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kept input of each target, every beginning of it, and it with each octet changed: seconds, where
 * {@code make fuzz} takes hours.
 */
class FuzzSeedsTest {

    private static final Path SEEDS = Path.of("src/test/fuzz");
    private static final int CHANGED_MAX = 600;

    private static final Map<String, Consumer<byte[]>> TARGETS = new TreeMap<>(Map.ofEntries(
            Map.entry("RequestsFuzz", RequestsFuzz::fuzzerTestOneInput),
            Map.entry("RequestHeadFuzz", RequestHeadFuzz::fuzzerTestOneInput),
            Map.entry("ResponseHeadFuzz", ResponseHeadFuzz::fuzzerTestOneInput),
            Map.entry("ChunkedBodyFuzz", ChunkedBodyFuzz::fuzzerTestOneInput),
            Map.entry("FrameFuzz", FrameFuzz::fuzzerTestOneInput),
            Map.entry("SnapshotFuzz", SnapshotFuzz::fuzzerTestOneInput),
            Map.entry("SigmaJsonFuzz", SigmaJsonFuzz::fuzzerTestOneInput),
            Map.entry("OpenApiFuzz", OpenApiFuzz::fuzzerTestOneInput),
            Map.entry("PemFuzz", PemFuzz::fuzzerTestOneInput),
            Map.entry("TextsFuzz", TextsFuzz::fuzzerTestOneInput),
            Map.entry("RpcFrameFuzz", RpcFrameFuzz::fuzzerTestOneInput),
            Map.entry("ClientHelloFuzz", ClientHelloFuzz::fuzzerTestOneInput),
            Map.entry("ProxyHeaderFuzz", ProxyHeaderFuzz::fuzzerTestOneInput),
            Map.entry("JwtFuzz", JwtFuzz::fuzzerTestOneInput),
            Map.entry("YamlFuzz", YamlFuzz::fuzzerTestOneInput)));

    static Stream<String> targets() {
        return TARGETS.keySet().stream();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static void attempt(Consumer<byte[]> target, Path seed, byte[] input) {
        try {
            target.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(seed + ", as " + new String(input, StandardCharsets.ISO_8859_1), e);
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void keptInputsBreakNoPromise(String name) throws IOException {
        Consumer<byte[]> target = TARGETS.get(name);
        List<Path> seeds = files(SEEDS.resolve(name));
        assertThat(seeds).isNotEmpty();
        for (Path seed : seeds) {
            byte[] input = Files.readAllBytes(seed);
            attempt(target, seed, input);
            for (int at = 0; at < Math.min(input.length, CHANGED_MAX); at++) {
                attempt(target, seed, Arrays.copyOf(input, at));
                byte[] changed = input.clone();
                changed[at] ^= (byte) (1 << (at % 8));
                attempt(target, seed, changed);
            }
        }
    }

    @Test
    void everyFolderIsOfATargetAndMakeRunsEach() throws IOException {
        List<String> folders = files(SEEDS).stream()
                .map(folder -> folder.getFileName().toString())
                .toList();
        assertThat(folders).containsExactlyElementsOf(TARGETS.keySet());
        assertThat(Files.readString(Path.of("fuzz"))).contains(TARGETS.keySet());
    }
}
