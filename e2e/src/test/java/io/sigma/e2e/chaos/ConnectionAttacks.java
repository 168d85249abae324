package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Connections: too many, idle, half begun, tunnels. */
final class ConnectionAttacks {

    private static final int MANY = 2_000;
    private static final int SOCKETS = 256;

    private ConnectionAttacks() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("idle-connections", MANY, attacker -> attacker.http().drain())
                        .thatHolds(),
                Attack.of(
                                "connections-of-one-address",
                                8_000,
                                attacker -> attacker.http().drain())
                        .thatHolds(),
                Attack.of("connect-and-close", 50, ConnectionAttacks::churn),
                Attack.of("connect-and-reset", 50, attacker -> attacker.http().reset()),
                Attack.of("half-heads", MANY, attacker -> halfHead(attacker.http(), attacker, "a: b\r\n"))
                        .thatHolds(),
                Attack.of("half-heads-by-bytes", MANY, attacker -> halfHead(attacker.http(), attacker, "a"))
                        .thatHolds(),
                Attack.of(
                                "half-heads-tls",
                                300,
                                attacker -> halfHead(attacker.tls("TLSv1.3", "http/1.1"), attacker, "a: b\r\n"))
                        .thatHolds(),
                Attack.of("half-preface", 500, ConnectionAttacks::halfPreface).thatHolds(),
                Attack.of("h2-half-head", 500, ConnectionAttacks::halfHeadOnHttp2)
                        .thatHolds(),
                Attack.of("h2-half-frame", 500, ConnectionAttacks::halfFrame).thatHolds(),
                Attack.of("silent-http2", 500, ConnectionAttacks::silentHttp2).thatHolds(),
                Attack.of("empty-lines", 20, ConnectionAttacks::emptyLines),
                Attack.of("proxy-header-half", 500, ConnectionAttacks::halfProxyHeader)
                        .thatHolds(),
                Attack.of("idle-websockets", SOCKETS, attacker -> socket(attacker, "/socket"))
                        .thatHolds()
                        .ofTheGatewayOnly(),
                Attack.of("idle-websockets-from-many", SOCKETS, attacker -> socket(attacker, "/socket"))
                        .from(64)
                        .thatHolds()
                        .ofTheGatewayOnly(),
                Attack.of("websocket-one-byte-frames", 20, ConnectionAttacks::socketBytes)
                        .ofTheGatewayOnly(),
                Attack.of("websocket-flood-unread-by-node", 20, ConnectionAttacks::socketFlood)
                        .ofTheGatewayOnly(),
                Attack.of("websocket-flood-unread-by-client", 50, attacker -> {
                            upgrade(attacker, "/socket-flood");
                            attacker.waitUnread();
                        })
                        .ofTheGatewayOnly());
    }

    private static void churn(Attacker attacker) throws IOException {
        attacker.http().close();
    }

    private static void halfHead(Wire wire, Attacker attacker, String piece) throws IOException {
        wire.drained().send("GET /small HTTP/1.1\r\nHost: localhost\r\n");
        while (!attacker.over()) {
            wire.send(piece);
            attacker.pause(1_000);
        }
    }

    private static void halfPreface(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeHttp2();
        wire.send("PRI * HTTP/2.0\r\n\r\nS");
        wire.drain();
    }

    /** A head without END_HEADERS, and then nothing. */
    private static void halfHeadOnHttp2(Attacker attacker) throws IOException {
        Wire wire = attacker.http2();
        byte[] fields = Frames.times(200, Frames.fields("x-more", "and more and more and more"));
        wire.send(Frames.frame(Frames.HEADERS, 0, 1, fields));
        wire.drain();
    }

    /** All of a frame but its last octet. */
    private static void halfFrame(Attacker attacker) throws IOException {
        Wire wire = attacker.http2();
        byte[] whole = Frames.frame(Frames.DATA, 0, 1, new byte[16_384]);
        wire.send(Frames.join(Frames.post(1, "/echo"), Arrays.copyOf(whole, whole.length - 1)));
        wire.drain();
    }

    private static void silentHttp2(Attacker attacker) throws IOException {
        attacker.http2().drain();
    }

    private static void emptyLines(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        while (!attacker.over()) {
            wire.send("\r\n".repeat(8_000));
        }
    }

    private static void halfProxyHeader(Attacker attacker) throws IOException {
        Wire wire = attacker.http();
        wire.send("PROXY TCP4 192.0.2.1");
        wire.drain();
    }

    private static Wire upgrade(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http(4_096);
        wire.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        return wire;
    }

    private static void socket(Attacker attacker, String path) throws IOException {
        upgrade(attacker, path).drain();
    }

    /** Frames of WebSocket with one octet each, in a segment each. */
    private static void socketBytes(Attacker attacker) throws IOException {
        Wire wire = upgrade(attacker, "/socket").drained();
        byte[] frame = {(byte) 0x82, (byte) 0x81, 1, 2, 3, 4, 'x'};
        while (!attacker.over()) {
            wire.send(frame);
        }
    }

    private static void socketFlood(Attacker attacker) throws IOException {
        Wire wire = upgrade(attacker, "/socket-deaf");
        while (!attacker.over()) {
            wire.send("x".repeat(16_384));
        }
    }
}
