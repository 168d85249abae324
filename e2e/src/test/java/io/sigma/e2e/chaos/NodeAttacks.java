package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Nodes of another upstream that answer badly; see {@link ChaosNode}. */
final class NodeAttacks {

    private static final int CONNECTIONS = 20;

    private NodeAttacks() {}

    static List<Attack> all() {
        Stream<Attack> read = Stream.of(
                        "endless-head",
                        "endless-field",
                        "endless-interim",
                        "endless-trailers",
                        "endless-extension",
                        "endless-size",
                        "endless-lines",
                        "endless-reason",
                        "endless-body",
                        "one-byte-chunks",
                        "one-byte-segments",
                        "surplus",
                        "closing",
                        "resetting",
                        "unasked-switch",
                        "garbage")
                .map(path -> Attack.of("node-" + path, CONNECTIONS, attacker -> ask(attacker, path)));
        Stream<Attack> held = Stream.of("deaf", "silent-body", "dripping-head", "dripping-body")
                .map(path -> Attack.of("node-" + path, 400, attacker -> ask(attacker, path))
                        .thatHolds());
        Stream<Attack> left = Stream.of("endless-body", "one-byte-chunks", "endless-interim")
                .map(path ->
                        Attack.of("node-" + path + "-client-gone", CONNECTIONS, attacker -> askAndGo(attacker, path)));
        Stream<Attack> unread = Stream.of("endless-body", "one-byte-chunks", "endless-interim")
                .map(path -> Attack.of("node-" + path + "-unread", 100, attacker -> {
                    askFor(attacker.http(4_096), path);
                    attacker.waitUnread();
                }));
        Stream<Attack> http2 = Stream.of("endless-body", "one-byte-chunks", "endless-trailers", "endless-interim")
                .map(path -> Attack.of("node-" + path + "-h2", CONNECTIONS, attacker -> streams(attacker, path)));
        Stream<Attack> compressed = Stream.of("one-byte-chunks", "one-byte-segments", "endless-body")
                .map(path -> Attack.of("node-" + path + "-compressed", CONNECTIONS, attacker -> {
                    Wire wire = attacker.http();
                    wire.send("GET /bad/" + path + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
                    wire.drain();
                }));
        return Stream.of(read, held, left, unread, http2, compressed)
                .flatMap(attacks -> attacks)
                .toList();
    }

    private static void askFor(Wire wire, String path) throws IOException {
        wire.send("GET /bad/" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private static void ask(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http();
        askFor(wire, path);
        wire.drain();
    }

    private static void askAndGo(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http();
        askFor(wire, path);
        attacker.pause(50);
        wire.reset();
    }

    /** Twenty streams that may be sent anything, of which nothing is read. */
    private static void streams(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http2(Frames.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
        wire.send(Frames.windowUpdate(0, Integer.MAX_VALUE - 65_535));
        for (int stream = 1; stream < 40; stream += 2) {
            wire.send(Frames.get(stream, "/bad/" + path));
        }
        attacker.waitUnread();
    }
}
