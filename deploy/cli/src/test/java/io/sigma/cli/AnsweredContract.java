package io.sigma.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Commands whose admin API is a server of the test. */
@Timeout(60)
public abstract class AnsweredContract {

    private HttpServer api;

    @BeforeEach
    void open() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", this::answer);
        api.start();
    }

    @AfterEach
    void close() {
        api.stop(0);
    }

    /** Answers a request of a command. */
    protected abstract void answer(HttpExchange exchange) throws IOException;

    /** Answers {@code status} with {@code body}, which may be empty. */
    protected static void say(HttpExchange exchange, int status, String body) throws IOException {
        exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
        if (!body.isEmpty()) {
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
        exchange.close();
    }

    /** Runs a command against the server, with a token. */
    protected Cli run(String... args) {
        String url = "http://127.0.0.1:" + api.getAddress().getPort();
        return Cli.run(Stream.concat(Stream.of(args), Stream.of("--url", url, "--token", "t0"))
                .toArray(String[]::new));
    }
}
