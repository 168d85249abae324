package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a primary and a standby that replicates from it: two real servers. */
@Timeout(300)
final class FailOverTest extends StandbyContract {

    private static Failure refusal(StoreFixture fixture, String id, int port) {
        try {
            fixture.write(server(id, port));
            throw new AssertionError("written");
        } catch (FailureException e) {
            return e.failure();
        }
    }

    @Test
    void writesGoOnAtTheHostThatWasPromoted() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            fixture.write(server("b", 2));
            pair.failOver();
            Eventually.holds("a write is taken", PATIENCE, () -> isWritten(fixture, "c", 3));
            assertThat(pair.query("select id from proxy_servers order by id")).containsExactly("a", "b", "c");
            assertThat(fixture.store().check()).containsEntry("database", Store.UP);
            Eventually.holds(
                    "the state is followed",
                    PATIENCE,
                    () -> fixture.store().log().current().revision() == 3);
        }
    }

    @Test
    void theOldPrimaryThatComesBackAsAStandbyIsNotUsed() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            pair.switchRoles();
            Eventually.holds("a write is taken", PATIENCE, () -> {
                try {
                    fixture.write(server("b", 2));
                    return true;
                } catch (FailureException e) {
                    return false;
                }
            });
            for (int i = 0; i < 20; i++) {
                fixture.write(server("b", 3 + i));
                assertThat(fixture.store()
                                .resources()
                                .find(io.sigma.snapshot.ResourceType.PROXY_SERVER, "b")
                                .value()
                                .port())
                        .isEqualTo(3 + i);
            }
            assertThat(fixture.store().check()).containsEntry("database", Store.UP);
        }
    }

    /** The server stays, and so do the connections to it. */
    @Test
    void aPrimaryThatTakesNoWritesIsLeftForOneThatDoes() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            pair.primaryTakesNoWrites(true);
            Failure refused = refusal(fixture, "b", 2);
            assertThat(refused).asInstanceOf(type(Failure.Unavailable.class)).satisfies(failure -> {
                assertThat(failure.detail())
                        .isEqualTo("The database takes no writes at the moment. Nothing was changed.");
                assertThat(failure.database()).isTrue();
            });
            assertThat(fixture.store().check().get("database")).isEqualTo("DOWN: it takes no writes");
            // There is nobody else: what is there can be read.
            assertThat(fixture.store().resources().find(io.sigma.snapshot.ResourceType.PROXY_SERVER, "a"))
                    .isNotNull();
            pair.promote();
            Eventually.holds("a write is taken", PATIENCE, () -> {
                try {
                    fixture.write(server("b", 2));
                    return true;
                } catch (FailureException e) {
                    return false;
                }
            });
            assertThat(pair.query("select id from proxy_servers order by id")).containsExactly("a", "b");
        }
    }

    @Test
    void writesGoOnWhenThePrimaryTakesThemAgain() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            pair.primaryTakesNoWrites(true);
            assertThat(refusal(fixture, "b", 2)).isInstanceOf(Failure.Unavailable.class);
            pair.primaryTakesNoWrites(false);
            Eventually.holds("a write is taken", PATIENCE, () -> {
                try {
                    fixture.write(server("b", 2));
                    return true;
                } catch (FailureException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void noAcknowledgedWriteIsLostWhenTheServerIsKilledUnderWrites() throws Exception {
        try (StoreFixture fixture = open()) {
            List<String> acknowledged = new ArrayList<>();
            AtomicBoolean over = new AtomicBoolean();
            Thread writer = Thread.startVirtualThread(() -> {
                for (int i = 1; !over.get(); i++) {
                    try {
                        fixture.write(server("s" + i, i));
                        acknowledged.add("s" + i);
                    } catch (FailureException e) {
                        i--;
                    }
                }
            });
            for (int kill = 0; kill < 3; kill++) {
                int before = acknowledged.size();
                Eventually.holds("writes go on", PATIENCE, () -> acknowledged.size() > before + 5);
                pair.killPrimary();
            }
            int before = acknowledged.size();
            Eventually.holds("writes go on", PATIENCE, () -> acknowledged.size() > before + 5);
            over.set(true);
            writer.join();
            assertThat(pair.query("select id from proxy_servers")).containsAll(acknowledged);
        }
    }

    @Test
    void healthSaysWhatIsTrueAndRefusalsAreRecordedLater() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(
                TestSettings.of(dir.resolve("cp"), pair.url(), "databaseTimeoutMillis", "2000"))) {
            assertThat(running.client().put("/proxy-servers/a", "{\"port\":1}").status())
                    .isEqualTo(201);
            assertThat(running.client().get("/health").status()).isEqualTo(200);
            pair.primaryTakesNoWrites(true);
            Reply health = running.client().get("/health");
            assertThat(health.status()).isEqualTo(503);
            assertThat(health.json().at("/checks/database").asText()).isEqualTo("DOWN: it takes no writes");
            Reply refused = running.client().put("/proxy-servers/b", "{\"port\":2}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.json().path("type").asText()).endsWith("database-away");
            assertThat(running.client().put("/proxy-servers/c", "{\"port\":3}").status())
                    .isEqualTo(503);
            pair.promote();
            Eventually.holds(
                    "health is UP",
                    PATIENCE,
                    () -> running.client().get("/health").status() == 200);
            Eventually.holds("refusals are recorded", PATIENCE, () -> {
                JsonNode items = running.client().get("/audit").json().path("items");
                return items.findValuesAsText("action").stream()
                                .filter("putProxyServer"::equals)
                                .count()
                        >= 3;
            });
            JsonNode items = running.client().get("/audit").json().path("items");
            assertThat(items.findValuesAsText("detail"))
                    .anySatisfy(detail -> assertThat(detail).contains("recorded later"));
        }
    }

    @Test
    void aStandbyAloneIsNotRead() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            pair.stopPrimary();
            Eventually.holds(
                    "health is DOWN",
                    PATIENCE,
                    () -> !Store.UP.equals(fixture.store().check().get("database")));
            assertThatThrownBy(() -> fixture.store().revisions().head())
                    .asInstanceOf(type(FailureException.class))
                    .extracting(FailureException::failure)
                    .isInstanceOf(Failure.Unavailable.class);
        }
    }
}
