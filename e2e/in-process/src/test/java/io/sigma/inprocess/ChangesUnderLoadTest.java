package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty changes a second through the admin API, the database and the protocol to a gateway under load, for as long as
 * {@code -Dsigma.soakSeconds} says.
 */
@Timeout(300)
final class ChangesUnderLoadTest {

    private static final int SECONDS = Integer.getInteger("sigma.soakSeconds", 5);
    private static final long CHANGE_MILLIS = 50;
    /** By when all changes are acknowledged after the last one is made, where tests share few processors. */
    private static final long ACKNOWLEDGED_MILLIS = 10_000;

    private static final int CLIENTS_A_ROUTE = 3;
    private static final long STREAM_MILLIS = 20;

    /**
     * Between two requests of a client, so that the load leaves room for the changes where there are few processors.
     */
    private static final long PAUSE_MILLIS = 10;

    private static final String VERSION = "x-version: ";

    @TempDir
    Path dataDir;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Set<String> versions = ConcurrentHashMap.newKeySet();
    private final List<Long> millisToAcknowledge = new ArrayList<>();
    private HttpServer node;
    private int gatewayPort;
    private String api = "";
    private String token = "";

    @BeforeEach
    void startNode() throws Exception {
        node = vertx.createHttpServer()
                .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
                .requestHandler(request -> {
                    if (request.path().equals("/events")) {
                        stream(request.response());
                    } else {
                        request.response().end("ok");
                    }
                })
                .listen(0, "127.0.0.1")
                .await(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void stopNode() throws Exception {
        http.close();
        vertx.close().await(20, TimeUnit.SECONDS);
    }

    private void stream(HttpServerResponse response) {
        response.setChunked(true).putHeader("Content-Type", "text/event-stream");
        long[] number = {0};
        vertx.setPeriodic(STREAM_MILLIS, timer -> {
            if (over.get()) {
                vertx.cancelTimer(timer);
                response.end();
            } else {
                response.write("data: " + number[0]++ + "\n\n");
            }
        });
    }

    @Test
    void twentyChangesASecondFailNoRequestAndTouchNoStream() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        gatewayPort = StandaloneSettings.freePort();
        api = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            configure();
            changeUnderLoad();
        }
    }

