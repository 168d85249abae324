package io.sigma.e2e.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** TLS: records of a byte, handshakes that cost, are abandoned, or never end. */
final class TlsAttacks {

    /** A record of handshake messages that announces a ClientHello of 16 MB. */
    private static final byte[] LONG_HELLO = {22, 3, 1, 0x40, 0, 1, (byte) 0xff, (byte) 0xff, (byte) 0xff};

    private static final byte[] WARNING = {21, 3, 3, 0, 2, 1, 90};
    private static final byte[] CHANGE_CIPHER_SPEC = {20, 3, 3, 0, 1, 1};

    private TlsAttacks() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("tls-one-byte-records", 20, TlsAttacks::oneByteRecords),
                Attack.of("tls-handshakes-abandoned", 500, TlsAttacks::abandoned)
                        .thatHolds(),
                Attack.of("tls-hello-and-gone", 20, TlsAttacks::helloAndGone),
                Attack.of("tls-silent", 500, attacker -> attacker.beforeTls().drain())
                        .thatHolds(),
                Attack.of("tls-handshake-flood", 10, attacker -> attacker.tls("TLSv1.3")),
                Attack.of("tls12-handshake-flood", 10, attacker -> attacker.tls("TLSv1.2")),
                Attack.of("tls-key-update-flood", 10, attacker -> handshakes(attacker, "TLSv1.3")),
                Attack.of("tls-renegotiation-flood", 10, attacker -> handshakes(attacker, "TLSv1.2")),
                Attack.of("tls-hello-by-bytes", 40, TlsAttacks::helloByBytes),
                Attack.of("tls-hello-in-records-of-a-byte", 40, TlsAttacks::helloInRecords),
                Attack.of("tls-long-hello", 20, TlsAttacks::longHello),
                Attack.of(
                        "tls-garbage",
                        20,
                        attacker -> flood(attacker, "garbage".repeat(1_000).getBytes(StandardCharsets.US_ASCII))),
                Attack.of("tls-alert-flood", 10, attacker -> flood(attacker, Frames.times(1_000, WARNING))),
                Attack.of("tls-change-cipher-flood", 10, TlsAttacks::changeCipher),
                Attack.of("tls-half-record", 300, TlsAttacks::halfRecord).thatHolds(),
                Attack.of("tls-renewed-for-each-request", 20, TlsAttacks::newForEach),
                Attack.of("tls-pipelined-and-reset", 20, TlsAttacks::askedAndReset),
                Attack.of("tls-idle", 500, attacker -> attacker.tls("TLSv1.3").drain())
                        .thatHolds());
    }

    private static void oneByteRecords(Attacker attacker) throws IOException {
        Wire wire = attacker.tls("TLSv1.3", "http/1.1").drained();
        while (!attacker.over()) {
            wire.sendByBytes("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
    }

    private static void abandoned(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls();
        wire.send(Tls.clientHello());
        wire.drain();
    }

    private static void helloAndGone(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls();
        wire.send(Tls.clientHello());
        wire.reset();
    }

    private static void handshakes(Attacker attacker, String version) throws IOException {
        Wire wire = attacker.tls(version, "http/1.1").drained();
        while (!attacker.over()) {
            wire.handshake();
            wire.send("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
    }

    private static void newForEach(Attacker attacker) throws IOException {
        Wire wire = attacker.tls("TLSv1.3", "http/1.1");
        wire.send("GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        wire.drain();
    }

    private static void askedAndReset(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls();
        Wire tls = wire.tls("TLSv1.3", "http/1.1");
        tls.handshake();
        tls.send("GET /medium HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
        wire.reset();
    }

    private static void helloByBytes(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls().drained();
        for (byte b : Tls.clientHello()) {
            wire.send(new byte[] {b});
            attacker.pause(20);
        }
    }

    private static void helloInRecords(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls().drained();
        byte[] hello = Tls.clientHello();
        for (int i = 5; i < hello.length; i++) {
            wire.send(new byte[] {22, 3, 1, 0, 1, hello[i]});
        }
        attacker.pause(1_000);
    }

    /** A record without its last octets, in segments of a byte. */
    private static void halfRecord(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls();
        wire.tls("TLSv1.3", "http/1.1").handshake();
        wire.send(new byte[] {23, 3, 3, 0x40, 0});
        for (int i = 0; i < 0x4000 - 10 && !attacker.over(); i++) {
            wire.send(new byte[1]);
        }
        attacker.waitUnread();
    }

    private static void longHello(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls().drained();
        wire.send(LONG_HELLO);
        wire.send(new byte[0x4000 - 4]);
        byte[] more = Frames.join(new byte[] {22, 3, 1, 0x40, 0}, new byte[0x4000]);
        while (!attacker.over()) {
            wire.send(more);
        }
    }

    private static void flood(Attacker attacker, byte... bytes) throws IOException {
        Wire wire = attacker.beforeTls().drained();
        while (!attacker.over()) {
            wire.send(bytes);
        }
    }

    private static void changeCipher(Attacker attacker) throws IOException {
        Wire wire = attacker.beforeTls().drained();
        wire.send(Tls.clientHello());
        byte[] many = Frames.times(1_000, CHANGE_CIPHER_SPEC);
        while (!attacker.over()) {
            wire.send(many);
        }
    }
}
