package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sigma.e2e.chaos.Tls;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code make soak}: the whole product for half an hour, under mixed traffic and changes. A first third is warm-up;
 * after it memory and descriptors must stay what they are, and no request may fail at all.
 */
class SoakRun {

    private static final long MINUTES = Long.getLong("sigma.soakMinutes", 30);

    /** Part of the mean that memory and descriptors may grow in ten minutes. */
    private static final double GROWTH_MAX = 0.01;

    private static final long LOOK_MILLIS = 5_000;
    private static final long CHANGE_MILLIS = 250;
    private static final long FLAP_MILLIS = 3_000;
    private static final long PAUSE_MILLIS = 40;
    private static final int FILE_BYTES = 256 * 1024;

    @TempDir
    Path folder;

    private final List<Traffic> traffic = new ArrayList<>();
    private final HttpClient http2 = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(Tls.context())
            .build();

    private int plain;
    private int tls;

    @Test
    void nothingGrows() throws Exception {
        try (Nodes steady = Nodes.start("steady", folder);
                Plant plant = Plant.start(folder)) {
            int flapping = Ports.free();
            configure(plant, steady.port(), flapping);
            List<Held> held = held(plant);
            plant.gateways.forEach(this::load);
            long begin = System.nanoTime();
            try (Background changes = new Background("changes", () -> change(plant.controlPlanes));
                    Background flaps = new Background("flaps", () -> flap(flapping))) {
                double seconds = 0;
                while (seconds < MINUTES * 60) {
                    Await.pause(LOOK_MILLIS);
                    seconds = (System.nanoTime() - begin) / 1e9;
                    for (Held process : held) {
                        process.look(seconds);
                    }
                }
                changes.check();
                flaps.check();
            } finally {
                traffic.forEach(Traffic::close);
            }
            double warm = MINUTES * 60 / 3.0;
            System.out.printf(
                    "%d answers%n", traffic.stream().mapToLong(Traffic::answers).sum());
            held.forEach(process -> System.out.print(process.line(warm)));
            for (Traffic client : traffic) {
                assertThat(client.failures()).isEmpty();
                assertThat(client.answers()).isPositive();
            }
            for (Held process : held) {
                assertThat(process.memorySlope(warm))
                        .as("memory of %s", process)
                        .isLessThanOrEqualTo(GROWTH_MAX);
                assertThat(process.descriptorSlope(warm))
                        .as("descriptors of %s", process)
                        .isLessThanOrEqualTo(GROWTH_MAX);
            }
            Convergence.await(plant, System.nanoTime());
        }
    }

    private static List<Held> held(Plant plant) {
        List<Held> held = new ArrayList<>();
        plant.gateways.forEach(gateway -> held.add(new Held(gateway.id, gateway.process.pid())));
        for (int i = 0; i < plant.controlPlanes.size(); i++) {
            held.add(new Held(
                    "control-plane-" + (i + 1),
                    plant.controlPlanes.get(i).process.pid()));
        }
        return held;
    }

    private void configure(Plant plant, int steady, int flapping) throws IOException {
        int[] ports = Ports.free(2);
        plain = ports[0];
        tls = ports[1];
        for (Plant.Gateway gateway : plant.gateways) {
            Path www = Files.createDirectories(
                    Plant.dataDir(folder, gateway.id).resolve("files").resolve("www"));
            Files.writeString(www.resolve("file.txt"), "compressible ".repeat(FILE_BYTES / 13));
        }
        Tls.certificate(folder);
        Admin admin = plant.admin();
        admin.put("/certificates/localhost", certificate());
        admin.put("/upstreams/steady", "{\"nodes\":[" + node(steady) + "]}");
        admin.put("/upstreams/flapping", "{\"nodes\":[" + node(steady) + "," + node(flapping) + "]}");
        admin.put("/proxy-passes/steady", "{\"upstreamId\":\"steady\"}");
        admin.put("/proxy-passes/flapping", "{\"upstreamId\":\"flapping\"}");
        admin.put("/proxy-passes/files", "{\"stripPrefix\":\"/files\",\"staticFiles\":{\"rootPath\":\"www\"}}");
        admin.put("/proxy-servers/plain", "{\"port\":" + plain + "}");
        admin.put(
                "/proxy-servers/tls",
                "{\"port\":" + tls + ",\"protocol\":\"HTTPS\",\"tls\":{\"certificates\":[\"localhost\"]}}");
        for (String server : List.of("plain", "tls")) {
            admin.put("/routers/" + server, "{\"proxyServerId\":\"" + server + "\"}");
            for (String pass : List.of("steady", "flapping", "files")) {
                admin.put(
                        "/routes/" + server + "-" + pass + "?wait=all&timeout=20s",
                        "{\"routerId\":\"" + server + "\",\"path\":\"/" + pass + "/*\",\"proxyPassId\":\"" + pass
                                + "\"}");
            }
        }
    }

