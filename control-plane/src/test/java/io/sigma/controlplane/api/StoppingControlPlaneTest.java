package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane that stops while requests are under way. */
final class StoppingControlPlaneTest {

    @TempDir
    Path dir;

    @Test
    void writeThatHasBegunIsAnswered() throws Exception {
        RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, TestDatabase.fresh()));
        int port = running.controlPlane().adminPort();
        byte[] body = "{\"nodes\":[{\"url\":\"http://192.0.2.1\"}]}".getBytes(StandardCharsets.UTF_8);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(20_000);
            OutputStream out = client.getOutputStream();
            out.write(
                    ("PUT /api/v1/upstreams/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nAuthorization: Bearer "
                                    + TestSettings.TOKEN + "\r\nContent-Type: application/json\r\nContent-Length: "
                                    + body.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            // It waits for the body.
            assertThat(read(client)).startsWith("HTTP/1.1 100 ");

            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                try {
                    running.close();
                } catch (TimeoutException e) {
                    throw new CompletionException(e);
                }
            });
            awaitClosedPort(port);
            out.write(body);

            assertThat(read(client)).startsWith("HTTP/1.1 201 ");
            closed.get(20, TimeUnit.SECONDS);
        }
    }

    private static String read(Socket client) throws Exception {
        byte[] bytes = new byte[4096];
        int length = client.getInputStream().read(bytes);
        return new String(bytes, 0, Math.max(0, length), StandardCharsets.US_ASCII);
    }

    private static void awaitClosedPort(int port) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < end) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (ConnectException e) {
                return;
            }
        }
        throw new AssertionError("the port is open still");
    }
}
