package io.sigma.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.sigma.cli.AnsweredContract;
import io.sigma.cli.Cli;
import io.sigma.cli.input.ApiRefusal;
import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the commands that shut gateways out ask the admin API, and what they say. */
final class RevocationCommandsTest extends AnsweredContract {

    private static final String REVOCATION =
            "{\"gatewayId\":\"edge-1\",\"revokedAt\":\"2026-01-02T03:04:05Z\",\"revokedBy\":\"admin\",\"reason\":\"stolen\"}";

    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Override
    protected void answer(HttpExchange exchange) throws IOException {
        String what = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        asked.add(what + " " + exchange.getRequestHeaders().getFirst("Authorization"));
        if (what.contains("/other/")) {
            say(exchange, 404, "{\"title\":\"Not found\",\"detail\":\"The gateway \\\"other\\\" is not revoked.\"}");
        } else if (what.startsWith("POST")) {
            say(exchange, 200, "{\"reencrypted\":3}");
        } else if (what.startsWith("PUT")) {
            say(exchange, 200, REVOCATION);
        } else if (what.startsWith("DELETE")) {
            say(exchange, 204, "");
        } else if (what.contains("cursor")) {
            say(
                    exchange,
                    200,
                    "{\"items\":[" + REVOCATION.replace("edge-1", "edge-2").replace(",\"reason\":\"stolen\"", "")
                            + "]}");
        } else {
            say(exchange, 200, "{\"items\":[" + REVOCATION + "],\"nextCursor\":\"next\"}");
        }
    }

    private Cli gateway(String... args) {
        return run(Stream.concat(Stream.of("gateway"), Stream.of(args)).toArray(String[]::new));
    }

    @Test
    void aGatewayIsRevokedWithAReasonAndReadmitted() {
        Cli revoked = gateway("revoke", "edge-1", "--reason", "it was stolen");
        assertThat(revoked.exitCode()).as(revoked.err()).isZero();
        assertThat(revoked.out()).isEqualToNormalizingNewlines("gateway edge-1 is revoked\n");
        Cli readmitted = gateway("readmit", "edge-1");
        assertThat(readmitted.exitCode()).as(readmitted.err()).isZero();
        assertThat(readmitted.out()).isEqualToNormalizingNewlines("gateway edge-1 may enroll again\n");
        assertThat(asked)
                .containsExactly(
                        "PUT /api/v1/gateways/edge-1/revocation?reason=it+was+stolen Bearer t0",
                        "DELETE /api/v1/gateways/edge-1/revocation Bearer t0");
    }

    @Test
    void aGatewayIsWaivedAndCountsAgain() {
        Cli waived = gateway("waive", "edge-1", "--reason", "its disk");
        assertThat(waived.exitCode()).as(waived.err()).isZero();
        assertThat(waived.out()).isEqualToNormalizingNewlines("gateway edge-1 is waived\n");
        Cli ended = gateway("waive", "edge-1", "--end");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).isEqualToNormalizingNewlines("gateway edge-1 is no longer waived\n");
        assertThat(gateway("waive", "edge-1", "--end", "--reason", "x").exitCode())
                .isEqualTo(ExitCode.INVALID);
        assertThat(asked)
                .containsExactly(
                        "PUT /api/v1/gateways/edge-1/waiver?reason=its+disk Bearer t0",
                        "DELETE /api/v1/gateways/edge-1/waiver Bearer t0");
    }

    @Test
    void theSecretsAreReencrypted() {
        Cli done = run("secrets", "re-encrypt");
        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(done.out())
                .isEqualToNormalizingNewlines("3 rows were encrypted with the previous key; none is now\n");
        assertThat(asked).containsExactly("POST /api/v1/secrets/reencryption Bearer t0");
        assertThat(Cli.run("secrets").exitCode()).isEqualTo(ExitCode.INVALID);
    }

    @Test
    void allRevocationsAreListed() {
        Cli listed = gateway("revocations");
        assertThat(listed.exitCode()).as(listed.err()).isZero();
        assertThat(listed.out().lines())
                .containsExactly("edge-1 2026-01-02T03:04:05Z admin stolen", "edge-2 2026-01-02T03:04:05Z admin -");
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        Cli absent = gateway("readmit", "other");
        assertThat(absent.exitCode()).isEqualTo(ApiRefusal.INVALID);
        assertThat(absent.err()).contains("\"other\" is not revoked");
        Cli wrong = gateway("revoke", "../users/admin");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.INVALID);
        assertThat(wrong.err()).contains("ID: \"../users/admin\" (expected: ");
        assertThat(asked).hasSize(1);
    }
}
