package io.sigma.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the commands about imports ask the admin API, and what they say. */
@Timeout(60)
final class ImportCommandTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
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

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        boolean lists = exchange.getRequestMethod().equals("GET");
        boolean used = exchange.getRequestURI().getPath().endsWith("/used");
        String body = lists
                ? "{\"items\":[{\"id\":\"pets\",\"name\":\"Pet Store\",\"resources\":5,\"routes\":2}]}"
                : used
                        ? "{\"title\":\"Still referred to\",\"detail\":\"The router \\\"used\\\" is referred to.\","
                                + "\"referrers\":[{\"kind\":\"ROUTE\",\"id\":\"own\"}]}"
                        : "{\"revision\":{\"number\":3,\"changed\":true,\"votes\":[]},\"deleted\":1,"
                                + "\"changes\":[{\"kind\":\"PROXY_PASS\",\"id\":\"pets\"}]}";
        exchange.sendResponseHeaders(used ? 409 : 200, body.length());
        exchange.getResponseBody().write(body.getBytes(UTF_8));
        exchange.close();
    }

    private Cli run(String... args) {
        return Cli.run(Stream.concat(
                        Stream.of(args),
                        Stream.of(
                                "--url", "http://127.0.0.1:" + api.getAddress().getPort(), "--token", "t0"))
                .toArray(String[]::new));
    }

    @Test
    void importsAreListed() {
        assertThat(run("import", "list").out().lines()).containsExactly("pets  2 routes  \"Pet Store\"");
    }

    @Test
    void anImportIsRemovedAsAWhole() {
        Cli tried = run("import", "remove", "pets", "--dry-run");
        assertThat(tried.out().lines())
                .containsExactly("- proxy pass \"pets\"", "import pets: 1 resources would be deleted");
        Cli done = run("import", "remove", "pets", "--message", "moved");
        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(done.out().lines())
                .containsExactly(
                        "- proxy pass \"pets\"", "import pets: 1 resources are deleted", "votes: no gateway was asked");
        assertThat(asked.getFirst()).isEqualTo("DELETE /api/v1/import/openapi/pets?dryRun=true");
        assertThat(asked.getLast()).contains("dryRun=false", "message=moved");
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        Cli used = run("import", "remove", "used");
        assertThat(used.exitCode()).isEqualTo(ApiRefusal.CONFLICT);
        assertThat(used.err()).contains("referred to by route \"own\"");
        assertThat(run("import", "remove", "a/b").exitCode()).isEqualTo(Main.INVALID);
        assertThat(Cli.run("import").exitCode()).isEqualTo(Main.INVALID);
    }
}
