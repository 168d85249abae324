package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.List;

/** Heads of requests that cost more to read than to send. */
final class HeadAttacks {

    private static final String SWITCH =
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";

    private HeadAttacks() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("endless-fields", 20, attacker -> endless(attacker, "GET / HTTP/1.1\r\n", "a: b\r\n")),
                Attack.of("endless-field", 20, attacker -> endless(attacker, "GET / HTTP/1.1\r\na: ", "bbbbbb")),
                Attack.of("endless-name", 20, attacker -> endless(attacker, "GET / HTTP/1.1\r\n", "aaaaaa")),
                Attack.of("endless-target", 20, attacker -> endless(attacker, "GET /", "aaaaaa")),
                Attack.of("endless-method", 20, attacker -> endless(attacker, "", "GETGET")),
                Attack.of("many-fields", 20, attacker -> requests(attacker, "/small", "a: b\r\n".repeat(90))),
                Attack.of("many-cookies", 20, attacker -> requests(attacker, "/small", cookies())),
                Attack.of("dot-segments", 20, attacker -> requests(attacker, "/a/..".repeat(1_000) + "/small", "")),
                Attack.of("encoded-paths", 20, attacker -> requests(attacker, "/%61%2e%2F".repeat(500), "")),
                Attack.of("deep-paths", 20, attacker -> requests(attacker, "/a".repeat(3_500), "")),
                Attack.of("many-parameters", 20, attacker -> requests(attacker, "/small?" + "a=b&".repeat(1_500), "")),
                Attack.of("many-forwarded", 20, attacker -> requests(attacker, "/small", forwarded())),
                Attack.of("many-encodings", 20, attacker -> requests(attacker, "/static/file.txt", encodings())),
                Attack.of("many-connection-options", 20, attacker -> requests(attacker, "/small", options())),
                Attack.of("names-that-never-come-again", 20, HeadAttacks::neverAgain),
                Attack.of("switch-to-http2", 20, attacker -> requests(attacker, "/small", SWITCH)),
                Attack.of("refused-requests", 20, attacker -> requests(attacker, "/none", "bad field\r\n")));
    }

    /** Fields, hosts, methods and paths that no cache of the gateway can know. */
    private static void neverAgain(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        for (long i = System.nanoTime(); !attacker.over(); i++) {
            wire.send("M%1$d /%1$d?%1$d HTTP/1.1\r\nHost: h%1$d\r\nx-%1$d: %1$d\r\nCookie: c%1$d=%1$d\r\n\r\n"
                    .formatted(i));
        }
    }

    private static String cookies() {
        return "Cookie: " + "a=b; ".repeat(1_400) + "\r\n";
    }

    private static String forwarded() {
        return "X-Forwarded-For: " + "192.0.2.1, ".repeat(600) + "192.0.2.1\r\n";
    }

    private static String encodings() {
        return "Range: bytes=0-0\r\nAccept-Encoding: " + "a;q=0.5,".repeat(800) + "b\r\n";
    }

    private static String options() {
        return "Connection: " + "a, ".repeat(2_000) + "a\r\n";
    }

    private static void endless(Attacker attacker, String begin, String more) throws IOException {
        Wire wire = attacker.http().drained();
        wire.send(begin);
        while (!attacker.over()) {
            wire.send(more.repeat(1_000));
        }
    }

    /** Sends whole requests as fast as they are answered, sixteen at a time. */
    private static void requests(Attacker attacker, String path, String fields) throws IOException {
        Wire wire = attacker.http().drained();
        String requests = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n").repeat(16);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }
}
