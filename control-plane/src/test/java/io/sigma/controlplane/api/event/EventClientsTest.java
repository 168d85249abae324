package io.sigma.controlplane.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.testing.EventStream;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sharing of the places of the event stream when all are taken. */
@Timeout(120)
final class EventClientsTest {

    @TempDir
    Path dir;

    @Test
    void oneAccountKeepsNobodyElseOut() throws Exception {
        try (RunningControlPlane one =
                RunningControlPlane.start(TestSettings.of(dir, TestDatabase.fresh(), "eventClientsMax", "3"))) {
            String viewer = one.client()
                    .post("/tokens", "{\"name\":\"wall\",\"role\":\"VIEWER\"}")
                    .json()
                    .path("token")
                    .asText();
            try (EventStream oldest = EventStream.open(one.client(), null, viewer);
                    EventStream second = EventStream.open(one.client(), null, viewer);
                    EventStream third = EventStream.open(one.client(), null, viewer)) {
                oldest.next("ready");
                second.next("ready");
                third.next("ready");
                try (EventStream further = EventStream.open(one.client(), null, viewer)) {
                    assertThat(further.status()).isEqualTo(503);
                }

                try (EventStream admin = EventStream.open(one.client())) {
                    assertThat(admin.status()).isEqualTo(200);
                    admin.next("ready");
                    assertThatThrownBy(() -> oldest.next("revision")).isInstanceOf(IOException.class);
                    one.client().put("/proxy-servers/web", "{\"port\":1}");
                    assertThat(second.next("revision").toString()).isEqualTo("revision 1");
                    assertThat(admin.next("revision").toString()).isEqualTo("revision 1");
                    try (EventStream again = EventStream.open(one.client(), null, viewer);
                            EventStream another = EventStream.open(one.client())) {
                        assertThat(again.status()).isEqualTo(503);
                        assertThat(another.status()).isEqualTo(503);
                    }
                }
            }
        }
    }
}
