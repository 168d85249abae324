package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.value.PasswordHash;
import io.sigma.value.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No answer contains the credentials of consumers. */
final class ConsumerApiTest {

    private static final String KEY = "8Yc3xw2Tq9LmVb4Kd7Pz";
    private static final String PASSWORD = "correct horse battery";

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    private static Consumer known(String id) {
        return Objects.requireNonNull(running.controlPlane()
                .revisionLog()
                .current()
                .state()
                .consumers()
                .get(id));
    }

    private static String key(String name, String key) {
        return "{\"name\":\"" + name + "\",\"key\":\"" + key + "\"}";
    }

    @Test
    void keysAndPasswordsAreKeptAsHashesThatNoAnswerHas() {
        Reply created = client.put(
                "/consumers/app",
                "{\"apiKeys\":[" + key("ci", KEY) + "],\"logins\":[{\"username\":\"shop\",\"password\":\"" + PASSWORD
                        + "\"}]}");
        assertThat(created.status()).as("%s", created).isEqualTo(201);
        String hash = Objects.requireNonNull(known("app").logins().getFirst().passwordHash());
        assertThat(known("app").apiKeys().getFirst().sha256()).isEqualTo(Sha256.hex(KEY));
        assertThat(PasswordHash.parse(hash).matches(PASSWORD)).isTrue();
        Reply changed = client.patch("/consumers/app", "{\"description\":\"x\"}");
        long number = changed.json().at("/revision/number").asLong();
        List<Reply> replies = new ArrayList<>(List.of(created, changed));
        for (String path : new String[] {
            "/consumers",
            "/consumers?name=app",
            "/consumers/app",
            "/config",
            "/revisions",
            "/revisions/" + number,
            "/revisions/" + (number - 1),
            "/revisions/" + number + "/config",
            "/revisions/" + (number - 1) + "/diff/" + number,
            "/export/sigma-json",
            "/analysis",
            "/audit"
        }) {
            replies.add(client.get(path));
        }
        replies.add(
                client.post(
                        "/batch?dryRun=true",
                        "{\"operations\":[{\"action\":\"PATCH\",\"kind\":\"CONSUMER\",\"id\":\"app\",\"body\":{\"name\":\"n\"}}]}"));
        for (Reply reply : replies) {
            assertThat(reply.status()).as("%s", reply.http().uri()).isIn(200, 201);
            assertThat(reply.http().body())
                    .as("%s", reply.http().uri())
                    .doesNotContain(KEY, PASSWORD, Sha256.hex(KEY), hash, "pbkdf2", "sealed:");
        }
        String stored = TestDatabase.query(
                        running.database(),
                        "select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), '')"
                                + " || (select string_agg(spec::text, '') from consumers) from revision_changes")
                .getFirst();
        assertThat(stored).doesNotContain(Sha256.hex(KEY), "pbkdf2").contains("sealed:1:");
    }

    @Test
    void whatWasReadCanBeWrittenBack() {
        client.put(
                "/consumers/back",
                "{\"apiKeys\":[" + key("a", "a" + KEY) + "," + key("b", "b" + KEY)
                        + "],\"logins\":[{\"username\":\"back\",\"password\":\"" + PASSWORD + "\"}]}");
        Consumer before = known("back");
        Reply shown = client.get("/consumers/back");
        Reply again = client.put("/consumers/back", shown.json().toString());
        assertThat(again.json().at("/revision/changed").asBoolean())
                .as("%s", again)
                .isFalse();
        Reply marked = client.put(
                "/consumers/back",
                "{\"apiKeys\":[{\"name\":\"b\",\"sha256\":\"[redacted]\"},{\"name\":\"a\"}],"
                        + "\"logins\":[{\"username\":\"back\",\"passwordHash\":\"[redacted]\"}]}");
        assertThat(marked.status()).as("%s", marked).isEqualTo(200);
        assertThat(known("back").apiKeys())
                .containsExactlyElementsOf(before.apiKeys().reversed());
        assertThat(known("back").logins()).isEqualTo(before.logins());
        Reply patched = client.patch("/consumers/back", "{\"apiKeys\":[{\"name\":\"a\"}," + key("c", "c" + KEY) + "]}");
        assertThat(patched.status()).as("%s", patched).isEqualTo(200);
        assertThat(known("back").apiKeys())
                .extracting(ConsumerKey::sha256)
                .containsExactly(Sha256.hex("a" + KEY), Sha256.hex("c" + KEY));
    }

