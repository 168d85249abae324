package io.sigma.e2e.takeover;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.e2e.Admin;
import io.sigma.e2e.Await;
import io.sigma.e2e.Ports;
import io.sigma.e2e.SigmaProcess;
import io.sigma.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A gateway with its node and its load, whose processes follow each other. For one thread. */
final class Takeovers implements AutoCloseable {

    private static final int DRAIN_MILLIS = 60_000;
    private static final int STARTS_TRIES_MAX = 3_000;
    private static final int PAUSE_MILLIS = 50;
    private static final int NODE_CONNECTIONS = 2_048;

    final Losses losses = new Losses();
    private final Path folder;
    private final NodeSocket node;
    private final NodeSocket echo;
    private final int[] ports = Ports.free(3);
    /** Null for one that a file configures. */
    private final @Nullable Configuring controlPlane;

    private String transport;
    private SigmaProcess current;

    private Takeovers(Path folder, String transport, @Nullable Configuring controlPlane) throws IOException {
        this.folder = folder;
        this.transport = transport;
        this.controlPlane = controlPlane;
        this.node = Node.open();
        this.echo = Echo.open();
        if (controlPlane == null) {
            Files.write(folder.resolve("sigma.json"), Json.bytes(configuration()));
        } else {
            configure(controlPlane.admin());
        }
        this.current = start();
        awaitServing(current);
        // A process that follows a control plane says that it is ready before it knows what to serve.
        Await.until(current + " listens", () -> listens(ports[0]) && (controlPlane == null || listens(ports[2])));
    }

    /**
     * Starts the first process, which a file configures.
     *
     * @param transport as in the settings
     */
    static Takeovers start(Path folder, String transport) throws IOException {
        return new Takeovers(folder, transport, null);
    }

    /** As {@link #start(Path, String)}, with a control plane, and a proxy server of TCP at {@link #tcpPort()}. */
    static Takeovers startWithTcp(Path folder, String transport) throws IOException {
        return new Takeovers(folder, transport, Configuring.start(folder));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void configure(Admin admin) {
        admin.put("/upstreams/node", """
                {"nodes":[{"url":"http://127.0.0.1:%d"}],"pool":{"connectionsMax":%d,"tunnelsMax":%d}}""".formatted(node.port(), NODE_CONNECTIONS, NODE_CONNECTIONS));
        admin.put("/upstreams/echo", "{\"nodes\":[{\"url\":\"http://127.0.0.1:%d\"}]}".formatted(echo.port()));
        admin.put("/proxy-passes/to-node", "{\"upstreamId\":\"node\"}");
        admin.put("/proxy-passes/to-echo", "{\"upstreamId\":\"echo\"}");
        admin.put("/proxy-servers/web", "{\"port\":%d}".formatted(ports[0]));
        admin.put("/proxy-servers/tcp", "{\"port\":%d,\"protocol\":\"TCP\"}".formatted(ports[2]));
        admin.put("/routers/all", "{\"proxyServerId\":\"web\"}");
        admin.put("/routes/test", "{\"routerId\":\"all\",\"path\":\"/test/*\",\"proxyPassId\":\"to-node\"}");
        admin.put("/routers/tcp", "{\"proxyServerId\":\"tcp\",\"proxyPassId\":\"to-echo\"}");
    }

    /** Returns the port of the proxy server of TCP, if there is one. */
    int tcpPort() {
        return ports[2];
    }

    private ObjectNode configuration() {
        ObjectNode root = Json.mapper().createObjectNode();
        root.putObject("proxy-server").putObject("http").put("id", "web").put("port", ports[0]);
        // Long requests and WebSockets keep their connections.
        root.putObject("proxy-client").put("max-pool-size-per-server", NODE_CONNECTIONS);
        ObjectNode router = root.putArray("router").addObject();
        router.put("id", "all").put("enable", true).put("proxy-server-id", "web");
        ArrayNode routes = router.putArray("route");
        routes.addObject()
                .put("id", "test")
                .put("enable", true)
                .put("path", "/test/*")
                .put("proxy-pass-id", "to-node");
        root.putArray("proxy-pass").addObject().put("id", "to-node").put("upstream-id", "node");
        root.putArray("upstream")
                .addObject()
                .put("id", "node")
                .put("discovery", "static-config")
                .putArray("nodes")
                .add("http://127.0.0.1:" + node.port());
        return root;
    }

    /** Chooses the transport of the next process. */
    void transport(String next) {
        transport = next;
    }

    int port() {
        return ports[0];
    }

    SigmaProcess current() {
        return current;
    }

    /** Starts a process that may take the place of {@link #current}. */
    SigmaProcess start(String... more) {
        return command(more).start();
    }

    /** Returns what {@link #start} starts. */
    SigmaProcess.Command command(String... more) {
        List<String> arguments = new ArrayList<>(List.of("gateway"));
        if (controlPlane == null) {
            arguments.addAll(List.of("--config", folder.resolve("sigma.json").toString()));
        }
        arguments.addAll(List.of(more));
        SigmaProcess.Command command = SigmaProcess.command("takeover-gateway", arguments.toArray(String[]::new));
        if (controlPlane != null) {
            controlPlane.configure(command);
        }
        return command.with("SIGMA_TELEMETRY_PORT", ports[1])
                .with("SIGMA_ACCESS_LOG", "off")
                .with("SIGMA_STOP_DELAY_MILLIS", 0)
                .with("SIGMA_DRAIN_MILLIS", DRAIN_MILLIS)
                .with("SIGMA_TRANSPORT", transport)
                .with("SIGMA_DATA_DIR", folder.resolve("data"));
    }

    /** Returns the control plane of {@link #startWithTcp}. */
    Configuring controlPlane() {
        return Objects.requireNonNull(controlPlane);
    }

    static void awaitServing(SigmaProcess process) {
        // Beside a load, and with other processes that start, this takes longer than other facts.
        for (int i = 0;
                i < STARTS_TRIES_MAX && process.isAlive() && !process.output().contains("Sigma is ready");
                i++) {
            Await.pause(PAUSE_MILLIS);
        }
        if (!process.isAlive() || !process.output().contains("Sigma is ready")) {
            throw new AssertionError(process.output());
        }
    }

    /** Lets a process take the place of the current one and returns that one, which ends its connections. */
    SigmaProcess takeOver() {
        SigmaProcess next = start("--takeover");
        awaitServing(next);
        return become(next);
    }

    /** Notes that {@code next} serves now, and returns the process before. */
    SigmaProcess become(SigmaProcess next) {
        SigmaProcess before = current;
        current = next;
        return before;
    }

    @Override
    public void close() throws IOException {
        current.close();
        node.close();
        echo.close();
        if (controlPlane != null) {
            controlPlane.close();
        }
    }
}
