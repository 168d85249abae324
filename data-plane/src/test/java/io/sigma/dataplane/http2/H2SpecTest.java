package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerTls;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * h2spec in full and strict. It is looked for in the PATH and where {@code make h2spec} puts it, and skipped where it
 * is not.
 */
final class H2SpecTest extends EngineContract {

    private static final long TIMEOUT_SECONDS = 180;

    private static @Nullable Path h2spec() {
        Stream<Path> path = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(Path::of);
        Stream<Path> built = Stream.of(Path.of("target/tools"));
        return Stream.concat(path, built)
                .map(folder -> folder.resolve("h2spec"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest(name = "TLS: {0}")
    @ValueSource(booleans = {true, false})
    void everyCasePasses(boolean encrypted) throws Exception {
        Path h2spec = h2spec();
        Assumptions.assumeTrue(h2spec != null, "h2spec is not here; \"make h2spec\" builds it where there is Go");
        try (TestNode node = TestNode.named("h2spec")) {
            gateway().apply(forwarding(node.url()).server(server(encrypted)));
            List<String> command = new ArrayList<>(
                    List.of(h2spec.toString(), "--strict", "-h", "127.0.0.1", "-p", String.valueOf(port()), "-o", "4"));
            if (encrypted) {
                command.addAll(List.of("-t", "-k"));
            }
            Path said = folder.resolve("h2spec.txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            try {
                assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            String report = Files.readString(said, StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(report).isZero();
            assertThat(report).contains("146 tests, 146 passed, 0 skipped, 0 failed");
        }
    }

    private ProxyServer server(boolean encrypted) throws Exception {
        var server = ProxyServer.builder()
                .id("web")
                .host("127.0.0.1")
                .port(port())
                .http2(ServerHttp2.builder().only(!encrypted).build());
        if (encrypted) {
            TestTls tls = TestTls.create("localhost");
            server.protocol(Protocol.HTTPS)
                    .tls(ServerTls.builder()
                            .certPath(tls.writeCertificate(folder.resolve("cert.pem"))
                                    .toString())
                            .keyPath(tls.writeKey(folder.resolve("key.pem")).toString())
                            .build());
        }
        return server.build();
    }
}