    @Test
    void newKeyTakesThePlaceOfTheStoredOne() {
        client.put(
                "/consumers/new",
                "{\"apiKeys\":[" + key("a", "1" + KEY) + "],\"logins\":[{\"username\":\"new\",\"password\":\""
                        + PASSWORD + "\"}]}");
        Reply replaced = client.put(
                "/consumers/new",
                "{\"apiKeys\":[{\"name\":\"a\",\"key\":\"2" + KEY + "\",\"sha256\":\"[redacted]\"}],"
                        + "\"logins\":[{\"username\":\"new\",\"password\":\"another " + PASSWORD + "\"}]}");
        assertThat(replaced.status()).as("%s", replaced).isEqualTo(200);
        assertThat(known("new").apiKeys().getFirst().sha256()).isEqualTo(Sha256.hex("2" + KEY));
        assertThat(PasswordHash.parse(Objects.requireNonNull(
                                known("new").logins().getFirst().passwordHash()))
                        .matches("another " + PASSWORD))
                .isTrue();
    }

    @Test
    void keyThatCannotBeToldFromAnotherIsNotGuessed() {
        client.put("/consumers/two", "{\"apiKeys\":[{\"key\":\"3" + KEY + "\"},{\"key\":\"4" + KEY + "\"}]}");
        Reply both = client.put("/consumers/two", "{\"apiKeys\":[{},{}]}");
        assertThat(both.json().at("/revision/changed").asBoolean())
                .as("%s", both)
                .isFalse();
        Reply one = client.put("/consumers/two", "{\"apiKeys\":[{}]}");
        assertThat(one.status()).isEqualTo(422);
        assertThat(one.pointers()).isEqualTo("/apiKeys/0/key");
        Reply more = client.put("/consumers/two", "{\"apiKeys\":[{},{},{\"key\":\"5" + KEY + "\"}]}");
        assertThat(more.status()).as("%s", more).isEqualTo(200);
        assertThat(known("two").apiKeys())
                .extracting(ConsumerKey::sha256)
                .containsExactly(Sha256.hex("3" + KEY), Sha256.hex("4" + KEY), Sha256.hex("5" + KEY));
        Reply unknown = client.put("/consumers/two", "{\"apiKeys\":[{\"name\":\"nobody\"}]}");
        assertThat(unknown.pointers()).isEqualTo("/apiKeys/0/key");
    }

    @Test
    void refusalOfAKeyDoesNotSayWhoseItIs() {
        String key = "\"apiKeys\":[{\"name\":\"a\",\"key\":\"0123456789abcdefgh\"}]";
        assertThat(client.put("/consumers/holder", "{" + key + "}").status()).isEqualTo(201);
        Reply tried = client.put("/consumers/curious", "{" + key + "}");
        assertThat(tried.status()).isEqualTo(422);
        assertThat(tried.json().at("/errors/0/pointer").asText()).isEqualTo("/apiKeys/0/key");
        assertThat(tried.json().toString()).doesNotContain("holder").doesNotContain("0123456789abcdefgh");
        Reply twice = client.put(
                "/consumers/holder",
                "{\"apiKeys\":[{\"name\":\"a\",\"key\":\"0123456789abcdefgh\"},{\"name\":\"b\",\"key\":\"0123456789abcdefgh\"}]}");
        assertThat(twice.json().at("/errors/0/detail").asText()).contains("consumer \"holder\"");
    }

    @Test
    void whatAnotherConsumerUsesIsRefused() {
        assertThat(client.put("/consumers/one", "{\"logins\":[{\"username\":\"taken\",\"password\":\"12345678\"}]}")
                        .status())
                .isEqualTo(201);
        Reply clash =
                client.put("/consumers/another", "{\"logins\":[{\"username\":\"taken\",\"password\":\"87654321\"}]}");
        assertThat(clash.status()).isEqualTo(422);
        assertThat(clash.json().at("/errors/0/pointer").asText()).isEqualTo("/logins/0/username");
        assertThat(clash.json().at("/errors/0/detail").asText()).contains("consumer \"one\"");
    }

    @Test
    void badValuesAreRefusedWithTheirPointers() {
        Reply reply = client.put(
                "/consumers/bad",
                "{\"apiKeys\":[{\"name\":\"x\"}],\"logins\":[{\"username\":\"u\",\"passwordHash\":\"x\"}]}");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json().at("/errors").findValuesAsText("pointer"))
                .containsExactly("/apiKeys/0/key", "/logins/0/passwordHash");
        assertThat(client.put("/consumers/bad", "{\"apiKeys\":[{\"key\":\"short\"}]}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/apiKeys/0/key");
    }
}
