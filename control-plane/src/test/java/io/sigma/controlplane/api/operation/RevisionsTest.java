package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The history: who changed what and why, what differs, and the way back. */
final class RevisionsTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    @BeforeEach
    void start() {
        // 1..4
        written(client.put("/upstreams/a?message=first%20upstream", "{\"nodes\":[{\"url\":\"http://a.test\"}]}"));
        written(client.put("/proxy-servers/web", "{\"port\":18080}"));
        written(client.put("/routers/all", "{\"proxyServerId\":\"web\"}"));
        written(client.patch("/upstreams/a?message=Move", "{\"nodes\":[{\"url\":\"http://b.test\"}],\"name\":\"A\"}"));
        // 5: refers to a; 6: deletes the router
        written(client.put("/proxy-passes/to-a", "{\"upstreamId\":\"a\"}"));
        written(client.delete("/routers/all"));
    }

    private static void written(Reply reply) {
        assertThat(reply.status()).as("%s", reply).isIn(200, 201);
    }

    private List<Long> numbers(String query) {
        List<Long> numbers = new ArrayList<>();
        client.get("/revisions" + query)
                .json()
                .path("items")
                .forEach(item -> numbers.add(item.path("number").asLong()));
        return numbers;
    }

    private static List<String> texts(JsonNode diff) {
        List<String> texts = new ArrayList<>();
        for (JsonNode change : diff.path("changes")) {
            for (JsonNode field : change.path("fields")) {
                texts.add(change.path("action").asText() + " "
                        + change.path("kind").asText() + " "
                        + change.path("id").asText() + " "
                        + field.path("pointer").asText() + " "
                        + field.path("before").asText("-") + " "
                        + field.path("after").asText("-"));
            }
        }
        return texts;
    }

    @Test
    void revisionsAreFoundByMessageAuthorKindAndId() {
        assertThat(numbers("")).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(numbers("?text=move")).containsExactly(4L);
        assertThat(numbers("?kind=UPSTREAM&id=a")).containsExactly(4L, 1L);
        assertThat(numbers("?kind=ROUTER")).containsExactly(6L, 3L);
        assertThat(numbers("?author=nobody")).isEmpty();
        assertThat(numbers("?kind=UPSTREAM&limit=1")).containsExactly(4L);
    }

    @Test
    void revisionsOfAResourceAreFiltered() {
        assertThat(numbers("?id=a")).containsExactly(4L, 1L);
        assertThat(numbers("?id=a&text=move")).containsExactly(4L);
        assertThat(numbers("?kind=ROUTER&id=a")).isEmpty();
        assertThat(numbers("?kind=ROUTER&id=all&limit=1")).containsExactly(6L);
        String cursor = client.get("/revisions?kind=ROUTER&id=all&limit=1")
                .json()
                .path("nextCursor")
                .asText();
        assertThat(numbers("?kind=ROUTER&id=all&limit=1&cursor=" + cursor)).containsExactly(3L);
    }

    @Test
    void aLargeRevisionIsShownInPart() {
        JsonNode small = client.get("/revisions/4").json();
        assertThat(small.path("changes")).hasSize(1);
        assertThat(small.path("changesTotal").asInt()).isEqualTo(1);
        assertThat(small.path("truncated").asBoolean(true)).isFalse();
        TestDatabase.execute(
                running.database(),
                "insert into revision_changes (revision, seq, kind, id, after) select 4, n, 'UPSTREAM', 'u' || n,"
                        + " '{\"nodes\":[]}' from generate_series(1, 1500) n");
        TestDatabase.execute(running.database(), "update revisions set changes = 1501 where number = 4");

        JsonNode large = client.get("/revisions/4").json();

        assertThat(large.path("changes")).hasSize(1000);
        assertThat(large.path("changesTotal").asInt()).isEqualTo(1501);
        assertThat(large.path("truncated").asBoolean()).isTrue();
        assertThat(client.get("/revisions/4/acks").json().path("revision").asLong())
                .isEqualTo(4);
    }

    /** What else differs does not matter to it, neither to its limit. */
    @Test
    void oneResourceIsRolledBackHoweverManyOthersDiffer() {
        TestDatabase.execute(
                running.database(),
                "insert into revision_changes (revision, seq, kind, id, after) select 5, n, 'UPSTREAM', 'u' || n,"
                        + " '{\"nodes\":[]}' from generate_series(1, 100001) n");
        Reply done = client.post("/revisions/3/rollback", "{\"kind\":\"UPSTREAM\",\"id\":\"a\"}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/upstreams/a").json().at("/nodes/0/url").asText())
                .isEqualTo("http://a.test");
    }

    @Test
    void twoRevisionsDifferFieldByFieldInBothDirections() {
        JsonNode forth = client.get("/revisions/3/diff/4").json();
        assertThat(texts(forth))
                .containsExactly(
                        "UPDATE UPSTREAM a /name - A", "UPDATE UPSTREAM a /nodes/0/url http://a.test http://b.test");
        assertThat(texts(client.get("/revisions/4/diff/3").json()))
                .containsExactly(
                        "UPDATE UPSTREAM a /name A -", "UPDATE UPSTREAM a /nodes/0/url http://b.test http://a.test");
        assertThat(client.get("/revisions/6/diff/6").json().path("changes")).isEmpty();
        // The router came and went.
        assertThat(texts(client.get("/revisions/2/diff/6").json())).noneMatch(text -> text.contains("ROUTER"));
        assertThat(texts(client.get("/revisions/1/diff/0").json()))
                .allMatch(text -> text.startsWith("DELETE UPSTREAM a /"));
        assertThat(client.get("/revisions/1/diff/6?limit=1")
                        .json()
                        .path("truncated")
                        .asBoolean())
                .isTrue();
        assertThat(client.get("/revisions/1/diff/7").status()).isEqualTo(404);
    }

    @Test
    void secretsAreRedactedWhereTheyDiffer() {
        String server = "{\"port\":18080,\"plugins\":{\"jwt\":{\"secret\":\"%s-secret-of-thirty-two-bytes-or-more\"}}}";
        written(client.put("/proxy-servers/web", server.formatted("first")));
        written(client.put("/proxy-servers/web", server.formatted("other")));

        Reply diff = client.get("/revisions/7/diff/8");

        assertThat(diff.toString()).doesNotContain("thirty-two", "sealed:");
        assertThat(texts(diff.json()))
                .containsExactly("UPDATE PROXY_SERVER web /plugins/jwt/secret [redacted] [redacted]");
    }

    @Test
    void theStateAtARevisionIsShown() {
        JsonNode then = client.get("/revisions/3/config").json();
        assertThat(then.path("revision").asLong()).isEqualTo(3);
        assertThat(then.at("/upstreams/0/nodes/0/url").asText()).isEqualTo("http://a.test");
        assertThat(then.path("routers")).hasSize(1);
        assertThat(then.path("proxyPasses")).isEmpty();
        assertThat(then.path("stateHash"))
                .isEqualTo(client.get("/revisions/3").json().path("stateHash"));
        assertThat(client.get("/revisions/99/config").status()).isEqualTo(404);
    }

    @Test
    void rollBackOfNullIsRefused() {
        Reply reply = client.post("/revisions/1/rollback", "null");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.http().body()).contains("null (expected: an object)");
    }

    @Test
    void messagesOfManyOctetsFitTheAddress() {
        String message = "%F0%9F%9A%80".repeat(500);
        assertThat(client.post("/revisions/1/rollback?dryRun=true&message=" + message, "null")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void everythingIsRolledBackInANewRevision() {
        Reply dry = client.post("/revisions/3/rollback?dryRun=true", "{}");
        assertThat(dry.status()).as("%s", dry).isEqualTo(200);
        assertThat(dry.json().at("/revision/dryRun").asBoolean()).isTrue();
        assertThat(numbers("")).hasSize(6);

        Reply done = client.post("/revisions/3/rollback?message=back", "{}");

        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.json().at("/revision/number").asLong()).isEqualTo(7);
        assertThat(done.json().path("changes")).hasSize(3);
        assertThat(client.get("/revisions/7").json().path("stateHash"))
                .isEqualTo(client.get("/revisions/3").json().path("stateHash"));
        assertThat(client.get("/revisions/3/diff/7").json().path("changes")).isEmpty();
        assertThat(client.get("/revisions/7").json().path("message").asText()).isEqualTo("back");
    }

    @Test
    void oneResourceIsRolledBackAndTheOthersStay() {
        Reply done = client.post("/revisions/1/rollback", "{\"kind\":\"UPSTREAM\",\"id\":\"a\"}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/upstreams/a").json().at("/nodes/0/url").asText())
                .isEqualTo("http://a.test");
        assertThat(client.get("/proxy-passes/to-a").status()).isEqualTo(200);

        Reply again = client.post("/revisions/1/rollback", "{\"kind\":\"UPSTREAM\",\"id\":\"a\"}");
        assertThat(again.json().at("/revision/changed").asBoolean()).isFalse();
    }

    @Test
    void whatIsRolledBackIsWhatWasPreviewedOrNothing() {
        Reply preview = client.post("/revisions/3/rollback?dryRun=true", "{}");
        String shown = preview.header("ETag");
        assertThat(shown).isNotEmpty().isEqualTo(client.get("/config").header("ETag"));
        written(client.put("/upstreams/b", "{\"nodes\":[{\"url\":\"http://b.test\"}]}"));

        Reply stale = client.post("/revisions/3/rollback", "{}", "If-Match", shown);

        assertThat(stale.status()).as("%s", stale).isEqualTo(412);
        assertThat(stale.header("ETag")).isEqualTo(client.get("/config").header("ETag"));
        assertThat(numbers("")).hasSize(7);
        assertThat(client.post("/revisions/3/rollback?dryRun=true", "{}", "If-Match", shown)
                        .status())
                .isEqualTo(412);
        Reply done = client.post("/revisions/3/rollback", "{}", "If-Match", stale.header("ETag"));
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.header("ETag")).isEqualTo(client.get("/config").header("ETag"));
        assertThat(client.post("/revisions/3/rollback", "{}", "If-Match", "*").status())
                .isEqualTo(200);
        assertThat(client.post("/revisions/3/rollback", "{}", "If-Match", "8").status())
                .isEqualTo(400);
    }

    @Test
    void oneResourceIsRolledBackOnlyWhileItIsAsWasPreviewed() {
        String what = "{\"kind\":\"UPSTREAM\",\"id\":\"a\"}";
        String shown = client.post("/revisions/1/rollback?dryRun=true", what).header("ETag");
        assertThat(shown).isNotEmpty().isEqualTo(client.get("/upstreams/a").header("ETag"));
        String state = client.get("/config").header("ETag");
        // What others change does not matter to who names the resource.
        written(client.put("/upstreams/b", "{\"nodes\":[{\"url\":\"http://b.test\"}]}"));
        assertThat(client.post("/revisions/1/rollback", what, "If-Match", state).status())
                .isEqualTo(412);
        Reply done = client.post("/revisions/1/rollback", what, "If-Match", shown);
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.header("ETag")).isEqualTo(client.get("/upstreams/a").header("ETag"));

        written(client.patch("/upstreams/a", "{\"name\":\"changed\"}"));
        Reply stale = client.post("/revisions/4/rollback", what, "If-Match", done.header("ETag"));
        assertThat(stale.status()).as("%s", stale).isEqualTo(412);
        assertThat(stale.header("ETag")).isEqualTo(client.get("/upstreams/a").header("ETag"));
        assertThat(client.get("/upstreams/a").json().path("name").asText()).isEqualTo("changed");
    }

    @Test
    void aDeletedResourceComesBackOnlyWhileTheStateIsAsWasPreviewed() {
        String what = "{\"kind\":\"ROUTER\",\"id\":\"all\"}";
        String shown = client.post("/revisions/3/rollback?dryRun=true", what).header("ETag");
        assertThat(shown).isNotEmpty().isEqualTo(client.get("/config").header("ETag"));
        written(client.put("/routers/all", "{\"proxyServerId\":\"web\",\"name\":\"somebody else's\"}"));
        Reply stale = client.post("/revisions/3/rollback", what, "If-Match", shown);
        assertThat(stale.status()).as("%s", stale).isEqualTo(412);
        assertThat(stale.header("ETag")).isEqualTo(client.get("/routers/all").header("ETag"));
    }

    @Test
    void aRollBackIsCheckedLikeAnyOtherWrite() {
        written(client.put("/upstreams/b", "{\"nodes\":[{\"url\":\"http://b.test\"}]}"));
        written(client.patch("/proxy-passes/to-a", "{\"upstreamId\":\"b\"}"));

        Reply refused = client.post("/revisions/6/rollback", "{\"kind\":\"UPSTREAM\",\"id\":\"b\"}");

        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().at("/referrers/0/id").asText()).isEqualTo("to-a");
        Reply half = client.post("/revisions/1/rollback", "{\"kind\":\"UPSTREAM\"}");
        assertThat(half.status()).isEqualTo(422);
        assertThat(half.pointers()).isEqualTo("/id");
        assertThat(client.post("/revisions/1/rollback", "{\"kid\":1}").status()).isEqualTo(422);
        assertThat(client.post("/revisions/77/rollback", "{}").status()).isEqualTo(404);
    }

    @Test
    void nobodyHasAnsweredWhereThereIsNoGateway() {
        JsonNode acks = client.get("/revisions/6/acks").json();
        assertThat(acks.path("revision").asLong()).isEqualTo(6);
        assertThat(acks.path("gateways")).isEmpty();
        assertThat(client.get("/revisions/99/acks").status()).isEqualTo(404);
    }
}
