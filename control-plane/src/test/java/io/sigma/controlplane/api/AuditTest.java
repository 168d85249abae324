package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Browser;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.json.Json;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AuditTest {

    private static final String PASSWORD = "a-password-that-is-long";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane("adminPassword", PASSWORD, "auditKeptMax", "1000");

    private final AdminClient client = running.client();

    private List<String> records(String filter) {
        return records(client, filter);
    }

    /** Returns what is recorded, the oldest first. */
    static List<String> records(AdminClient client, String filter) {
        List<String> lines = new ArrayList<>();
        client.get("/audit?limit=1000" + filter).json().path("items").forEach(one -> {
            List<String> entities = new ArrayList<>();
            one.path("entities").forEach(entity -> entities.add(entity.asText()));
            lines.addFirst(one.path("who").asText() + " " + one.path("action").asText() + " "
                    + one.path("outcome").asText() + " " + one.path("status").asInt() + " " + entities);
        });
        return lines;
    }

    private JsonNode verified() {
        return client.get("/audit/verification").json();
    }

    @Test
    void everyChangeAndEveryRefusedOneIsRecorded() {
        client.put("/proxy-servers/web", "{\"port\":18201}");
        client.put("/proxy-servers/web", "{\"port\":18201}", "If-Match", "\"9\"");
        client.put("/proxy-servers/web", "{\"port\":0}");
        client.put("/proxy-servers/web", "{\"port\":18201}", "Authorization", "Bearer wrong");
        client.put("/proxy-servers/web", "{\"port\":18201}", "Origin", "http://evil.example");
        client.put("/routers/shop", "{\"proxyServerId\":\"web\"}");
        client.patch("/routers/shop", "{\"name\":\"Shop\"}");
        client.delete("/proxy-servers/web");
        client.get("/proxy-servers", "Authorization", "Bearer wrong");
        client.get("/proxy-servers/none");
        assertThat(records(""))
                .containsExactly(
                        "process:" + running.controlPlane().settings().controlPlaneId()
                                + " firstStart DONE 201 [USER/admin]",
                        "settings:admin-token putProxyServer DONE 201 [PROXY_SERVER/web]",
                        "settings:admin-token putProxyServer REFUSED 412 [PROXY_SERVER/web]",
                        "settings:admin-token putProxyServer REFUSED 422 [PROXY_SERVER/web]",
                        "unknown putProxyServer REFUSED 401 [PROXY_SERVER/web]",
                        "unknown PUT REFUSED 403 [PROXY_SERVER/web]",
                        "settings:admin-token putRouter DONE 201 [ROUTER/shop]",
                        "settings:admin-token patchRouter DONE 200 [ROUTER/shop]",
                        "settings:admin-token deleteProxyServer REFUSED 409 [PROXY_SERVER/web]",
                        "unknown listProxyServers REFUSED 401 []");
        JsonNode refused =
                client.get("/audit?outcome=REFUSED&action=putProxyServer").json();
        assertThat(refused.at("/items/1/detail").asText()).isEqualTo("invalid: /port");
        assertThat(refused.at("/items/1/address").asText()).isEqualTo("127.0.0.1");
        assertThat(client.get("/audit?kind=PROXY_SERVER&outcome=DONE")
                        .json()
                        .at("/items/0/revision")
                        .asLong())
                .isEqualTo(1);
        assertThat(verified().path("valid").asBoolean()).isTrue();
    }

    @Test
    void loginsUsersAndTokensAreRecordedWithoutAnySecret() {
        Browser browser = new Browser(client);
        browser.logIn("admin", PASSWORD);
        browser.logIn("admin", "wrong-password-1");
        browser.logIn("typed-password-2", "x");
        browser.changePassword(PASSWORD, "fresh-password-3");
        browser.changePassword("wrong-password-4", "fresh-password-5");
        browser.send("POST", "/users", "{\"name\":\"anna\",\"role\":\"VIEWER\",\"password\":\"given-password-6\"}");
        browser.send("PATCH", "/users/anna", "{\"password\":\"given-password-7\"}");
        browser.send("POST", "/users", "{\"name\":\"berta\",\"role\":\"VIEWER\",\"password\":\"short-8\"}");
        browser.send("DELETE", "/users/admin", "");
        String token = browser.send("POST", "/tokens", "{\"name\":\"ci\",\"role\":\"EDITOR\"}")
                .json()
                .path("token")
                .asText();
        client.get("/users", "Authorization", "Bearer " + token);
        browser.send("DELETE", "/tokens/ci", "");
        browser.send("DELETE", "/session", "");
        assertThat(records("").subList(1, 14))
                .containsExactly(
                        "admin logIn DONE 200 [USER/admin]",
                        "admin logIn REFUSED 401 []",
                        "unknown logIn REFUSED 401 []",
                        "admin changeOwnPassword DONE 200 [USER/admin]",
                        "admin changeOwnPassword REFUSED 422 []",
                        "admin createUser DONE 201 [USER/anna]",
                        "admin patchUser DONE 200 [USER/anna]",
                        "admin createUser REFUSED 422 []",
                        "admin deleteUser REFUSED 409 [USER/admin]",
                        "admin createApiToken DONE 201 [TOKEN/ci]",
                        "token:ci listUsers REFUSED 403 []",
                        "admin deleteApiToken DONE 204 [TOKEN/ci]",
                        "admin logOut DONE 204 [USER/admin]");
        String everything = TestDatabase.query(running.database(), "select row_to_json(audit_log)::text from audit_log")
                .toString();
        assertThat(everything)
                .doesNotContain(
                        PASSWORD,
                        "password-1",
                        "password-2",
                        "password-3",
                        "password-4",
                        "password-5",
                        "password-6",
                        "password-7",
                        "short-8",
                        token,
                        browser.cookie().substring("sigma_session=".length()));
    }

    @Test
    void whateverIsChangedOrRemovedBreaksTheChainThere() {
        for (int i = 0; i < 5; i++) {
            client.put("/proxy-servers/web", "{\"port\":" + (18_210 + i) + "}");
        }
        assertThat(verified().path("valid").asBoolean()).isTrue();
        assertThat(verified().path("checked").asLong()).isEqualTo(6);

        TestDatabase.execute(running.database(), "update audit_log set who = 'somebody' where seq = 3");
        assertThat(verified().path("valid").asBoolean()).isFalse();
        assertThat(verified().path("brokenSeq").asLong()).isEqualTo(3);
        TestDatabase.execute(running.database(), "update audit_log set who = 'settings:admin-token' where seq = 3");
        assertThat(verified().path("valid").asBoolean()).isTrue();

        TestDatabase.execute(running.database(), "create table kept as select * from audit_log where seq in (4, 6)");
        TestDatabase.execute(running.database(), "delete from audit_log where seq = 4");
        assertThat(verified().path("brokenSeq").asLong()).isEqualTo(4);
        TestDatabase.execute(running.database(), "insert into audit_log select * from kept where seq = 4");
        TestDatabase.execute(running.database(), "delete from audit_log where seq = 6");
        assertThat(verified().path("brokenSeq").asLong()).isEqualTo(6);
    }

    @Test
    void aChainThatWasWrittenAnewHasNotTheHashThatWasNoted() {
        client.put("/proxy-servers/web", "{\"port\":18220}");
        JsonNode noted = verified();
        String anchor = "?seq=" + noted.path("last").asLong() + "&hash="
                + noted.path("hash").asText();
        assertThat(client.get("/audit/verification" + anchor)
                        .json()
                        .path("valid")
                        .asBoolean())
                .isTrue();
        TestDatabase.execute(
                running.database(),
                "update audit_log set who = 'somebody', hash = audit_hash((select hash from audit_log where seq = 1), seq,"
                        + " at, 'somebody', address, action, outcome, status, revision, entities, detail) where seq = 2");
        TestDatabase.execute(
                running.database(), "update audit_head set hash = (select hash from audit_log where seq = 2)");
        assertThat(verified().path("valid").asBoolean()).isTrue();
        JsonNode found = client.get("/audit/verification" + anchor).json();
        assertThat(found.path("valid").asBoolean()).isFalse();
        assertThat(found.path("brokenSeq").asLong()).isEqualTo(2);
        assertThat(client.get("/audit/verification?seq=1").status()).isEqualTo(400);
        assertThat(client.get("/audit/verification?seq=99&hash=" + "0".repeat(64))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void twoControlPlanesKeepOneChain() throws Exception {
        try (RunningControlPlane replica = RunningControlPlane.start(
                        TestSettings.of(running.dir().resolve("replica"), running.database()));
                ExecutorService writers = Executors.newFixedThreadPool(8)) {
            List<Future<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                AdminClient one = i % 2 == 0 ? client : replica.client();
                String body = i % 4 < 2 ? "{\"port\":" + (19_000 + i) + "}" : "{\"port\":0}";
                String path = "/proxy-servers/w" + i;
                replies.add(writers.submit(() -> one.put(path, body)));
            }
            for (Future<Reply> reply : replies) {
                assertThat(reply.get().status()).isIn(201, 422);
            }
            JsonNode found = verified();
            assertThat(found.path("valid").asBoolean()).as("%s", found).isTrue();
            assertThat(found.path("checked").asLong()).isEqualTo(81);
        }
    }

    @Test
    void whatIsTrimmedLeavesAChainThatCanBeVerified() {
        client.put("/proxy-servers/web", "{\"port\":18230}");
        TestDatabase.execute(
                running.database(),
                "select audit_append(1000, null, 'many', 'local', 'test', 'DONE', 200, null, '{}', null)"
                        + " from generate_series(1, 1500)");
        JsonNode found = verified();
        assertThat(found.path("valid").asBoolean()).as("%s", found).isTrue();
        // Of 1502 rows, with the one of the start; trimmed with each hundredth.
        assertThat(TestDatabase.query(running.database(), "select count(*) from audit_log"))
                .containsExactly("1002");
        assertThat(found.path("first").asLong()).isEqualTo(501);
        assertThat(found.path("checked").asLong()).isEqualTo(1002);
        TestDatabase.execute(running.database(), "delete from audit_log where seq = (select min(seq) from audit_log)");
        assertThat(verified().path("brokenSeq").asLong())
                .isEqualTo(found.path("first").asLong());
    }

    @Test
    void recordsAreFilteredAndPaged() {
        for (int i = 0; i < 3; i++) {
            client.put("/proxy-servers/web" + i, "{\"port\":" + (18_240 + i) + "}");
        }
        client.put("/routers/shop", "{\"proxyServerId\":\"web1\"}");
        client.put("/routers/shop", "{\"proxyServerId\":\"none\"}");
        assertThat(records("&kind=PROXY_SERVER")).hasSize(3);
        assertThat(records("&kind=PROXY_SERVER&id=web1")).hasSize(1);
        assertThat(records("&id=shop")).hasSize(2);
        assertThat(records("&id=shop&outcome=REFUSED")).hasSize(1);
        assertThat(records("&who=nobody")).isEmpty();
        assertThat(records("&who=settings:admin-token")).hasSize(5);
        assertThat(records("&action=putRouter")).hasSize(2);
        assertThat(records("&from=2099-01-01T00:00:00Z")).isEmpty();
        assertThat(records("&to=2099-01-01T00:00:00Z")).hasSize(6);
        String moment = client.get("/audit?id=web1").json().at("/items/0/at").asText();
        assertThat(records("&from=" + URLEncoder.encode(moment, StandardCharsets.UTF_8)))
                .hasSize(4);
        JsonNode first = client.get("/audit?limit=4").json();
        JsonNode second = client.get(
                        "/audit?limit=4&cursor=" + first.path("nextCursor").asText())
                .json();
        assertThat(first.path("items")).hasSize(4);
        assertThat(second.path("items")).hasSize(2);
        assertThat(second.has("nextCursor")).isFalse();
        assertThat(client.get("/audit?outcome=MAYBE").status()).isEqualTo(400);
        assertThat(client.get("/audit?from=yesterday").status()).isEqualTo(400);
        assertThat(client.get("/audit?from=2026-99-99T00:00:00Z").status()).isEqualTo(400);
    }

    @Test
    void recordsAreExportedAsLinesAndAsATable() {
        TestDatabase.execute(
                running.database(),
                "select audit_append(100000, null, '=cmd()', 'local', 'test', 'DONE', 200, null, '{A/b,C/d}', 'a \"b\", c')"
                        + " from generate_series(1, 2500)");
        Reply lines = client.get("/audit/export?who=" + URLEncoder.encode("=cmd()", StandardCharsets.UTF_8));
        assertThat(lines.header("Content-Type")).isEqualTo("application/x-ndjson");
        List<JsonNode> all = lines.http()
                .body()
                .lines()
                .map(line -> Json.read(line, JsonNode.class))
                .toList();
        assertThat(all).hasSize(2500);
        assertThat(all.getFirst().path("seq").asLong()).isEqualTo(2);
        Reply table = client.get("/audit/export?format=csv");
        assertThat(table.header("Content-Type")).startsWith("text/csv");
        assertThat(table.http().body().lines()).hasSize(2502);
        assertThat(table.http().body())
                .startsWith("seq,at,who,")
                .contains(",'=cmd(),local,test,DONE,200,,A/b C/d,\"a \"\"b\"\", c\",");
    }

    @Test
    void aRefusalIsRecordedWhateverWasSent() {
        Reply reply = client.post("/session", "{\"\\u0000\\u202e\":1}");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(records("&action=logIn")).containsExactly("unknown logIn REFUSED 422 []");
        client.delete("/gateways/edge/revocation");
        assertThat(records("&kind=GATEWAY"))
                .containsExactly("settings:admin-token readmitGateway REFUSED 404 [GATEWAY/edge]");
        assertThat(verified().path("valid").asBoolean()).isTrue();
    }

    @Test
    void aRefusalIsRecordedWhenNobodyWaitsForItAnyMore() throws Exception {
        String token = client.post("/tokens", "{\"name\":\"wall\",\"role\":\"VIEWER\"}")
                .json()
                .path("token")
                .asText();
        TestDatabase.whileLocked(running.database(), "api_tokens", waited -> {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), running.controlPlane().adminPort())) {
                socket.getOutputStream()
                        .write(("DELETE /api/v1/routes/shop HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token
                                        + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                waited.run();
            }
        });
        Eventually.holds(
                "the refusal is recorded",
                Duration.ofSeconds(10),
                () -> records("&who=token:wall").equals(List.of("token:wall deleteRoute REFUSED 403 [ROUTE/shop]")));
    }

    @Test
    void theLogCanBeVerifiedWhileItIsTrimmed() throws Exception {
        append(1500);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean enough = new AtomicBoolean();
            Future<?> appending = others.submit(() -> {
                while (!enough.get()) {
                    append(100);
                }
            });
            try {
                for (int i = 0; i < 150; i++) {
                    JsonNode found = verified();
                    assertThat(found.path("valid").asBoolean()).as("%s", found).isTrue();
                }
            } finally {
                enough.set(true);
            }
            appending.get();
        }
    }

    private void append(int count) {
        TestDatabase.execute(
                running.database(),
                "select audit_append(1000, null, 'many', 'local', 'test', 'DONE', 200, null, '{}', null)"
                        + " from generate_series(1, " + count + ")");
    }

    @Test
    void strangersFillAHundredthOfTheLogInADay() throws Exception {
        for (int i = 0; i < 30; i++) {
            client.send("PUT", "/proxy-servers/web", "{\"port\":1}", "Authorization", "Basic nothing");
        }
        client.put("/proxy-servers/web", "{\"port\":0}");
        assertThat(records("&who=unknown")).hasSize(10);
        assertThat(client.get("/audit?limit=1").json().at("/items/0/detail").asText())
                .isEqualTo("20 refusals before are left out; invalid: /port");
    }
}
