package io.sigma.bench.bridge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Prints, for each bridge: who the event hook says the peer is, latency of announce to fetched, throughput of chunks,
 * heap and direct memory per idle connection (both ends), what a never-ending message makes the control plane keep, and
 * whether it drops a peer that says nothing.
 */
public final class BridgeComparison {

    private static final int CHUNK_BYTES = 256 * 1024;
    private static final int ROUNDS_WARM = 1_000;
    private static final int ROUNDS = 5_000;
    private static final int CHUNKS = 800;
    private static final int CONNECTIONS = 200;
    private static final int FLOOD_BYTES = 128 << 20;
    private static final long SILENCE_MILLIS = 25_000;

    private BridgeComparison() {}

    /** Runs the comparison. */
    public static void main(String[] arguments) throws Exception {
        for (int run = 0; run < 2; run++) {
            measure("tcp", new TcpBridge());
            measure("websocket", new WebSocketBridge());
        }
    }

    private static void measure(String name, Bridge bridge) throws Exception {
        Vertx controlPlane = Vertx.vertx();
        Vertx gateway = Vertx.vertx();
        Certificates certificates = new Certificates();
        byte[] chunk = new byte[CHUNK_BYTES];
        new java.util.Random(1).nextBytes(chunk);
        String base64 = Base64.getEncoder().encodeToString(chunk);
        controlPlane
                .eventBus()
                .<JsonObject>consumer(
                        "fetch",
                        message -> message.reply(
                                new JsonObject().put("data", message.body().getBoolean("big", false) ? base64 : "x")));
        int port = await(bridge.listen(controlPlane, certificates));
        Peer peer = await(bridge.connect(gateway, certificates, port));
        peer.send(new JsonObject().put("type", "register").put("address", "announce"));
        gateway.setPeriodic(1_000, id -> peer.send(new JsonObject().put("type", "ping")));
        roundTrips(controlPlane, peer, ROUNDS_WARM);
        long[] nanos = roundTrips(controlPlane, peer, ROUNDS);
        Arrays.sort(nanos);
        chunks(peer, CHUNKS / 4);
        long chunkNanos = chunks(peer, CHUNKS);
        System.out.printf(
                "%-10s peer %s  announce-fetch p50 %.0f us p99 %.0f us  chunks %.0f MiB/s%n",
                name,
                bridge.lastPeer(),
                nanos[ROUNDS / 2] / 1e3,
                nanos[ROUNDS * 99 / 100] / 1e3,
                CHUNKS * (double) CHUNK_BYTES / (1 << 20) / (chunkNanos / 1e9));
        System.out.printf(
                "%-10s memory per connection, both ends %d KiB%n", name, memory(bridge, gateway, certificates, port));
        System.out.printf("%-10s never-ending message: %s%n", name, flood(bridge, gateway, certificates, port));
        System.out.printf("%-10s silent peer: %s%n", name, silence(bridge, gateway, certificates, port));
        peer.close();
        await(gateway.close());
        await(controlPlane.close());
    }

    private static long[] roundTrips(Vertx controlPlane, Peer peer, int rounds) throws Exception {
        long[] nanos = new long[rounds];
        CompletableFuture<Void> done = new CompletableFuture<>();
        int[] round = {0};
        long[] began = {0};
        Runnable announce = () -> {
            began[0] = System.nanoTime();
            controlPlane.eventBus().publish("announce", new JsonObject().put("revision", round[0]));
        };
        peer.onMessage(message -> {
            if ("announce".equals(message.getString("address"))) {
                peer.send(request("a", new JsonObject()));
                return;
            }
            nanos[round[0]++] = System.nanoTime() - began[0];
            if (round[0] == rounds) {
                done.complete(null);
            } else {
                announce.run();
            }
        });
        TimeUnit.MILLISECONDS.sleep(200); // the registration is not acknowledged by either bridge
        announce.run();
        done.get(60, TimeUnit.SECONDS);
        return nanos;
    }

    private static long chunks(Peer peer, int count) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        int[] received = {0};
        peer.onMessage(message -> {
            Base64.getDecoder().decode(message.getJsonObject("body").getString("data"));
            if (++received[0] == count) {
                done.complete(null);
            } else {
                peer.send(request("c", new JsonObject().put("big", true)));
            }
        });
        long began = System.nanoTime();
        peer.send(request("c", new JsonObject().put("big", true)));
        done.get(120, TimeUnit.SECONDS);
        return System.nanoTime() - began;
    }

    private static JsonObject request(String replyAddress, JsonObject body) {
        return new JsonObject()
                .put("type", "send")
                .put("address", "fetch")
                .put("replyAddress", replyAddress)
                .put("body", body);
    }

    private static long memory(Bridge bridge, Vertx gateway, Certificates certificates, int port) throws Exception {
        List<Peer> peers = new ArrayList<>();
        long before = used();
        for (int i = 0; i < CONNECTIONS; i++) {
            Peer peer = await(bridge.connect(gateway, certificates, port));
            peer.send(new JsonObject().put("type", "register").put("address", "announce"));
            peers.add(peer);
        }
        long after = used();
        peers.forEach(Peer::close);
        return (after - before) / CONNECTIONS / 1024;
    }

    private static String flood(Bridge bridge, Vertx gateway, Certificates certificates, int port) throws Exception {
        Peer peer = await(bridge.connect(gateway, certificates, port));
        Buffer part = Buffer.buffer(new byte[32 * 1024]);
        long before = used();
        int sent = 0;
        try {
            while (sent < FLOOD_BYTES && !peer.closed().isComplete()) {
                peer.sendPartOfAMessage(part)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
                sent += part.length();
            }
        } catch (Exception e) {
            return "cut off after " + sent / 1024 + " KiB";
        }
        String result = peer.closed().isComplete()
                ? "cut off after " + sent / 1024 + " KiB"
                : "took " + (sent >> 20) + " MiB and keeps " + ((used() - before) >> 20) + " MiB";
        peer.close();
        return result;
    }

    private static String silence(Bridge bridge, Vertx gateway, Certificates certificates, int port) throws Exception {
        Peer peer = await(bridge.connect(gateway, certificates, port));
        peer.send(new JsonObject().put("type", "register").put("address", "announce"));
        long began = System.nanoTime();
        try {
            peer.closed().toCompletionStage().toCompletableFuture().get(SILENCE_MILLIS, TimeUnit.MILLISECONDS);
            return "dropped after " + (System.nanoTime() - began) / 1_000_000 + " ms";
        } catch (TimeoutException e) {
            peer.close();
            return "still there after " + SILENCE_MILLIS + " ms";
        }
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(200);
        }
        long direct = io.netty.util.internal.PlatformDependent.usedDirectMemory();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() + Math.max(direct, 0);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
