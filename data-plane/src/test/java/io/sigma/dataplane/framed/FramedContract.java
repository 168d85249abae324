package io.sigma.dataplane.framed;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.json.Json;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.model.RpcMatch;
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

/** The base of tests of requests in frames. */
abstract class FramedContract extends EngineContract {

    static final int TIMEOUT_MILLIS = 15_000;

    /** Returns what the proxy server speaks. */
    abstract Protocol protocol();

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(2)
                .accessLog(log().toString(), 4096)
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

    private List<String> lines() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log(), StandardCharsets.US_ASCII) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProxyServer.Builder server() {
        return ProxyServer.builder().id("in").host("127.0.0.1").port(port()).protocol(protocol());
    }

    static Router router(String id, @Nullable RpcMatch match, String pass) {
        return Router.builder()
                .id(id)
                .proxyServerId("in")
                .match(match == null ? null : StreamMatch.builder().rpc(match).build())
                .proxyPassId(pass)
                .build();
    }

    /** Passes everything to {@code nodes}. */
    Config passing(String... nodes) {
        return new Config()
                .server(server().build())
                .router(router("all", null, "pass"))
                .pass("pass", "nodes")
                .upstream("nodes", nodes);
    }

    /** Returns the URL of a node of this machine. */
    static String node(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Passes bytes to {@code port} of this machine; what is open is cut when it is closed, as by a kill. */
    static SocketNode cable(int port) {
        return SocketNode.start(socket -> {
            try (Socket to = new Socket(InetAddress.getLoopbackAddress(), port)) {
                Thread back = Thread.ofVirtual().start(() -> pump(to, socket));
                pump(socket, to);
                back.interrupt();
            }
        });
    }

    private static void pump(Socket from, Socket to) {
        try (to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // It was cut.
        }
    }

    Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }
}