    @SuppressWarnings("try") // It ends the clients before they are waited for, also when something failed.
    private void changeUnderLoad() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable end = () -> over.set(true)) {
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < CLIENTS_A_ROUTE; i++) {
                load.add(clients.submit(() -> request("/steady")));
                load.add(clients.submit(() -> request("/changing/1")));
            }
            Future<Integer> events = clients.submit(this::readEvents);
            Future<Integer> echoes = clients.submit(this::useWebSocket);

            int changes = (int) (TimeUnit.SECONDS.toMillis(SECONDS) / CHANGE_MILLIS);
            long start = System.nanoTime();
            List<Future<Integer>> answers = new ArrayList<>();
            for (int number = 0; number < changes; number++) {
                // By the clock, however long those before take.
                long due = start + TimeUnit.MILLISECONDS.toNanos(number * CHANGE_MILLIS);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
                int change = number;
                answers.add(clients.submit(() -> change(change)));
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get(60, TimeUnit.SECONDS));
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            JsonObject last = put("/routes/last?wait=all&timeout=20s", route("/last"));
            over.set(true);
            for (Future<?> each : load) {
                each.get(60, TimeUnit.SECONDS);
            }
            report(changes, millis, events.get(60, TimeUnit.SECONDS), echoes.get(60, TimeUnit.SECONDS));

            assertThat(statuses).hasSize(changes).containsOnly(200);
            assertThat(millis)
                    .as("%d changes at 20 a second", changes)
                    .isLessThan(SECONDS * 1000L + ACKNOWLEDGED_MILLIS);
            assertThat(last.getJsonObject("revision").getBoolean("complete")).isTrue();
            assertThat(last.getJsonObject("revision").getLong("number")).isGreaterThanOrEqualTo(changes);
            assertThat(failures).isEmpty();
            assertThat(answered.get()).isGreaterThan(20L * SECONDS);
            assertThat(versions).as("versions that clients saw").hasSizeGreaterThan(SECONDS);
            assertThat(events.get()).isGreaterThan(10 * SECONDS);
            assertThat(echoes.get()).isGreaterThan(10 * SECONDS);
        }
    }

    private void report(int changes, long millis, int events, int echoes) {
        List<Long> sorted = millisToAcknowledge.stream().sorted().toList();
        System.out.printf(
                "%d changes in %d ms, acknowledged within %d ms (half) and %d ms (all); %d requests, failures %s; %d versions"
                        + " seen, %d events, %d echoes%n",
                changes,
                millis,
                sorted.get(sorted.size() / 2),
                sorted.getLast(),
                answered.get(),
                failures,
                versions.size(),
                events,
                echoes);
    }

    private void configure() throws Exception {
        put("/proxy-servers/web", "{\"host\":\"127.0.0.1\",\"port\":" + gatewayPort + "}");
        put("/routers/all", "{\"proxyServerId\":\"web\"}");
        put("/upstreams/steady", nodes(""));
        put("/upstreams/changing", nodes(""));
        put("/proxy-passes/steady", "{\"upstreamId\":\"steady\"}");
        put("/proxy-passes/changing", "{\"upstreamId\":\"changing\"}");
        put("/routes/streams", "{\"routerId\":\"all\",\"path\":\"/*\",\"proxyPassId\":\"steady\"}");
        put("/routes/new", route("/new/0"));
        put("/routes/changing?wait=all&timeout=20s", route("/changing/*"));
    }

    private static String route(String path) {
        return "{\"routerId\":\"all\",\"path\":\"" + path + "\",\"proxyPassId\":\"changing\"}";
    }

    private String nodes(String further) {
        return "{\"nodes\":[{\"url\":\"http://127.0.0.1:" + node.actualPort() + "\"}" + further + "]}";
    }

    /** Makes a change of another kind each time, and returns the status of the answer. */
    private int change(int number) throws Exception {
        String second = ",{\"url\":\"http://127.0.0.1:" + node.actualPort() + "/" + number + "\"}";
        long start = System.nanoTime();
        HttpResponse<String> answer = switch (number % 5) {
            case 0 ->
                send(
                        "PATCH",
                        "/proxy-passes/changing",
                        "{\"responseHeaders\":{\"set\":{\"X-Version\":\"" + number + "\"}}}");
            case 1 -> send("PUT", "/upstreams/changing", nodes(number % 2 == 0 ? "" : second));
            case 2 -> send("PUT", "/routes/new", route("/new/" + number));
            case 3 -> send("PATCH", "/routes/changing", "{\"priority\":" + number % 1000 + "}");
            default ->
                send("PATCH", "/proxy-servers/web", "{\"limits\":{\"bodyBytesMax\":" + (1_000_000 + number) + "}}");
        };
        synchronized (millisToAcknowledge) {
            millisToAcknowledge.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
        return answer.statusCode();
    }

    /** Sends requests on connections that it repeats nothing on, so that each failure is seen. */
    private void request(String path) {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        while (!over.get()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gatewayPort);
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
                socket.setSoTimeout(20_000);
                boolean kept = true;
                while (kept && !over.get()) {
                    socket.getOutputStream().write(request);
                    kept = readAnswer(in);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            } catch (IOException e) {
                failures.merge(path + ": " + e, 1, Integer::sum);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Returns whether the connection stays open. */
    private boolean readAnswer(BufferedReader in) throws IOException {
        String status = in.readLine();
        if (status == null) {
            throw new IOException("closed before the answer");
        }
        boolean kept = true;
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length: ")) {
                length = Integer.parseInt(field.substring("content-length: ".length()));
            } else if (field.startsWith(VERSION)) {
                versions.add(field.substring(VERSION.length()));
            } else if (field.equals("connection: close")) {
                kept = false;
            }
        }
        for (int left = length; left > 0; left--) {
            if (in.read() < 0) {
                throw new IOException("closed within the answer");
            }
        }
        answered.incrementAndGet();
        if (!status.equals("HTTP/1.1 200 OK")) {
            failures.merge(status, 1, Integer::sum);
        }
        return kept;
    }

    /** Returns how many events came, one after the other, on one response until the node ended it. */
    private int readEvents() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gatewayPort + "/events"))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        int events = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                http.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty()) {
                    assertThat(line).isEqualTo("data: " + events++);
                }
            }
        }
        assertThat(over.get()).as("the stream lasted").isTrue();
        return events;
    }

    /** Returns how many messages came back on one WebSocket. */
    private int useWebSocket() throws Exception {
        LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        WebSocket socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + gatewayPort + "/socket"), new WebSocket.Listener() {
                    private final StringBuilder parts = new StringBuilder();

                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        // A message may come in parts.
                        parts.append(text);
                        if (last) {
                            received.add(parts.toString());
                            parts.setLength(0);
                        }
                        from.request(1);
                        return null;
                    }
                })
                .get(20, TimeUnit.SECONDS);
        int echoes = 0;
        while (!over.get()) {
            socket.sendText("message " + echoes, true).get(20, TimeUnit.SECONDS);
            assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("message " + echoes++);
            TimeUnit.MILLISECONDS.sleep(STREAM_MILLIS);
        }
        socket.abort();
        return echoes;
    }

    private JsonObject put(String path, String body) throws Exception {
        HttpResponse<String> answer = send("PUT", path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return new JsonObject(answer.body());
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
