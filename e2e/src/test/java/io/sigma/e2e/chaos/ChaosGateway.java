package io.sigma.e2e.chaos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.e2e.Await;
import io.sigma.e2e.Ports;
import io.sigma.e2e.SigmaProcess;
import io.sigma.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A gateway with 128 MB of heap that runs from a sigma.json: a plaintext and a TLS listener, an upstream of a node that
 * answers well, and below {@code /bad/} one of a node that does not.
 */
final class ChaosGateway implements AutoCloseable {

    private static final int POOL_MAX = 256;
    private static final int STATIC_BYTES = 1024 * 1024;

    private final SigmaProcess process;
    private final Target target;

    private ChaosGateway(SigmaProcess process, Target target) {
        this.process = process;
        this.target = target;
    }

    /**
     * Starts a gateway and waits until it is ready.
     *
     * @param folder where its configuration and data are
     * @param transport the setting of that name
     */
    static ChaosGateway start(Path folder, int nodePort, int badPort, String transport) throws IOException {
        int[] ports = Ports.free(3);
        Path files = Files.createDirectories(folder.resolve("data/files"));
        Files.createDirectories(files.resolve("static"));
        Files.write(
                files.resolve("static/file.txt"),
                "compressible ".repeat(STATIC_BYTES / 13).getBytes(StandardCharsets.US_ASCII));
        Tls.certificate(files);
        Path config = Files.write(folder.resolve("sigma.json"), Json.bytes(config(ports, files, nodePort, badPort)));
        SigmaProcess process = SigmaProcess.command("chaos-gateway", "gateway", "--config", config.toString())
                .with("SIGMA_TELEMETRY_PORT", ports[2])
                .with("SIGMA_ACCESS_LOG", "off")
                .with("SIGMA_TRANSPORT", transport)
                .with("SIGMA_DATA_DIR", folder.resolve("data"))
                .with("SIGMA_JAVA_OPTS", "-Xmx128m")
                .start();
        ChaosGateway gateway =
                new ChaosGateway(process, new Target("sigma/" + transport, ports[0], ports[0], ports[1]));
        try {
            Await.until(
                    process + " is ready",
                    () -> !process.isAlive() || process.output().contains("ready"));
            Await.until(process + " answers", () -> !process.isAlive() || gateway.answers());
        } catch (AssertionError e) {
            process.close();
            throw new AssertionError(process.output(), e);
        }
        if (!process.isAlive()) {
            throw new AssertionError(process.output());
        }
        return gateway;
    }

    private boolean answers() {
        try (Http1Client client = new Http1Client(
                "first", () -> Wire.connect("127.0.0.1", target.http(), 0), false, Http1Client.get("/small"))) {
            client.request();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ObjectNode config(int[] ports, Path files, int nodePort, int badPort) {
        ObjectNode root = Json.mapper().createObjectNode();
        ObjectNode servers = root.putObject("proxy-server");
        listener(servers.putObject("http"), "plain", ports[0], files);
        ObjectNode https = servers.putObject("https");
        listener(https, "tls", ports[1], files);
        https.put("enable", true)
                .putObject("ssl")
                .put("type", "pem")
                .put("keyPath", files.resolve("key.pem").toString())
                .put("certPath", files.resolve("cert.pem").toString());
        root.putObject("proxy-client").put("max-pool-size-per-server", POOL_MAX);
        ArrayNode routers = root.putArray("router");
        for (String listener : List.of("plain", "tls")) {
            ObjectNode router = routers.addObject()
                    .put("id", listener + "-router")
                    .put("enable", true)
                    .put("proxy-server-id", listener);
            ArrayNode routes = router.putArray("route");
            route(routes, listener + "-bad", "/bad/*", "bad");
            route(routes, listener + "-good", "/*", "good");
        }
        ArrayNode passes = root.putArray("proxy-pass");
        ArrayNode upstreams = root.putArray("upstream");
        for (String kind : List.of("bad", "good")) {
            passes.addObject().put("id", kind).put("upstream-id", kind);
            upstreams
                    .addObject()
                    .put("id", kind)
                    .put("discovery", "static-config")
                    .put("rule-strategy", "round-robin")
                    .putArray("nodes")
                    .add("http://127.0.0.1:" + ("bad".equals(kind) ? badPort : nodePort));
        }
        return root;
    }

    private static void listener(ObjectNode server, String id, int port, Path files) {
        ObjectNode plugins =
                server.put("id", id).put("server-id", id).put("port", port).putObject("plugin");
        plugins.putObject("gzip").put("enable", true);
        plugins.putObject("static-resources")
                .put("enable", true)
                .put("root-path", files.resolve("static").toString())
                .put("url-pattern", "/static/*");
    }

    private static void route(ArrayNode routes, String id, String path, String pass) {
        ObjectNode route = routes.addObject().put("id", id).put("enable", true).put("path", path);
        route.putArray("allow-method");
        route.putArray("consumes");
        route.putArray("produces");
        route.put("proxy-pass-id", pass);
    }

    Target target() {
        return target;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long logBytes() {
        return process.output().length();
    }

    @Override
    public void close() {
        process.close();
    }
}
