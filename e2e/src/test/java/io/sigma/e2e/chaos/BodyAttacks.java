package io.sigma.e2e.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies that come in the smallest pieces, slowly, never, or beyond what is allowed. */
final class BodyAttacks {

    private static final String CHUNKED = "POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final int SMALL_PIECES = 60_000;
    private static final int PIECES_AT_ONCE = 2_000;
    private static final long DRIP_MILLIS = 10_000;
    private static final int STREAMS = 100;

    private BodyAttacks() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("one-byte-chunks", 40, attacker -> chunks(attacker, "/echo")),
                Attack.of("one-byte-chunks-unread", 40, attacker -> chunks(attacker, "/bad/deaf")),
                Attack.of("one-byte-segments", 40, BodyAttacks::segments),
                Attack.of("h2-one-byte-data", 250, attacker -> data(attacker, "/echo")),
                Attack.of("h2-one-byte-data-unread", 250, attacker -> data(attacker, "/bad/deaf")),
                Attack.of("h2-ignored-window", 10, attacker -> beyondTheWindow(attacker, "/bad/deaf")),
                Attack.of("h2-ignored-window-read", 10, attacker -> beyondTheWindow(attacker, "/echo")),
                Attack.of("h2-data-after-reset", 10, BodyAttacks::dataAfterReset),
                Attack.of("h2-slow-posts", 3, BodyAttacks::slowStreams).thatHolds(),
                Attack.of("h2-posts-without-a-body", 3, BodyAttacks::silentStreams)
                        .thatHolds(),
                Attack.of("slow-posts", 300, attacker -> drip(attacker, "Content-Length: 1000\r\n\r\n", "x"))
                        .thatHolds(),
                Attack.of(
                                "slow-chunks",
                                300,
                                attacker -> drip(attacker, "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"))
                        .thatHolds(),
                Attack.of("slow-posts-from-many", 300, attacker -> drip(attacker, "Content-Length: 1000\r\n\r\n", "x"))
                        .from(100)
                        .thatHolds(),
                Attack.of(
                                "continue-held",
                                300,
                                attacker ->
                                        drip(attacker, "Expect: 100-continue\r\nContent-Length: 100000\r\n\r\n", ""))
                        .thatHolds(),
                Attack.of("slow-bodies", 300, BodyAttacks::steadyBody).thatHolds(),
                Attack.of("long-chunk-extension", 10, attacker -> endless(attacker, "1;", "extension".repeat(1_000))),
                Attack.of("long-chunk-size", 10, attacker -> endless(attacker, "", "0".repeat(8_000))),
                Attack.of("long-trailers", 10, attacker -> endless(attacker, "0\r\n", "a: b\r\n".repeat(1_000))),
                Attack.of("long-trailer", 10, attacker -> endless(attacker, "0\r\na: ", "b".repeat(8_000))),
                Attack.of("h2-long-trailers", 10, BodyAttacks::longTrailers),
                Attack.of("body-nobody-wants", 20, BodyAttacks::unwanted),
                Attack.of("bodies-unread", 100, BodyAttacks::unread).thatHolds(),
                Attack.of("bodies-sent-again", 50, BodyAttacks::again),
                Attack.of("pipelined-behind-a-slow-one", 300, BodyAttacks::behind)
                        .thatHolds());
    }

    private static void chunks(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send(CHUNKED.formatted(path));
        byte[] pieces = Frames.times(PIECES_AT_ONCE, "1\r\nx\r\n".getBytes(StandardCharsets.US_ASCII));
        for (int sent = 0; sent < SMALL_PIECES; sent += PIECES_AT_ONCE) {
            wire.send(pieces);
        }
        attacker.waitUnread();
    }

    private static void segments(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        while (!attacker.over()) {
            wire.sendByBytes(CHUNKED.formatted("/echo") + "1\r\nx\r\n".repeat(20) + "0\r\n\r\n");
        }
    }

    private static void data(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http2().drained();
        wire.send(Frames.post(1, path));
        byte[] pieces = Frames.times(PIECES_AT_ONCE, Frames.frame(Frames.DATA, 0, 1, (byte) 'x'));
        for (int sent = 0; sent < SMALL_PIECES; sent += PIECES_AT_ONCE) {
            wire.send(pieces);
        }
        attacker.waitUnread();
    }

    private static void beyondTheWindow(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http2().drained();
        wire.send(Frames.post(1, path));
        byte[] piece = Frames.frame(Frames.DATA, 0, 1, new byte[16_384]);
        while (!attacker.over()) {
            wire.send(piece);
        }
    }

    private static void dataAfterReset(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        wire.send(Frames.join(Frames.post(1, "/echo"), Frames.frame(Frames.RST_STREAM, 0, 1, Frames.int32(8))));
        byte[] pieces = Frames.times(PIECES_AT_ONCE, Frames.frame(Frames.DATA, 0, 1, (byte) 'x'));
        while (!attacker.over()) {
            wire.send(pieces);
        }
    }

    private static void slowStreams(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
            wire.send(Frames.post(stream, "/echo", "content-length", "1000"));
        }
        while (!attacker.over()) {
            for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
                wire.send(Frames.frame(Frames.DATA, 0, stream, (byte) 'x'));
            }
            attacker.pause(DRIP_MILLIS);
        }
    }

    private static void silentStreams(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
            wire.send(Frames.post(stream, "/echo"));
        }
        while (!attacker.over()) {
            wire.send(Frames.frame(Frames.PING, 0, 0, new byte[8]));
            attacker.pause(1_000);
        }
    }

    private static void drip(Attacker attacker, String framing, String piece) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send("POST /echo HTTP/1.1\r\nHost: localhost\r\n" + framing);
        while (!attacker.over()) {
            wire.send(piece);
            attacker.pause(DRIP_MILLIS);
        }
    }

    /** A hundred bytes a second: slow, but never silent. */
    private static void steadyBody(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
        while (!attacker.over()) {
            wire.send("x".repeat(20));
            attacker.pause(200);
        }
    }

    private static void endless(Attacker attacker, String begin, String more) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send(CHUNKED.formatted("/echo") + begin);
        while (!attacker.over()) {
            wire.send(more);
        }
    }

    private static void longTrailers(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        byte[] fields = Frames.times(400, Frames.fields("x-more", "and more and more and more"));
        wire.send(Frames.join(
                Frames.post(1, "/echo"),
                Frames.frame(Frames.DATA, 0, 1, (byte) 'x'),
                Frames.frame(Frames.HEADERS, Frames.END_STREAM, 1, fields)));
        while (!attacker.over()) {
            wire.send(Frames.frame(Frames.CONTINUATION, 0, 1, fields));
        }
    }

    /** To a node that reads nothing of it. */
    private static void unread(Attacker attacker) throws IOException {
        Wire wire = attacker.http();
        wire.send("POST /bad/deaf HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n");
        while (!attacker.over()) {
            wire.send("x".repeat(16_384));
        }
    }

    /** To a node that ends the connection, so that it is kept and sent to it again. */
    private static void again(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        String request =
                "PUT /bad/closing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n" + "x".repeat(60_000);
        while (!attacker.over()) {
            wire.send(request);
        }
    }

    /** Requests behind one whose response does not end. */
    private static void behind(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send("GET /bad/silent-body HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String requests = "GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }

    private static void unwanted(Attacker attacker) throws IOException {
        Wire wire = attacker.http();
        wire.send("POST /static/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n");
        while (!attacker.over()) {
            wire.send("x".repeat(16_384));
        }
    }
}
