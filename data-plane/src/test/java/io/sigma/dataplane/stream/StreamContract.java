package io.sigma.dataplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.json.Json;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.model.ServerLimits;
import io.sigma.model.StreamMatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The base of tests of connections without HTTP. */
abstract class StreamContract extends EngineContract {

    static final int TIMEOUT_MILLIS = 15_000;
    static final int DRAIN_MILLIS = 1_500;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(2)
                .drainMillis(DRAIN_MILLIS)
                .accessLog(log().toString(), 1024)
                .build();
    }

    private Path log() {
        return folder.resolve("access.log");
    }

    /** Returns the lines of the log, once there are so many. */
    List<JsonNode> records(int count) {
        GatewayHarness.eventually(() -> lines().size() >= count);
        return lines().stream().map(line -> Json.read(line, JsonNode.class)).toList();
    }

    JsonNode record() {
        return records(1).getLast();
    }

    private List<String> lines() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log(), StandardCharsets.US_ASCII) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProxyServer.Builder server(Protocol protocol) {
        return ProxyServer.builder().id("in").host("127.0.0.1").port(port()).protocol(protocol);
    }

    static ServerLimits.Builder limits() {
        return ServerLimits.builder();
    }

    static Router router(String id, @Nullable StreamMatch match, String pass) {
        return Router.builder()
                .id(id)
                .proxyServerId("in")
                .match(match)
                .proxyPassId(pass)
                .build();
    }

    static StreamMatch sni(String... names) {
        return StreamMatch.builder().sni(List.of(names)).build();
    }

    /** Passes everything to {@code nodes}. */
    Config passing(Protocol protocol, String... nodes) {
        return new Config()
                .server(server(protocol).build())
                .router(router("all", null, "pass"))
                .pass("pass", "nodes")
                .upstream("nodes", nodes);
    }

    Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Returns what the peer sends until it ends. */
    static String rest(Socket socket) throws IOException {
        return text(socket.getInputStream().readAllBytes());
    }
}
