package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client that sends many requests at once does not hold up the others of its event loop. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class FairTurnsTest extends EngineContract {

    private static final int REQUESTS = 1_000;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(1)
                .accessLog(log().toString(), 4 * REQUESTS)
                .build();
    }

    private Path log() {
        return folder.resolve("access.log");
    }

    private List<String> answered() {
        try (var lines = Files.lines(log(), StandardCharsets.US_ASCII)) {
            return lines.map(line -> String.valueOf(Json.read(line, Map.class).get("path")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String request(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @Test
    void othersAreAnsweredBetweenTheRequestsThatOneClientSendsAtOnce() throws Exception {
        gateway().apply(new Config().server("web", port()).router("all", "web"));
        try (RawClient before = RawClient.connect(port());
                RawClient greedy = RawClient.connect(port());
                RawClient after = RawClient.connect(port())) {
            gateway().whileLoopsAreBusy(() -> {
                before.send(request("/before"));
                greedy.send(IntStream.range(0, REQUESTS)
                        .mapToObj(i -> request("/" + i))
                        .reduce("", String::concat));
                after.send(request("/after"));
            });
            assertThat(before.read().status()).isEqualTo(404);
            assertThat(after.read().status()).isEqualTo(404);
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(greedy.read().status()).isEqualTo(404);
            }
        }
        GatewayHarness.eventually(() -> answered().size() == REQUESTS + 2);
        List<String> paths = answered();
        assertThat(paths.indexOf("/before")).isLessThan(REQUESTS / 2);
        assertThat(paths.indexOf("/after")).isLessThan(REQUESTS / 2);
        assertThat(paths.stream().filter(path -> path.matches("/[0-9]+")))
                .containsExactlyElementsOf(
                        IntStream.range(0, REQUESTS).mapToObj(i -> "/" + i).toList());
    }
}
