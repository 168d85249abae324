package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The largest number of revoked gateways. */
final class GatewayRevocationsTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private void revoked(int count, String prefix, String liftedAt) {
        TestDatabase.execute(
                running.database(),
                "insert into gateway_revocations (gateway_id, revoked_by, lifted_at)" + " select '" + prefix
                        + "' || n, 'test', " + liftedAt + " from generate_series(1, " + count + ") n");
    }

    @Test
    void onesThatWereLetInAgainDoNotCount() {
        revoked(10_000, "before-", "now()");
        Reply one = client.put("/gateways/edge/revocation", "");
        assertThat(one.status()).as("%s", one).isEqualTo(200);
        revoked(9_999, "now-", "null");
        assertThat(client.put("/gateways/other/revocation", "").status()).isEqualTo(422);
        assertThat(client.put("/gateways/edge/revocation", "").status())
                .as("it is among them")
                .isEqualTo(200);
    }

    @Test
    void whatIsRememberedOfThemIsBounded() {
        revoked(100_000, "before-", "now()");
        assertThat(client.put("/gateways/edge/revocation", "").status()).isEqualTo(422);
        assertThat(client.put("/gateways/before-7/revocation", "").status()).isEqualTo(200);
    }
}
