package io.sigma.bench.control;

import io.sigma.e2e.Await;
import io.sigma.e2e.Ports;
import io.sigma.e2e.SigmaProcess;
import io.sigma.json.Json;
import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** PostgreSQL with a configuration, control planes and gateways, closed together, the newest first. */
final class Site implements AutoCloseable {

    private static final String ADMIN_TOKEN = "admin-token-of-the-benchmark";
    private static final String SECRET_KEY = "secret-key-of-the-benchmark";

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Path dir;
    private final EmbeddedPostgres postgres;
    private final Commits commits;
    private final int proxyServerPort = Ports.free();
    private final int nodePort = Ports.free();

    private int started;

    /** A control plane that runs. */
    record ControlPlane(SigmaProcess process, AdminClient admin, int clusterPort) {}

    private Site(Path dir, EmbeddedPostgres postgres, Commits commits) {
        this.dir = dir;
        this.postgres = postgres;
        this.commits = commits;
    }

    /** Returns a site with nothing but a database. */
    static Site start() throws Exception {
        Path dir = Files.createTempDirectory("sigma-bench-");
        EmbeddedPostgres postgres = EmbeddedPostgres.start(dir.resolve("database"));
        // The first control plane lays out the schema; to listen it needs none.
        Site site = new Site(dir, postgres, new Commits(postgres.url()));
        site.open.push(postgres);
        site.open.push(site.commits);
        return site;
    }

    Commits commits() {
        return commits;
    }

    int proxyServerPort() {
        return proxyServerPort;
    }

    int nodePort() {
        return nodePort;
    }

    /** Starts a control plane; {@code settings} are variables and their values. */
    ControlPlane controlPlane(String... settings) throws InterruptedException {
        String id = "control-plane-" + ++started;
        int[] ports = Ports.free(2);
        SigmaProcess.Command command = SigmaProcess.command(id, "control-plane")
                .with("SIGMA_ADMIN_PORT", ports[0])
                .with("SIGMA_CLUSTER_PORT", ports[1])
                .with("SIGMA_CLUSTER_HOST", "127.0.0.1")
                .with("SIGMA_DATABASE_URL", postgres.url())
                .with("SIGMA_ADMIN_TOKEN", ADMIN_TOKEN)
                .with("SIGMA_JOIN_TOKEN", GatewayFleet.JOIN_TOKEN)
                .with("SIGMA_SECRET_KEY", SECRET_KEY)
                .with("SIGMA_CONTROL_PLANE_ID", id)
                .with("SIGMA_DATA_DIR", dir.resolve(id));
        for (int i = 0; i < settings.length; i += 2) {
            command.with(settings[i], settings[i + 1]);
        }
        SigmaProcess process = command.start();
        open.push(process);
        AdminClient admin = AdminClient.of(ports[0], ADMIN_TOKEN);
        Await.until(process + " is up", admin::isUp);
        return new ControlPlane(process, admin, ports[1]);
    }

    /** Declares a configuration of so many routes. */
    void fill(ControlPlane controlPlane, int routes) throws IOException, InterruptedException {
        String state = State.of(routes, proxyServerPort, nodePort);
        AdminClient.Reply reply =
                controlPlane.admin().send("PUT", "/config", state).ok();
        commits.forget(reply.json().at("/revision/number").asLong());
    }

    /** A process of gateways. */
    private record Fleet(Process process) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
        }
    }

    /** Starts gateways in a process of their own, and returns when they serve. */
    void gateways(ControlPlane controlPlane, String kind, int count, String... options) throws Exception {
        List<String> line = new java.util.ArrayList<>();
        line.add(ProcessHandle.current().info().command().orElse("java"));
        line.addAll(List.of(
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        line.addAll(List.of(options));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), GatewayFleet.class.getName()));
        line.addAll(List.of(
                kind,
                String.valueOf(count),
                String.valueOf(controlPlane.clusterPort()),
                dir.resolve("gateways-" + ++started).toString()));
        Path output = Path.of(System.getProperty("sigma.logs")).resolve("gateways-" + started + ".log");
        Process process =
                new ProcessBuilder(line).redirectError(output.toFile()).start();
        open.push(new Fleet(process));
        if (process.inputReader().lines().noneMatch(GatewayFleet.SERVED::equals)) {
            throw new IllegalStateException("no gateway serves; see " + output);
        }
        Await.until(count + " gateways are current", () -> current(controlPlane) >= count);
    }

    /** Returns how many gateways serve the newest revision. */
    long current(ControlPlane controlPlane) {
        try {
            var gateways = Json.read(
                    controlPlane.admin().get("/gateways?limit=500").body(),
                    com.fasterxml.jackson.databind.JsonNode.class);
            long current = 0;
            for (var gateway : gateways.path("items")) {
                current += gateway.path("state").asText().equals("CURRENT") ? 1 : 0;
            }
            return current;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a gateway as a process of its own, as people do; whoever starts it closes it. */
    SigmaProcess gateway(int clusterPort) {
        return gateway(clusterPort, "127.0.0.1");
    }

    /**
     * Starts a gateway in the same way.
     *
     * @param address at which it listens
     */
    SigmaProcess gateway(int clusterPort, String address) {
        String id = "alone-" + ++started;
        return SigmaProcess.command(id, "gateway")
                .with("SIGMA_CONTROL_PLANES", "127.0.0.1:" + clusterPort)
                .with("SIGMA_JOIN_TOKEN", GatewayFleet.JOIN_TOKEN)
                .with("SIGMA_GATEWAY_ID", id)
                .with("SIGMA_LISTEN_HOST", address)
                .with("SIGMA_TELEMETRY_PORT", Ports.free())
                .with("SIGMA_ACCESS_LOG", "off")
                .with("SIGMA_DATA_DIR", dir.resolve(id))
                .start();
    }

    /**
     * The time until a gateway without a stored revision listens, and so serves, in milliseconds.
     *
     * @param fromStart since the process was started
     * @param fromConnection since it connected to the control plane with its certificate
     */
    record TimeToServe(double fromStart, double fromConnection) {}

    /** Starts a gateway that has nothing, and ends it when it serves. */
    TimeToServe timeToServe(ControlPlane controlPlane) {
        Instant begun = Instant.now();
        try (SigmaProcess gateway = gateway(controlPlane.clusterPort())) {
            Await.until(gateway + " listens", this::listens);
            Instant now = Instant.now();
            Instant connected = gateway.output()
                    .lines()
                    .filter(line -> line.contains("Connected to control plane"))
                    .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(gateway + " says nothing of its connection"));
            return new TimeToServe(
                    Duration.between(begun, now).toMillis(),
                    Duration.between(connected, now).toMillis());
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxyServerPort)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                System.err.println("something did not close: " + e);
            }
        }
    }
}