    private String certificate() throws IOException {
        return Json.mapper()
                .createObjectNode()
                .put("chain", Files.readString(folder.resolve("cert.pem")))
                .put("privateKey", Files.readString(folder.resolve("key.pem")))
                .toString();
    }

    private static String node(int port) {
        return "{\"url\":\"http://127.0.0.1:" + port + "\"}";
    }

    // --- What clients do

    private void load(Plant.Gateway gateway) {
        String upload = "x".repeat(64 * 1024);
        String overTls = "https://" + gateway.address + ":" + tls;
        traffic.add(Traffic.start(gateway.url(plain, "/steady/get"), PAUSE_MILLIS));
        traffic.add(Traffic.start(gateway.url(plain, "/flapping/get"), PAUSE_MILLIS));
        traffic.add(Traffic.start(gateway.url(plain, "/files/file.txt"), PAUSE_MILLIS));
        traffic.add(
                Traffic.start(() -> Http.send("POST", gateway.url(plain, "/steady/post"), null, upload), PAUSE_MILLIS));
        traffic.add(Traffic.start(() -> overHttp2(overTls + "/steady/get", null), PAUSE_MILLIS));
        traffic.add(Traffic.start(() -> overHttp2(overTls + "/steady/post", upload), PAUSE_MILLIS));
        traffic.add(Traffic.start(() -> overHttp2(overTls + "/files/file.txt", null), PAUSE_MILLIS));
        traffic.add(Traffic.start(() -> goAway(gateway), PAUSE_MILLIS));
    }

    private Http.Answer overHttp2(String url, @Nullable String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .header("Accept-Encoding", "gzip")
                .method(
                        body == null ? "GET" : "POST",
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<byte[]> response = http2.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Http.Answer(response.statusCode(), "", Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks for a file on a connection of its own, and goes away without having read it. */
    private Http.Answer goAway(Plant.Gateway gateway) {
        try (Socket socket = new Socket(InetAddress.getByName(gateway.address), plain)) {
            socket.getOutputStream()
                    .write("GET /files/file.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] line = socket.getInputStream().readNBytes(12);
            String status = new String(line, StandardCharsets.US_ASCII);
            return new Http.Answer("HTTP/1.1 200".equals(status) ? 200 : 0, status, Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- What changes meanwhile

    private int change;

    /** One change, of a kind that follows that of the last. */
    private void change(List<Plant.ControlPlane> controlPlanes) {
        Admin admin = controlPlanes.get(change % controlPlanes.size()).admin;
        String id = "/routes/passing-" + change / 8 % 16;
        switch (change % 8) {
            case 0 ->
                admin.put(
                        id, "{\"routerId\":\"plain\",\"path\":\"/passing/" + change + "\",\"proxyPassId\":\"steady\"}");
            case 1 -> admin.patch("/proxy-servers/plain", "{\"plugins\":{\"gzip\":{}}}");
            case 2 -> admin.patch("/upstreams/flapping", "{\"balancing\":\"LEAST_REQUESTS\"}");
            case 3 -> admin.put(id, "{\"routerId\":\"tls\",\"path\":\"/passing\",\"proxyPassId\":\"flapping\"}");
            case 4 -> admin.patch("/proxy-servers/plain", "{\"plugins\":{\"gzip\":null}}");
            case 5 -> admin.patch("/upstreams/flapping", "{\"balancing\":\"ROUND_ROBIN\"}");
            case 6 ->
                admin.patch("/proxy-passes/steady", "{\"requestHeaders\":{\"set\":{\"x-change\":\"" + change + "\"}}}");
            default -> {
                Http.Answer answer = admin.send("DELETE", id, null);
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            }
        }
        change++;
        Await.pause(CHANGE_MILLIS);
    }

    /** A node that is there for a while, and then is not. */
    private static void flap(int port) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
            Await.pause(FLAP_MILLIS);
            server.stop(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Await.pause(FLAP_MILLIS);
    }

    /** Does something again and again until it is closed. */
    private static final class Background implements AutoCloseable {

        private final Thread thread;
        private volatile boolean running = true;
        private volatile @Nullable Throwable failure;

        Background(String name, Runnable action) {
            this.thread = Thread.ofPlatform().name(name).start(() -> run(action));
        }

        private void run(Runnable action) {
            try {
                while (running) {
                    action.run();
                }
            } catch (RuntimeException | AssertionError e) {
                failure = e;
            }
        }

        void check() {
            Throwable failed = failure;
            if (failed != null) {
                throw new AssertionError(thread.getName() + " ended", failed);
            }
        }

        @Override
        public void close() {
            running = false;
            Await.ended(thread);
        }
    }
}
