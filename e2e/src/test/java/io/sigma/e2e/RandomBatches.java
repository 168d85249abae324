package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Random batches at both control planes: good ones, wrong ones, those that one gateway refuses in its vote, and those
 * that are refused when they are applied, because a port was taken after the vote. After each of them the fleet must
 * have come to rest, and what was acknowledged must be served by every gateway, or it must be said who does not serve
 * it.
 */
final class RandomBatches {

    private static final int IDS = 8;
    /** From sending a batch until the port is taken: before, between and after vote and application. */
    private static final int TAKEN_AFTER_MILLIS_MAX = 40;

    private final Plant plant;
    private final Random random;
    private final Durations rest;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private int number;

    private enum Sort {
        GOOD,
        WRONG,
        REFUSED_BY_ONE,
        TAKEN_BY_ONE,
        TAKEN_BY_ALL
    }

    private static final List<Sort> SORTS = List.of(Sort.values());

    RandomBatches(Plant plant, long seed, Durations rest) {
        this.plant = plant;
        this.random = new Random(seed);
        this.rest = rest;
    }

    void run(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Sort sort = SORTS.get(random.nextInt(SORTS.size()));
            try {
                one(sort);
            } catch (AssertionError e) {
                throw new AssertionError("batch " + i + ", " + sort, e);
            }
        }
        outcomes.forEach((outcome, times) -> System.out.println("batches, " + outcome + ": " + times));
    }

    private void one(Sort sort) throws IOException {
        List<String> operations = goodOperations();
        int port = Ports.free();
        List<ServerSocket> taken = new ArrayList<>();
        try {
            CompletableFuture<Void> taking = CompletableFuture.completedFuture(null);
            switch (sort) {
                case GOOD -> {}
                case WRONG -> operations.add(wrongOperation());
                case REFUSED_BY_ONE -> taken.add(take("127.0.0.12", port));
                case TAKEN_BY_ONE -> taking = takeSoon(port, List.of("127.0.0.12"), taken);
                case TAKEN_BY_ALL -> taking = takeSoon(port, List.of("127.0.0.11", "127.0.0.12"), taken);
            }
            if (sort != Sort.GOOD && sort != Sort.WRONG) {
                operations.add(operation("PUT", "PROXY_SERVER", "late", "{\"port\":" + port + "}"));
            }
            int at = random.nextInt(2);
            // At the same time as another one at the other control plane, now and then.
            CompletableFuture<Http.Answer> beside = random.nextInt(4) == 0
                    ? CompletableFuture.supplyAsync(() -> send(1 - at, List.of(goodOperation("beside")), ""))
                    : null;
            Http.Answer answer = send(at, operations, random.nextBoolean() ? "?wait=all" : "");
            long since = System.nanoTime();
            judge(sort, answer);
            Http.Answer other = beside == null ? null : beside.join();
            taking.join();
            rest(since, answer, other);
        } finally {
            for (ServerSocket socket : taken) {
                socket.close();
            }
        }
        mend();
    }

    private Http.Answer send(int at, List<String> operations, String query) {
        return plant.controlPlanes
                .get(at)
                .admin
                .send("POST", "/batch" + query, "{\"operations\":[" + String.join(",", operations) + "]}");
    }

    private void judge(Sort sort, Http.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isIn(200, 201, 409, 422);
        // A gateway on a busy machine may vote too late; then it is a refusal on application, which rest() looks for.
        boolean silent =
                answer.json().at("/revision/votes").findValuesAsText("vote").contains("SILENT");
        if (sort == Sort.WRONG || (sort == Sort.REFUSED_BY_ONE && !silent)) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        }
    }

    /**
     * Waits until nobody is on the way any more, and checks that what was acknowledged is served, or said not to be.
     */
    private void rest(long since, Http.Answer answer, Http.@Nullable Answer other) {
        List<String> refusing = new ArrayList<>();
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            Await.until("the fleet is at rest in the eyes of " + controlPlane.process, () -> {
                refusing.clear();
                long newest = controlPlane.admin.revision();
                return newest >= Math.max(number(answer), number(other))
                        && plant.gateways.stream()
                                .allMatch(gateway -> isAtRest(controlPlane, gateway, newest, refusing));
            });
            if (!refusing.isEmpty()) {
                Await.until(
                        "the analysis of " + controlPlane.process + " tells who refuses",
                        () -> controlPlane
                                        .admin
                                        .get("/analysis?rule=refused-by-gateways")
                                        .path("items")
                                        .size()
                                > 0);
            }
        }
        rest.add((System.nanoTime() - since) / 1_000_000);
        count(answer, refusing);
        saidInTheAnswer(answer, refusing);
    }

    private static boolean isAtRest(
            Plant.ControlPlane controlPlane, Plant.Gateway gateway, long newest, List<String> refusing) {
        JsonNode seen = controlPlane.admin.get("/gateways/" + gateway.id);
        if (seen.path("state").asText().equals("REFUSED")) {
            refusing.add(gateway.id);
            return seen.at("/refusal/revision").asLong() == newest
                    && !seen.at("/refusal/message").asText().isEmpty();
        }
        return seen.path("state").asText().equals("CURRENT") && gateway.revision() == newest;
    }

    /** An answer that waited for all gateways must not say that all of them serve what one of them refuses. */
    private static void saidInTheAnswer(Http.Answer answer, List<String> refusing) {
        JsonNode revision = answer.json().path("revision");
        if (!refusing.isEmpty() && revision.has("complete")) {
            assertThat(revision.path("complete").asBoolean()).as(answer.body()).isFalse();
        }
    }

    private void count(Http.Answer answer, List<String> refusing) {
        String outcome = switch (answer.status()) {
            case 200, 201 ->
                refusing.isEmpty()
                        ? "made and served by all"
                        : "made, refused on application by " + (refusing.size() == 1 ? "one" : "all") + ", and said";
            case 409 -> "409";
            default -> answer.body().contains("refused-by-gateway") ? "refused in the vote" : "invalid";
        };
        outcomes.merge(outcome, 1, Integer::sum);
    }

    private static long number(Http.@Nullable Answer answer) {
        return answer == null ? 0 : answer.json().at("/revision/number").asLong();
    }

    /** What a gateway refuses is taken away, which must be possible and be served. */
    private void mend() {
        Admin admin = plant.controlPlanes.get(random.nextInt(2)).admin;
        long since = System.nanoTime();
        Http.Answer gone = admin.send("DELETE", "/proxy-servers/late", null);
        assertThat(gone.status()).as(gone.body()).isIn(200, 404);
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            for (Plant.Gateway gateway : plant.gateways) {
                Await.until(
                        gateway.id + " serves the newest revision in the eyes of " + controlPlane.process,
                        () -> isAtRest(controlPlane, gateway, controlPlane.admin.revision(), new ArrayList<>())
                                && controlPlane
                                        .admin
                                        .get("/gateways/" + gateway.id)
                                        .path("state")
                                        .asText()
                                        .equals("CURRENT"));
            }
        }
        rest.add((System.nanoTime() - since) / 1_000_000);
    }

    private List<String> goodOperations() {
        List<String> operations = new ArrayList<>();
        int first = random.nextInt(IDS);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            operations.add(goodOperation("batch-" + (first + i) % IDS));
        }
        return operations;
    }

    private String goodOperation(String id) {
        number++;
        return switch (random.nextInt(3)) {
            case 0 -> operation("PUT", "UPSTREAM", id, "{\"nodes\":[{\"url\":\"http://127.0.0.1:9/" + number + "\"}]}");
            case 1 ->
                operation("PUT", "PROXY_PASS", id, "{\"fixedResponse\":{\"status\":200,\"body\":\"" + number + "\"}}");
            default ->
                operation(
                        "PUT",
                        "ROUTE",
                        id,
                        "{\"routerId\":\"all\",\"path\":\"/" + id + "/" + number + "\",\"proxyPassId\":\"to-node\"}");
        };
    }

    private String wrongOperation() {
        return switch (random.nextInt(5)) {
            case 0 ->
                operation(
                        "PUT",
                        "ROUTE",
                        "wrong",
                        "{\"routerId\":\"all\",\"path\":\"nope\",\"proxyPassId\":\"to-node\"}");
            case 1 ->
                operation(
                        "PUT", "ROUTE", "wrong", "{\"routerId\":\"all\",\"path\":\"/a\",\"proxyPassId\":\"nowhere\"}");
            case 2 ->
                operation(
                        "PUT", "ROUTE", "wrong", "{\"routerId\":\"all\",\"path\":\"~/(\",\"proxyPassId\":\"to-node\"}");
            case 3 ->
                operation("PUT", "UPSTREAM", "wrong", "{\"nodes\":[{\"url\":\"http://127.0.0.1\",\"weight\":5000}]}");
            default ->
                operation("PUT", "UPSTREAM", "wrong", "{\"discovery\":{\"type\":\"NO_SUCH\",\"url\":\"http://a\"}}");
        };
    }

    private static String operation(String action, String kind, String id, String body) {
        return "{\"action\":\"%s\",\"kind\":\"%s\",\"id\":\"%s\",\"body\":%s}".formatted(action, kind, id, body);
    }

    private static ServerSocket take(String address, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(new InetSocketAddress(address, port));
        return socket;
    }

    private CompletableFuture<Void> takeSoon(int port, List<String> addresses, List<ServerSocket> taken) {
        int millis = 1 + random.nextInt(TAKEN_AFTER_MILLIS_MAX);
        return CompletableFuture.runAsync(() -> {
            Await.pause(millis);
            for (String address : addresses) {
                try {
                    taken.add(take(address, port));
                } catch (IOException e) {
                    // The gateway was faster, which is as good.
                }
            }
        });
    }
}
