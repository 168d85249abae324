package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.List;

/** Clients that ask for much and read nothing, or little. */
final class ReaderAttacks {

    private static final int STREAMS = 100;
    private static final int SLOW_BYTES_PER_SECOND = 15_000;
    private static final int KERNEL_BYTES = 4_096;

    private ReaderAttacks() {}

    static List<Attack> all() {
        return List.of(
                Attack.of("pipelined-unread", 50, attacker -> pipelined(attacker, "/medium")),
                Attack.of("pipelined-small-unread", 50, attacker -> pipelined(attacker, "/small")),
                Attack.of("pipelined-refused-unread", 50, attacker -> pipelined(attacker, "/static/none")),
                Attack.of("pipelined-files-unread", 50, attacker -> pipelined(attacker, "/static/file.txt")),
                Attack.of("pipelined-unread-tls", 50, ReaderAttacks::pipelinedTls),
                Attack.of("h2-window-zero", 3, attacker -> window(attacker, 0, "/big"))
                        .thatHolds(),
                Attack.of("h2-window-zero-medium", 3, attacker -> window(attacker, 0, "/medium"))
                        .thatHolds(),
                Attack.of("h2-window-zero-files", 3, attacker -> window(attacker, 0, "/static/file.txt"))
                        .thatHolds(),
                Attack.of("h2-window-one", 3, attacker -> window(attacker, 1, "/big"))
                        .thatHolds(),
                Attack.of("h2-window-zero-compressed", 3, ReaderAttacks::compressedWindow)
                        .thatHolds(),
                Attack.of("h2-requests-unread", 20, ReaderAttacks::requestsUnread),
                Attack.of("slow-readers", 300, attacker -> slow(attacker.http(KERNEL_BYTES), attacker))
                        .thatHolds(),
                Attack.of("slow-readers-from-many", 300, attacker -> slow(attacker.http(KERNEL_BYTES), attacker))
                        .from(100)
                        .thatHolds(),
                Attack.of("slow-readers-tls", 300, attacker -> slow(attacker.tls("TLSv1.3", "http/1.1"), attacker))
                        .thatHolds(),
                Attack.of("never-readers", 300, ReaderAttacks::never).thatHolds(),
                Attack.of("asked-and-gone", 50, ReaderAttacks::gone),
                Attack.of("asked-and-half-closed", 300, ReaderAttacks::halfClosed)
                        .thatHolds(),
                Attack.of("missing-files", 20, ReaderAttacks::missing),
                Attack.of("compressed-unread", 50, ReaderAttacks::compressed),
                Attack.of("compressed", 20, ReaderAttacks::compressedAndRead),
                Attack.of("many-ranges", 20, ReaderAttacks::ranges));
    }

    private static String get(String path, String... fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("", fields) + "\r\n";
    }

    private static void pipelined(Attacker attacker, String path) throws IOException {
        Wire wire = attacker.http(KERNEL_BYTES);
        String requests = get(path).repeat(200);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }

    private static void pipelinedTls(Attacker attacker) throws IOException {
        Wire wire = attacker.tls("TLSv1.3", "http/1.1");
        String requests = get("/medium").repeat(200);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }

    /** Streams that may send {@code bytes} at a time; a PING shows that the client is there. */
    private static void window(Attacker attacker, int bytes, String path) throws IOException {
        Wire wire = attacker.http2(Frames.INITIAL_WINDOW_SIZE, bytes).drained();
        for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
            wire.send(Frames.get(stream, path));
        }
        while (!attacker.over()) {
            wire.send(Frames.frame(Frames.PING, 0, 0, new byte[8]));
            for (int stream = 1; bytes > 0 && stream < 2 * STREAMS; stream += 2) {
                wire.send(Frames.windowUpdate(stream, bytes));
            }
            attacker.pause(1_000);
        }
    }

    /** Streams whose responses are compressed and not read. */
    private static void compressedWindow(Attacker attacker) throws IOException {
        Wire wire = attacker.http2(Frames.INITIAL_WINDOW_SIZE, 0).drained();
        for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
            wire.send(Frames.get(stream, "/big", "accept-encoding", "gzip"));
        }
        while (!attacker.over()) {
            wire.send(Frames.frame(Frames.PING, 0, 0, new byte[8]));
            attacker.pause(1_000);
        }
    }

    /** Asks on new streams and reads nothing, not even what the windows allow. */
    private static void requestsUnread(Attacker attacker) throws IOException {
        Wire wire = attacker.http2(Frames.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
        wire.send(Frames.windowUpdate(0, Integer.MAX_VALUE - 65_535));
        for (int stream = 1; !attacker.over(); stream += 2) {
            wire.send(Frames.get(stream, "/medium"));
        }
    }

    private static void slow(Wire wire, Attacker attacker) throws IOException {
        wire.send(get("/big"));
        byte[] tenth = new byte[SLOW_BYTES_PER_SECOND / 10];
        while (!attacker.over()) {
            if (wire.in().readNBytes(tenth, 0, tenth.length) < tenth.length) {
                return;
            }
            attacker.pause(100);
        }
    }

    private static void never(Attacker attacker) throws IOException {
        attacker.http(KERNEL_BYTES).send(get("/big"));
        attacker.waitUnread();
    }

    private static void halfClosed(Attacker attacker) throws IOException {
        Wire wire = attacker.http(KERNEL_BYTES);
        wire.send(get("/big"));
        wire.endOutput();
        attacker.waitUnread();
    }

    /** Asks for files under names that never come again. */
    private static void missing(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        for (long i = System.nanoTime(); !attacker.over(); i++) {
            wire.send(get("/static/none-" + i));
        }
    }

    private static void gone(Attacker attacker) throws IOException {
        Wire wire = attacker.http();
        wire.send(get("/big"));
        wire.reset();
    }

    private static void compressed(Attacker attacker) throws IOException {
        attacker.http(KERNEL_BYTES)
                .send(get("/big", "Accept-Encoding: gzip\r\n").repeat(20));
        attacker.waitUnread();
    }

    private static void compressedAndRead(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        String requests = get("/static/file.txt", "Accept-Encoding: gzip\r\n").repeat(20);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }

    private static void ranges(Attacker attacker) throws IOException {
        Wire wire = attacker.http().drained();
        String requests = get("/static/file.txt", "Range: bytes=" + "0-,".repeat(1_000) + "0-\r\n")
                .repeat(10);
        while (!attacker.over()) {
            wire.send(requests);
        }
    }
}
