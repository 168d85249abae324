package io.sigma.dataplane.stream;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Clients of TCP and TLS that behave at random. Thread-safe. */
final class SoakClients {

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int BYTES_MAX = 300_000;

    private final int tcp;
    private final int tls;
    private final SSLSocketFactory encrypting;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * @param tcp the port of a proxy server whose nodes send back what they get
     * @param tls the same, where encrypted connections are passed on
     */
    SoakClients(int tcp, int tls, SSLSocketFactory encrypting) {
        this.tcp = tcp;
        this.tls = tls;
        this.encrypting = encrypting;
    }

    /** Opens one connection and does something with it. */
    void once(Random random) throws InterruptedException {
        String what = "?";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), random.nextInt(4) == 0 ? tls : tcp)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            boolean encrypted = socket.getPort() == tls;
            switch (random.nextInt(encrypted ? 4 : 7)) {
                case 0 -> {
                    what = "reset in the middle";
                    socket.getOutputStream().write(new byte[random.nextInt(20_000)]);
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
                    socket.setSoLinger(true, 0);
                }
                case 1 -> {
                    what = "closed at once";
                    if (random.nextBoolean()) {
                        socket.setSoLinger(true, 0);
                    }
                }
                case 2, 3 -> {
                    what = encrypted ? "encrypted" : "half closed";
                    echoed(encrypted ? encrypted(socket) : socket, random);
                }
                case 4 -> {
                    what = "slow reader";
                    slowly(socket, random);
                }
                case 5 -> {
                    what = "idle";
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(2_500));
                }
                default -> {
                    what = "messages";
                    messages(socket, random);
                }
            }
            count(what);
        } catch (IOException e) {
            count(what + ": " + e.getMessage());
        }
    }

    private SSLSocket encrypted(Socket socket) throws IOException {
        return (SSLSocket) encrypting.createSocket(socket, "mail.example", tls, true);
    }

    /** Sends, ends its side, and reads all of it back. */
    private static void echoed(Socket socket, Random random) throws IOException, InterruptedException {
        byte[] sent = new byte[1 + random.nextInt(BYTES_MAX)];
        random.nextBytes(sent);
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                socket.getOutputStream().write(sent);
                socket.shutdownOutput();
            } catch (IOException e) {
                // The reader hears of it as well.
                return;
            }
        });
        byte[] got = socket.getInputStream().readAllBytes();
        writer.join();
        if (!Arrays.equals(got, sent)) {
            throw new IOException((got.length < sent.length ? "cut short after " : "other bytes, ") + got.length
                    + " of " + sent.length + " at port " + socket.getLocalPort());
        }
    }

    /** Sends much, reads a part late, and goes. */
    private static void slowly(Socket socket, Random random) throws IOException, InterruptedException {
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    socket.getOutputStream().write(new byte[100_000]);
                }
            } catch (IOException e) {
                // Its socket is closed before it has sent all.
                return;
            }
        });
        InputStream in = socket.getInputStream();
        for (int i = 0; i < 5; i++) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
            in.readNBytes(random.nextInt(50_000));
        }
        socket.setSoLinger(random.nextBoolean(), 0);
        socket.close();
        writer.join();
    }

    private static void messages(Socket socket, Random random) throws IOException, InterruptedException {
        socket.setTcpNoDelay(true);
        for (int i = 0; i < 20; i++) {
            byte[] message = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(message);
            socket.getOutputStream().write(message);
            byte[] got = socket.getInputStream().readNBytes(message.length);
            if (!Arrays.equals(got, message)) {
                throw new IOException(
                        (got.length < message.length ? "cut short in message " : "other bytes in message ") + i
                                + " at port " + socket.getLocalPort());
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
        }
    }

    private void count(String what) {
        counts.computeIfAbsent(what, any -> new LongAdder()).increment();
    }

    /** Returns how often what happened. */
    Map<String, LongAdder> counts() {
        return counts;
    }
}
