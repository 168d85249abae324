package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The offer of the old process.
 *
 * @param serving what it serves; null when a file says that
 * @param sockets descriptors of the sockets that listen, by address; the receiver closes them
 */
public record Offer(@Nullable Serving serving, Map<String, List<Integer>> sockets) {

    private static final String SOCKETS = "sockets";

    /** Sends an offer, then its descriptors in as many messages as they need: one message carries few of them. */
    void send(ControlConnection connection, String version) throws IOException {
        ObjectNode body = Protocol.body().put("protocol", Protocol.VERSION).put("version", version);
        if (serving != null) {
            serving.put(body);
        }
        ArrayNode addresses = body.putArray(SOCKETS);
        List<Integer> all = new ArrayList<>();
        sockets.forEach((address, descriptors) -> {
            addresses.addObject().put("address", address).put("count", descriptors.size());
            all.addAll(descriptors);
        });
        connection.send(Kind.OFFER, body, List.of(), Protocol.ANSWER_MILLIS);
        for (int from = 0; from < all.size(); from += Kernel.DESCRIPTORS_MAX) {
            List<Integer> part = all.subList(from, Math.min(all.size(), from + Kernel.DESCRIPTORS_MAX));
            connection.send(Kind.SOCKETS, Protocol.body(), part, Protocol.ANSWER_MILLIS);
        }
    }

    /**
     * Receives the descriptors of an offer whose head was received.
     *
     * @throws IOException when they are not all there; those that are, are closed
     */
    static Offer receive(ControlConnection connection, JsonNode body) throws IOException {
        List<Integer> all = new ArrayList<>();
        try {
            int expected = 0;
            for (JsonNode socket : body.path(SOCKETS)) {
                int count = socket.path("count").asInt();
                if (count < 1 || count > Protocol.SOCKETS_MAX - expected) {
                    throw new IOException(
                            "%d sockets (expected: at most %d in all)".formatted(count, Protocol.SOCKETS_MAX));
                }
                expected += count;
            }
            while (all.size() < expected) {
                ControlConnection.Message more = connection.receive(Protocol.ANSWER_MILLIS);
                all.addAll(more.descriptors());
                Protocol.expect(Kind.SOCKETS, more.kind());
                if (more.descriptors().isEmpty() || all.size() > expected) {
                    throw new IOException("%d sockets (expected: %d)".formatted(all.size(), expected));
                }
            }
            for (int fd : all) {
                if (!Kernel.isListening(fd)) {
                    throw new IOException("a descriptor is of something that does not listen");
                }
            }
            return new Offer(Serving.of(body), byAddress(body, all));
        } catch (IOException e) {
            all.forEach(Kernel::close);
            throw e;
        }
    }

    private static Map<String, List<Integer>> byAddress(JsonNode body, List<Integer> all) {
        Map<String, List<Integer>> sockets = new TreeMap<>();
        int at = 0;
        for (JsonNode socket : body.path(SOCKETS)) {
            int count = socket.path("count").asInt();
            sockets.computeIfAbsent(socket.path("address").asText(), address -> new ArrayList<>())
                    .addAll(all.subList(at, at + count));
            at += count;
        }
        return sockets;
    }

    /** Closes what nobody takes. */
    public void close() {
        sockets.values().forEach(descriptors -> descriptors.forEach(Kernel::close));
    }
}
