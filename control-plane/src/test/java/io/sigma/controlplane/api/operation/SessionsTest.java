package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Browser;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class SessionsTest {

    private static final String PASSWORD = "first-password-of-all";
    private static final String OTHER = "another-password-than-that";

    @RegisterExtension
    static final TestControlPlane running =
            new TestControlPlane("adminPassword", PASSWORD, "loginFailuresPerMinute", "100000");

    private static final AdminClient client = running.client();

    private static void user(String name, String role) {
        client.delete("/users/" + name);
        assertThat(client.post(
                                "/users",
                                "{\"name\":\"" + name + "\",\"role\":\"" + role + "\",\"password\":\"" + PASSWORD
                                        + "\"}")
                        .status())
                .isEqualTo(201);
    }

    /** Returns a browser of a user who chose the password {@link #OTHER}. */
    private static Browser loggedIn(String name, String role) {
        user(name, role);
        Browser browser = new Browser(client);
        assertThat(browser.logIn(name, PASSWORD).status()).isEqualTo(200);
        assertThat(browser.changePassword(PASSWORD, OTHER).status()).isEqualTo(200);
        return browser;
    }

    @Test
    void theFirstAdminLogsInWithThePasswordOfTheSettings() {
        Browser browser = new Browser(client);
        Reply reply = browser.logIn("admin", PASSWORD);
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        assertThat(reply.json().path("role").asText()).isEqualTo("ADMIN");
        assertThat(reply.json().path("credential").asText()).isEqualTo("SESSION");
        assertThat(reply.json().path("mustChangePassword").asBoolean()).isFalse();
        assertThat(reply.header("Set-Cookie"))
                .matches("sigma_session=[A-Za-z0-9_-]{43}; Path=/api/v1; HttpOnly; SameSite=Strict");
        assertThat(browser.get("/session").json().path("name").asText()).isEqualTo("admin");
        assertThat(TestDatabase.query(running.database(), "select key::text from sessions")
                        .toString())
                .doesNotContain(browser.cookie().substring("sigma_session=".length()));
    }

    @Test
    void theCookieIsSecureWhereTheClientSpeaksTls() {
        Reply reply = new Browser(client)
                .send(
                        "POST",
                        "/session",
                        "{\"name\":\"admin\",\"password\":\"" + PASSWORD + "\"}",
                        "X-Forwarded-Proto",
                        "https");
        assertThat(reply.header("Set-Cookie")).endsWith("; HttpOnly; SameSite=Strict; Secure");
    }

    @Test
    void cookieThatAPageInPlaintextCouldSetIsNoneOverTls() {
        String[] secure = {"X-Forwarded-Proto", "https"};
        String body = "{\"name\":\"admin\",\"password\":\"" + PASSWORD + "\"}";
        String set = new Browser(client).send("POST", "/session", body, secure).header("Set-Cookie");
        assertThat(set).matches("__Host-sigma_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure");
        String cookie = set.substring(0, set.indexOf(';'));
        String planted = cookie.substring("__Host-".length());
        assertThat(session(cookie, secure)).isEqualTo(200);
        assertThat(session(planted, secure)).isEqualTo(401);
        assertThat(session(planted)).isEqualTo(200);
        assertThat(session(cookie)).isEqualTo(401);
    }

    @Test
    void noHeaderOfAResponseMaySetTheCookie() {
        String set = "{\"set\":{\"set-cookie\":\"__Host-sigma_session=x; Path=/; Secure\"}}";
        Reply pass = client.put("/proxy-passes/setting", "{\"fixedResponse\":{},\"responseHeaders\":" + set + "}");
        assertThat(pass.status()).isEqualTo(422);
        assertThat(pass.pointers()).isEqualTo("/responseHeaders/set/set-cookie");
        Reply files = client.put(
                "/proxy-passes/setting", "{\"staticFiles\":{\"rootPath\":\"www\"},\"responseHeaders\":" + set + "}");
        assertThat(files.pointers()).isEqualTo("/responseHeaders/set/set-cookie");
        Reply plugin = client.put(
                "/proxy-servers/setting",
                "{\"port\":21999,\"plugins\":{\"headers\":{\"response\":{\"add\":{\"Set-Cookie\":\"sigma_session=x\"}}}}}");
        assertThat(plugin.pointers()).isEqualTo("/plugins/headers/response/add/Set-Cookie");
    }

    private static int session(String cookie, String... fields) {
        List<String> all = new ArrayList<>(List.of("Authorization", "", "Cookie", cookie));
        all.addAll(List.of(fields));
        return client.get("/session", all.toArray(String[]::new)).status();
    }

    @Test
    void whoHasThePasswordOfSomebodyElseCanOnlyChangeIt() {
        user("new", "ADMIN");
        Browser browser = new Browser(client);
        assertThat(browser.logIn("new", PASSWORD)
                        .json()
                        .path("mustChangePassword")
                        .asBoolean())
                .isTrue();
        Reply refused = browser.get("/routes");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("detail").asText()).contains("PUT /session/password");
        assertThat(browser.changePassword(PASSWORD, PASSWORD).pointers()).isEqualTo("/newPassword");
        assertThat(browser.changePassword(PASSWORD, "short").pointers()).isEqualTo("/newPassword");
        assertThat(browser.changePassword(OTHER, OTHER + "!").pointers()).isEqualTo("/currentPassword");
        assertThat(browser.changePassword(PASSWORD, OTHER).status()).isEqualTo(200);
        assertThat(browser.get("/routes").status()).isEqualTo(200);
    }

    @Test
    void aSessionThatIsUsedDoesNotEndHoweverShortItMayBeIdle() throws Exception {
        String database = running.database();
        try (RunningControlPlane other =
                RunningControlPlane.start(TestSettings.of(running.dir(), database, "sessionIdleMinutes", "1"))) {
            user("busy", "VIEWER");
            Browser browser = new Browser(other.client());
            browser.logIn("busy", PASSWORD);
            TestDatabase.execute(
                    database,
                    "update sessions set last_seen_at = now() - interval '20 seconds' where user_name = 'busy'");
            assertThat(browser.get("/session").status()).isEqualTo(200);
            assertThat(
                            TestDatabase.query(
                                    database,
                                    "select last_seen_at > now() - interval '10 seconds' from sessions where user_name = 'busy'"))
                    .containsExactly("t");
        }
    }

    @Test
    void sessionsDoWhatTheirRoleMay() {
        Browser viewer = loggedIn("viewer", "VIEWER");
        assertThat(viewer.get("/proxy-servers").status()).isEqualTo(200);
        Reply refused = viewer.send("PUT", "/proxy-servers/by-viewer", "{\"port\":18001}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("detail").asText()).isEqualTo("role: VIEWER of viewer (expected: EDITOR)");
        Browser editor = loggedIn("editor", "EDITOR");
        assertThat(editor.send("PUT", "/proxy-servers/by-editor", "{\"port\":18002}")
                        .status())
                .isEqualTo(201);
        assertThat(client.get("/revisions?limit=1").json().at("/items/0/author").asText())
                .isEqualTo("editor");
        assertThat(editor.get("/users").status()).isEqualTo(403);
    }

    @Test
    void writesOfSessionsMustSayThatTheyComeFromTheDashboard() {
        Browser browser = loggedIn("csrf", "EDITOR");
        String body = "{\"port\":18003}";
        assertThat(browser.send("PUT", "/proxy-servers/csrf", body, "Sec-Fetch-Site", "cross-site")
                        .status())
                .isEqualTo(403);
        assertThat(browser.send("PUT", "/proxy-servers/csrf", body, "Sec-Fetch-Site", "same-site")
                        .status())
                .isEqualTo(403);
        assertThat(browser.send("PUT", "/proxy-servers/csrf", body, "Origin", "http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(browser.send("PUT", "/proxy-servers/csrf", body, "Accept", "*/*")
                        .status())
                .as("says nothing")
                .isEqualTo(403);
        assertThat(browser.send("PUT", "/proxy-servers/csrf", body, "Origin", client.base())
                        .status())
                .isEqualTo(201);
        assertThat(new Browser(client)
                        .send(
                                "POST",
                                "/session",
                                "{\"name\":\"csrf\",\"password\":\"" + OTHER + "\"}",
                                "Sec-Fetch-Site",
                                "cross-site")
                        .status())
                .as("another page logs nobody in")
                .isEqualTo(403);
    }

    @Test
    void loggingOutEndsOneSessionOrAll() {
        Browser first = loggedIn("out", "VIEWER");
        Browser second = new Browser(client);
        second.logIn("out", OTHER);
        Browser third = new Browser(client);
        third.logIn("out", OTHER);
        Reply out = first.send("DELETE", "/session", "");
        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
        assertThat(first.get("/routes").status()).isEqualTo(401);
        assertThat(second.get("/routes").status()).isEqualTo(200);
        assertThat(second.send("DELETE", "/session?everywhere=true", "").status())
                .isEqualTo(204);
        assertThat(third.get("/routes").status()).isEqualTo(401);
    }

    @Test
    void anotherPasswordEndsEveryOtherSession() {
        Browser first = loggedIn("changing", "VIEWER");
        Browser second = new Browser(client);
        second.logIn("changing", OTHER);
        String before = first.cookie();
        assertThat(first.changePassword(OTHER, OTHER + "2").status()).isEqualTo(200);
        assertThat(first.cookie()).isNotEqualTo(before);
        assertThat(first.get("/routes").status()).isEqualTo(200);
        assertThat(second.get("/routes").status()).isEqualTo(401);
        assertThat(new Browser(client).logIn("changing", OTHER).status()).isEqualTo(401);
    }

    @Test
    void whatAnAdminChangesEndsTheSessionsOfTheUser() {
        for (String patch :
                new String[] {"{\"role\":\"EDITOR\"}", "{\"disabled\":true}", "{\"password\":\"" + PASSWORD + "\"}"}) {
            Browser browser = loggedIn("patched", "VIEWER");
            assertThat(client.patch("/users/patched", patch).status()).isEqualTo(200);
            assertThat(browser.get("/routes").status()).as(patch).isEqualTo(401);
        }
        client.patch("/users/patched", "{\"disabled\":true}");
        assertThat(new Browser(client).logIn("patched", PASSWORD).status()).isEqualTo(401);
        Browser deleted = loggedIn("gone", "VIEWER");
        assertThat(client.delete("/users/gone").status()).isEqualTo(204);
        assertThat(deleted.get("/routes").status()).isEqualTo(401);
    }

    @Test
    void sessionsEndWhenTheyAreNotUsedAndWhenTheirTimeIsUp() {
        Browser idle = loggedIn("idle", "VIEWER");
        TestDatabase.execute(
                running.database(),
                "update sessions set last_seen_at = now() - interval '59 minutes' where user_name = 'idle'");
        assertThat(idle.get("/routes").status()).isEqualTo(200);
        assertThat(
                        TestDatabase.query(
                                running.database(),
                                "select (last_seen_at > now() - interval '1 minute')::text from sessions where user_name = 'idle'"))
                .as("a request counts as use")
                .containsExactly("true");
        TestDatabase.execute(
                running.database(),
                "update sessions set last_seen_at = now() - interval '61 minutes' where user_name = 'idle'");
        assertThat(idle.get("/routes").status()).isEqualTo(401);
        Browser old = loggedIn("old", "VIEWER");
        TestDatabase.execute(
                running.database(),
                "update sessions set expires_at = now() - interval '1 second' where user_name = 'old'");
        assertThat(old.get("/routes").status()).isEqualTo(401);
    }

    @Test
    void anotherControlPlaneAndTheSameAfterARestartKnowTheSession() throws Exception {
        Browser browser = loggedIn("everywhere", "VIEWER");
        try (RunningControlPlane replica =
                RunningControlPlane.start(TestSettings.of(running.dir().resolve("replica"), running.database()))) {
            assertThat(replica.controlPlane().firstAdmin()).isEmpty();
            Browser there = browser.at(replica.client());
            assertThat(there.get("/routes").status()).isEqualTo(200);
            there.send("DELETE", "/session", "");
        }
        assertThat(browser.get("/routes").status()).isEqualTo(401);
    }

    @Test
    void aUserThatDoesNotExistIsAnsweredLikeAWrongPassword() {
        user("exists", "VIEWER");
        Reply wrong = new Browser(client).logIn("exists", OTHER);
        Reply unknown = new Browser(client).logIn("nobody", OTHER);
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.http().body()).isEqualTo(unknown.http().body());
        assertThat(wrong.header("Set-Cookie")).isEmpty();
        Reply none = new Browser(client).logIn("no\\u0000name", OTHER);
        assertThat(none.status()).isEqualTo(401);
        assertThat(none.http().body()).isEqualTo(unknown.http().body());
        assertThat(new Browser(client).logIn("x".repeat(257), OTHER).pointers()).isEqualTo("/name");
        assertThat(new Browser(client)
                        .send("POST", "/session", "{\"name\":\"a\",\"password\":7}")
                        .http()
                        .body())
                .contains("[redacted]")
                .doesNotContain("7 (");
    }

    @Test
    void passwordsOfOneUserAreTriedAFewTimesOnly() {
        user("guessed", "VIEWER");
        // A try comes back every six seconds, so how many it takes depends on how fast they are.
        Reply limit = new Browser(client).logIn("guessed", OTHER);
        for (int i = 0; i < 200 && limit.status() == 401; i++) {
            limit = new Browser(client).logIn("guessed", OTHER + i);
        }
        assertThat(limit.status()).isEqualTo(429);
        assertThat(Integer.parseInt(limit.header("Retry-After"))).isBetween(1, 60);
        assertThat(new Browser(client).logIn("admin", PASSWORD).status())
                .as("others log in")
                .isEqualTo(200);
    }

    @Test
    void rightPasswordsAreNoTries() {
        for (int i = 0; i < 15; i++) {
            assertThat(new Browser(client).logIn("admin", PASSWORD).status()).isEqualTo(200);
        }
    }

    @Test
    void aLargeBodyArrivesWholeWhileTheSessionIsLookedUp() {
        Browser browser = loggedIn("large", "EDITOR");
        String body = "{\"port\":18009,\"description\":\"" + "x".repeat(900) + "\",\"labels\":{\"a\":\""
                + "y".repeat(4000) + "\"}}" + " ".repeat(900_000);
        Reply reply = browser.send("PUT", "/proxy-servers/large", body);
        assertThat(reply.status()).as("%s", reply).isEqualTo(201);
    }

    @Test
    void theEventStreamWorksWithTheCookieAndEndsWithTheSession() throws Exception {
        Browser browser = loggedIn("stream", "VIEWER");
        URI base = URI.create(client.base());
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(180_000);
            OutputStream out = socket.getOutputStream();
            out.write(("GET /api/v1/events HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nCookie: " + browser.cookie()
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
            browser.send("DELETE", "/session", "");
            String line = in.readLine();
            while (line != null) {
                line = in.readLine();
            }
            assertThat(browser.get("/session").status()).isEqualTo(401);
        }
    }

    @Test
    void tokensNeitherLogOutNorHaveAPassword() {
        assertThat(client.delete("/session").status()).isEqualTo(403);
        assertThat(client.put("/session/password", "{\"currentPassword\":\"a\",\"newPassword\":\"" + OTHER + "\"}")
                        .status())
                .isEqualTo(403);
        assertThat(client.get("/session").json().path("credential").asText()).isEqualTo("SETTINGS");
    }
}
