package io.sigma.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.sigma.cli.AnsweredContract;
import io.sigma.cli.Cli;
import io.sigma.cli.input.ApiRefusal;
import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What the commands about imports ask the admin API, and what they say. */
final class ImportCommandTest extends AnsweredContract {

    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Override
    protected void answer(HttpExchange exchange) throws IOException {
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
        say(exchange, used ? 409 : 200, body);
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
        assertThat(run("import", "remove", "a/b").exitCode()).isEqualTo(ExitCode.INVALID);
        assertThat(Cli.run("import").exitCode()).isEqualTo(ExitCode.INVALID);
    }
}
