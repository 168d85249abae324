package io.sigma.controlplane.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that says only whether it speaks TLS. */
final class ServerTlsTest {

    private static final int PATIENCE_SECONDS = 30;
    private static final long SSL_REQUEST = 8L << 32 | 80_877_103;
    private static final int END = -1;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Vertx vertx = Vertx.vertx();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        threads.shutdownNow();
    }

    private PgConnectOptions options(SslMode mode) {
        return new PgConnectOptions()
                .setHost("127.0.0.1")
                .setPort(server.getLocalPort())
                .setSslMode(mode);
    }

    /** Returns what the server reads behind the request: the end when the client closes its connection. */
    private Future<Integer> answer(char answer) {
        Callable<Integer> conversation = () -> {
            try (Socket client = server.accept()) {
                client.setSoTimeout(PATIENCE_SECONDS * 1000);
                DataInputStream in = new DataInputStream(client.getInputStream());
                assertThat(in.readLong()).isEqualTo(SSL_REQUEST);
                client.getOutputStream().write(answer);
                return in.read();
            }
        };
        return threads.submit(conversation);
    }

    private PgConnectOptions agreed(SslMode mode) throws TimeoutException {
        return new ServerTls(vertx, 10_000).agreed(options(mode)).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void whoOnlyPrefersTlsDoesWithoutAndTheServerKeepsNoConnection() throws Exception {
        Future<Integer> rest = answer('N');
        assertThat(agreed(SslMode.PREFER).getSslMode()).isEqualTo(SslMode.DISABLE);
        assertThat(rest.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(END);
    }

    @Test
    void tlsIsSpokenWhereTheServerDoes() throws Exception {
        Future<Integer> rest = answer('S');
        assertThat(agreed(SslMode.PREFER).getSslMode()).isEqualTo(SslMode.PREFER);
        assertThat(rest.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(END);
    }

    @Test
    void whoRequiresTlsDoesNotConnectWithout() throws Exception {
        Future<Integer> rest = answer('N');
        assertThatThrownBy(() -> agreed(SslMode.REQUIRE))
                .hasMessage("The database at 127.0.0.1:%d does not speak TLS (sslmode=require)"
                        .formatted(server.getLocalPort()));
        assertThat(rest.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(END);
    }

    @Test
    void serverThatSaysNothingIsNotWaitedForLong() throws Exception {
        Future<Integer> rest = threads.submit(() -> {
            try (Socket client = server.accept()) {
                client.setSoTimeout(PATIENCE_SECONDS * 1000);
                new DataInputStream(client.getInputStream()).readLong();
                return client.getInputStream().read();
            }
        });
        assertThatThrownBy(() -> new ServerTls(vertx, 200)
                        .agreed(options(SslMode.PREFER))
                        .await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThat(rest.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(END);
    }

    @Test
    void serversAreNotAskedWhereTlsIsOff() throws Exception {
        assertThat(agreed(SslMode.DISABLE).getSslMode()).isEqualTo(SslMode.DISABLE);
        assertThat(agreed(SslMode.ALLOW).getSslMode()).isEqualTo(SslMode.ALLOW);
    }
}
