package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HealthCommandTest {

    private HttpServer server;
    private String url;
    private volatile int status = 200;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        url = "http://127.0.0.1:%d/health".formatted(server.getAddress().getPort());
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void aProcessThatAnswers200IsWell() {
        assertThat(Cli.run("health", url).exitCode()).isZero();
    }

    @Test
    void aProcessThatAnswersAnythingElseIsNot() {
        status = 503;
        Cli cli = Cli.run("health", url);
        assertThat(cli.exitCode()).isEqualTo(1);
        assertThat(cli.out()).isEqualToIgnoringNewLines("503");
    }

    @Test
    void aProcessThatDoesNotAnswerIsNot() throws IOException {
        String nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "http://127.0.0.1:%d/health".formatted(socket.getLocalPort());
        }
        Cli cli = Cli.run("health", nobody);
        assertThat(cli.exitCode()).isEqualTo(1);
        assertThat(cli.err()).isEqualToIgnoringNewLines("sigma: " + nobody + " does not answer: Connection refused");
    }

    @Test
    void passwordInAUrlIsRefusedAndNotPrinted() {
        for (Cli cli : List.of(
                Cli.run("health", "http://user:hidden@127.0.0.1:1/"),
                Cli.run("health", "http//user:hidden@127.0.0.1:1/"),
                Cli.run("export", "--url", "http://user:hidden@127.0.0.1:1", "--token", "token"),
                Cli.run("export", "--url", "http://user:hidden@127.0.0.1:x y", "--token", "token"))) {
            assertThat(cli.exitCode()).as(cli.err()).isEqualTo(2);
            assertThat(cli.out() + cli.err()).contains("[redacted]@127.0.0.1").doesNotContain("hidden");
        }
    }

    @Test
    void verboseAddsTheStackTrace() {
        server.stop(0);
        assertThat(Cli.run("health", url).err()).doesNotContain("\tat ");
        assertThat(Cli.run("health", "--verbose", url).err()).contains("\tat io.sigma.cli.HealthCommand");
    }
}
