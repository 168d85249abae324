package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.api.contract.ContractDocument;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Browser;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AccountsTest {

    private static final String PASSWORD = "a-password-that-is-long";

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();
    private static String firstAdmin;

    @BeforeAll
    static void start() {
        firstAdmin = running.controlPlane().firstAdmin().orElseThrow();
    }

    private static Reply user(String name, String role) {
        return client.post(
                "/users", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\",\"password\":\"" + PASSWORD + "\"}");
    }

    private static String token(String name, String more) {
        client.delete("/tokens/" + name);
        Reply made = client.post("/tokens", "{\"name\":\"" + name + "\"," + more + "}");
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/tokens/" + name);
        return made.json().path("token").asText();
    }

    private static String[] as(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    @Test
    void theFirstStartMakesAnAdminWhoMustChangeThePasswordThatItSaid() {
        assertThat(firstAdmin)
                .matches("First start: log in as admin with the password [A-Za-z0-9_-]{20} \\(shown only once;"
                        + " change it at the first login\\)");
        String password = firstAdmin.replaceFirst(".* the password (\\S+) .*", "$1");
        Reply login = new Browser(client).logIn("admin", password);
        assertThat(login.status()).isEqualTo(200);
        assertThat(login.json().path("mustChangePassword").asBoolean()).isTrue();
        assertThat(TestDatabase.query(running.database(), "select password_hash from users where name = 'admin'")
                        .getFirst())
                .startsWith("$argon2id$v=19$m=19456,t=2,p=1$")
                .doesNotContain(password);
    }

    @Test
    void usersAreMadeShownListedAndDeleted() {
        Reply made = user("anna", "EDITOR");
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/users/anna");
        assertThat(made.http().body()).doesNotContain("argon2", PASSWORD);
        assertThat(made.json().path("mustChangePassword").asBoolean()).isTrue();
        assertThat(user("anna", "VIEWER").status()).isEqualTo(409);
        user("anton", "VIEWER");
        Reply page = client.get("/users?limit=1");
        assertThat(page.json().at("/items/0/name").asText()).isEqualTo("admin");
        Reply next = client.get(
                "/users?limit=10&cursor=" + page.json().path("nextCursor").asText());
        assertThat(next.json().path("items").findValuesAsText("name")).contains("anna", "anton");
        assertThat(client.get("/users/anna").json().path("role").asText()).isEqualTo("EDITOR");
        assertThat(client.delete("/users/anna").status()).isEqualTo(204);
        assertThat(client.get("/users/anna").status()).isEqualTo(404);
        assertThat(client.delete("/users/anna").status()).isEqualTo(404);
        assertThat(client.patch("/users/anna", "{\"role\":\"ADMIN\"}").status()).isEqualTo(404);
        client.delete("/users/anton");
    }

    @Test
    void whatIsNoUserIsRefusedWithAPointer() {
        for (Map.Entry<String, String> bad : Map.of(
                        "{\"name\":\"Anna\",\"role\":\"VIEWER\",\"password\":\"" + PASSWORD + "\"}",
                        "/name",
                        "{\"name\":\"a b\",\"role\":\"VIEWER\",\"password\":\"" + PASSWORD + "\"}",
                        "/name",
                        "{\"name\":\"a\",\"role\":\"ROOT\",\"password\":\"" + PASSWORD + "\"}",
                        "/role",
                        "{\"name\":\"a\",\"role\":\"VIEWER\",\"password\":\"short-one\"}",
                        "/password",
                        "{\"name\":\"a\",\"role\":\"VIEWER\"}",
                        "/password",
                        "{\"name\":\"a\",\"role\":\"VIEWER\",\"password\":\"" + PASSWORD + "\",\"x\":1}",
                        "/x")
                .entrySet()) {
            Reply reply = client.post("/users", bad.getKey());
            assertThat(reply.status()).as(bad.getKey()).isEqualTo(422);
            assertThat(reply.pointers()).isEqualTo(bad.getValue());
            assertThat(reply.http().body()).doesNotContain("short-one");
        }
        assertThat(client.patch("/users/admin", "{}").status()).isEqualTo(422);
        assertThat(client.get("/users/A%20B").status()).isEqualTo(400);
    }

    @Test
    void theLastAdminStays() {
        assertThat(client.delete("/users/admin").status()).isEqualTo(409);
        assertThat(client.patch("/users/admin", "{\"role\":\"EDITOR\"}").status())
                .isEqualTo(409);
        assertThat(client.patch("/users/admin", "{\"disabled\":true}").status()).isEqualTo(409);
        assertThat(client.get("/users/admin").json().path("role").asText()).isEqualTo("ADMIN");
    }

    @Test
    void ofTwoAdminsWhoAreDemotedAtOnceOneStays() throws Exception {
        user("second", "ADMIN");
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            Future<Reply> one = both.submit(() -> client.patch("/users/second", "{\"role\":\"VIEWER\"}"));
            Future<Reply> two = both.submit(() -> client.patch("/users/admin", "{\"role\":\"VIEWER\"}"));
            assertThat(new int[] {one.get().status(), two.get().status()}).containsExactlyInAnyOrder(200, 409);
        }
        client.patch("/users/admin", "{\"role\":\"ADMIN\"}");
        client.delete("/users/second");
    }

    @Test
    void everyOperationIsRefusedToTheRoleBelow() {
        Map<String, String> below = Map.of(
                "editor", token("below-editor", "\"role\":\"VIEWER\""),
                "admin", token("below-admin", "\"role\":\"EDITOR\""));
        ContractDocument.read()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String role = operation.getValue().path("x-role").asText();
                    if (below.containsKey(role)) {
                        String at =
                                path.getKey().replaceAll("\\{number\\}", "1").replaceAll("\\{[^}]+\\}", "a");
                        Reply reply = client.send(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                at,
                                operation.getValue().has("requestBody") ? "{}" : "",
                                as(below.get(role)));
                        assertThat(reply.status())
                                .as("%s %s", operation.getKey(), at)
                                .isEqualTo(403);
                        assertThat(reply.json().path("type").asText()).isEqualTo("urn:sigma:problem:forbidden");
                    }
                }));
    }

    @Test
    void tokensAreShownOnceAndKeptAsHashes() {
        String token = token("once", "\"role\":\"VIEWER\"");
        assertThat(token).matches("sigma_[A-Za-z0-9_-]{43}");
        assertThat(client.get("/routes", as(token)).status()).isEqualTo(200);
        assertThat(client.get("/tokens/once").http().body()).doesNotContain(token);
        assertThat(client.get("/tokens").http().body()).contains("once").doesNotContain(token);
        assertThat(TestDatabase.query(running.database(), "select row_to_json(api_tokens)::text from api_tokens")
                        .toString())
                .doesNotContain(token, token.substring("sigma_".length()));
        JsonNode account = client.get("/session", as(token)).json();
        assertThat(account.path("name").asText()).isEqualTo("token:once");
        assertThat(account.path("credential").asText()).isEqualTo("TOKEN");
        assertThat(client.post("/tokens", "{\"name\":\"once\",\"role\":\"VIEWER\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void revokedAndExpiredTokensAreRefused() {
        String token = token("revoked", "\"role\":\"VIEWER\"");
        assertThat(client.delete("/tokens/revoked").status()).isEqualTo(204);
        assertThat(client.get("/routes", as(token)).status()).isEqualTo(401);
        assertThat(client.delete("/tokens/revoked").status()).isEqualTo(404);
        String expiring = token("expiring", "\"role\":\"VIEWER\",\"expiresAt\":\"2099-01-31T08:00:00Z\"");
        assertThat(client.get("/routes", as(expiring)).status()).isEqualTo(200);
        TestDatabase.execute(
                running.database(),
                "update api_tokens set expires_at = now() - interval '1 second' where name = 'expiring'");
        assertThat(client.get("/routes", as(expiring)).status()).isEqualTo(401);
        Reply past = client.post(
                "/tokens", "{\"name\":\"past\",\"role\":\"VIEWER\",\"expiresAt\":\"2001-01-31T08:00:00Z\"}");
        assertThat(past.pointers()).isEqualTo("/expiresAt");
    }

    @Test
    void theLastUseIsNotedOnceAMinute() {
        String token = token("used", "\"role\":\"VIEWER\"");
        assertThat(client.get("/tokens/used").json().has("lastUsedAt")).isFalse();
        client.get("/routes", as(token));
        String first = client.get("/tokens/used").json().path("lastUsedAt").asText();
        assertThat(first).isNotEmpty();
        client.get("/routes", as(token));
        assertThat(client.get("/tokens/used").json().path("lastUsedAt").asText())
                .isEqualTo(first);
        TestDatabase.execute(
                running.database(),
                "update api_tokens set last_used_at = now() - interval '2 minutes' where name = 'used'");
        client.get("/routes", as(token));
        assertThat(client.get("/tokens/used").json().path("lastUsedAt").asText())
                .isGreaterThan(first);
    }

    @Test
    void aTokenChangesOnlyTheKindsAndLabelsThatItIsFor() {
        String kinds = token("kinds", "\"role\":\"EDITOR\",\"kinds\":[\"UPSTREAM\"]");
        String upstream = "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]%s}";
        assertThat(client.put("/upstreams/scoped", upstream.formatted(""), as(kinds))
                        .status())
                .isEqualTo(201);
        Reply refused = client.put("/proxy-servers/scoped", "{\"port\":18101}", as(kinds));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("detail").asText())
                .isEqualTo("PROXY_SERVER/scoped (expected: one of the kinds of this token, [UPSTREAM])");
        assertThat(client.get("/proxy-servers", as(kinds)).status()).isEqualTo(200);

        String labels = token("labels", "\"role\":\"EDITOR\",\"labels\":{\"team\":\"shop\"}");
        JsonNode account = client.get("/session", as(labels)).json();
        assertThat(account.path("labels").path("team").asText()).isEqualTo("shop");
        assertThat(account.path("kinds")).isEmpty();
        assertThat(client.get("/session", as(kinds))
                        .json()
                        .path("kinds")
                        .path(0)
                        .asText())
                .isEqualTo("UPSTREAM");
        String own = upstream.formatted(",\"labels\":{\"team\":\"shop\"}");
        assertThat(client.put("/upstreams/scoped", own, as(labels)).status())
                .as("it was not theirs")
                .isEqualTo(403);
        assertThat(client.put("/upstreams/of-shop", own, as(labels)).status()).isEqualTo(201);
        assertThat(client.patch("/upstreams/of-shop", "{\"labels\":{\"team\":\"other\"}}", as(labels))
                        .status())
                .as("it would not be theirs any more")
                .isEqualTo(403);
        assertThat(client.delete("/upstreams/of-shop", as(labels)).status()).isEqualTo(200);
        assertThat(client.post("/tokens", "{\"name\":\"x\",\"role\":\"ADMIN\",\"kinds\":[\"ROUTE\"]}")
                        .pointers())
                .isEqualTo("/role");
        client.delete("/upstreams/scoped");
    }

    @Test
    void whatATokenDoesIsWrittenInItsName() {
        String token = token("author", "\"role\":\"EDITOR\"");
        client.put("/proxy-servers/by-token", "{\"port\":18102}", as(token));
        assertThat(client.get("/revisions?limit=1").json().at("/items/0/author").asText())
                .isEqualTo("token:author");
    }
}
