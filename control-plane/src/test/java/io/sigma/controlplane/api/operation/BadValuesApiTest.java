package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.BadValue;
import io.sigma.controlplane.testing.ContractWalk;
import io.sigma.controlplane.testing.ContractWalk.Place;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bad values as clients see them. */
final class BadValuesApiTest {

    private static final ContractWalk WALK = ContractWalk.load();

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    /** Every field with one of its bad values; all of them together are tried without a network. */
    @Test
    void badValuesAreAnsweredWith422AndAPointer() {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Place place : WALK.places()) {
            List<BadValue> values = BadValue.of(WALK, place);
            BadValue bad = values.get(tried++ % values.size());
            Reply reply = client.put("/" + place.type().path() + "/bad", Json.text(bad.body()));
            if (reply.status() != 422 || !reply.pointers().equals(bad.pointer())) {
                wrong.add(bad + " -> " + reply);
            }
        }
        assertThat(tried).isGreaterThan(600);
        assertThat(wrong).isEmpty();
    }

    @Test
    void referencesToWhatIsNotThereAreAnsweredWith422AndAPointer() {
        assertThat(client.put("/routers/a", "{\"proxyServerId\":\"none\"}").pointers())
                .isEqualTo("/proxyServerId");
        assertThat(client.put("/routes/a", "{\"routerId\":\"no\",\"path\":\"/\",\"proxyPassId\":\"none\"}")
                        .pointers())
                .isEqualTo("/routerId /proxyPassId");
        assertThat(client.put("/proxy-passes/a", "{\"upstreamId\":\"none\"}").pointers())
                .isEqualTo("/upstreamId");
        assertThat(client.put("/proxy-passes/a", "{\"split\":{\"targets\":[{\"upstreamId\":\"none\",\"weight\":1}]}}")
                        .pointers())
                .isEqualTo("/split/targets/0/upstreamId");
        assertThat(client.put(
                                "/proxy-servers/a",
                                "{\"port\":1,\"protocol\":\"HTTPS\",\"tls\":{\"certificates\":[\"none\"],\"defaultCertificateId\":\"none\"}}")
                        .pointers())
                .isEqualTo("/tls/certificates/0 /tls/defaultCertificateId");
    }

    @Test
    void theLastCertificateStaysWhileAProxyServerPresentsAnyOne() {
        String server = "{\"port\":4433,\"protocol\":\"HTTPS\",\"tls\":{}}";
        assertThat(client.put("/proxy-servers/tls", server).pointers()).isEqualTo("/tls/certificates");
        TestCertificate made = TestCertificate.create("any");
        String certificate = Json.text(Map.of("chain", made.chain(), "privateKey", made.key()));
        assertThat(client.put("/certificates/one", certificate).status()).isEqualTo(201);
        assertThat(client.put("/proxy-servers/tls", server).status()).isEqualTo(201);
        Reply refused = client.delete("/certificates/one");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().at("/referrers/0/id").asText()).isEqualTo("tls");
        assertThat(client.put("/certificates/two", certificate).status()).isEqualTo(201);
        assertThat(client.delete("/certificates/one").status()).isEqualTo(200);
        assertThat(client.delete("/proxy-servers/tls").status()).isEqualTo(200);
        assertThat(client.delete("/certificates/two").status()).isEqualTo(200);
    }
}
