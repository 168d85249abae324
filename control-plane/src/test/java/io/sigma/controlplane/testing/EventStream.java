package io.sigma.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open event stream of the admin API. Reads only when it is asked to. */
public final class EventStream implements AutoCloseable {

    /**
     * An event.
     *
     * @param id empty when it has none
     */
    public record Event(String id, String type, JsonNode data) {

        /** Returns the type, and the number of a revision. */
        @Override
        public String toString() {
            return type.equals("revision") ? type + " " + data.path("number").asLong() : type;
        }
    }

    private final HttpClient http;
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;
    private String lastId = "";

    private EventStream(HttpClient http, HttpResponse<InputStream> response) {
        this.http = http;
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** Opens a stream with the admin token. */
    public static EventStream open(AdminClient client) throws IOException, InterruptedException {
        return open(client, null);
    }

    /** Opens a stream that goes on after an event. */
    public static EventStream open(AdminClient client, @Nullable String lastEventId)
            throws IOException, InterruptedException {
        return open(client, lastEventId, TestSettings.TOKEN);
    }

    /** Opens a stream with a token. */
    public static EventStream open(AdminClient client, @Nullable String lastEventId, String token)
            throws IOException, InterruptedException {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(client.base() + "/api/v1/events"))
                .header("Authorization", "Bearer " + token);
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        return new EventStream(http, http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    }

    public int status() {
        return response.statusCode();
    }

    public String contentType() {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    /** Returns the id of the last event that was read; what a client names when it comes back. */
    public String lastId() {
        return lastId;
    }

    /** Waits for the next event that is not about rates. */
    public Event next() throws IOException {
        Event event = any();
        while (event.type().equals("rates")) {
            event = any();
        }
        return event;
    }

    /** Waits for the next event of a type. */
    public Event next(String type) throws IOException {
        Event event = any();
        while (!event.type().equals(type)) {
            event = any();
        }
        return event;
    }

    /** Returns the next events up to one that reads {@code last}, with it. */
    public List<String> until(String last) throws IOException {
        List<String> read = new ArrayList<>();
        do {
            read.add(next().toString());
        } while (!read.getLast().equals(last));
        return read;
    }

    private Event any() throws IOException {
        String id = "";
        String type = "";
        String data = "";
        for (String line = line(); !line.isEmpty() || type.isEmpty(); line = line()) {
            if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("event: ")) {
                type = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                data = line.substring("data: ".length());
            }
        }
        lastId = id.isEmpty() ? lastId : id;
        return new Event(id, type, Json.read(data, JsonNode.class));
    }

    private String line() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("the stream has ended");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
        http.shutdownNow();
    }
}
