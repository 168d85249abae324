package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A PEM field takes the kinds of block that it names, and nothing that may be a secret. */
final class PemFieldsTest {

    private static final TestCertificate ROOT = TestCertificate.create("root");
    private static final TestCertificate MIDDLE = ROOT.sign("middle");
    private static final TestCertificate LEAF = MIDDLE.sign("shop.example.com");
    private static final String CURVE =
            "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private Reply put(String chain, String key) {
        return client.put("/certificates/shop", Json.text(Map.of("chain", chain, "privateKey", key)));
    }

    private void assertRefused(Reply reply, String pointer, String detail) {
        assertThat(reply.status()).as("%s", reply).isEqualTo(422);
        assertThat(reply.pointers()).isEqualTo(pointer);
        assertThat(reply.json().at("/errors/0/detail").asText()).contains(detail);
        assertThat(reply.http().body())
                .doesNotContain(LEAF.key().lines().toList().get(1), "hunter2");
        assertThat(client.get("/certificates/shop").status()).isEqualTo(404);
    }

    @Test
    void aPrivateKeyInTheChainIsRefusedWhereverItStands() {
        assertRefused(put(LEAF.chain() + LEAF.key(), LEAF.key()), "/chain", "\"PRIVATE KEY\"");
        assertRefused(put(LEAF.key() + LEAF.chain(), LEAF.key()), "/chain", "\"PRIVATE KEY\"");
        String rsa = LEAF.key().replace("PRIVATE", "RSA PRIVATE");
        assertRefused(put(LEAF.chain() + rsa, LEAF.key()), "/chain", "\"RSA PRIVATE KEY\"");
        String encrypted = LEAF.key().replace("PRIVATE", "ENCRYPTED PRIVATE");
        assertRefused(put(LEAF.chain() + encrypted, LEAF.key()), "/chain", "\"ENCRYPTED PRIVATE KEY\"");
        assertRefused(put(LEAF.chain() + CURVE, LEAF.key()), "/chain", "\"EC PARAMETERS\"");
    }

    @Test
    void aTextBesideTheBlocksIsRefused() {
        assertRefused(put("password: hunter2\n" + LEAF.chain(), LEAF.key()), "/chain", "outside of the PEM blocks");
        assertRefused(put(LEAF.chain() + "hunter2", LEAF.key()), "/chain", "outside of the PEM blocks");
        assertRefused(put(LEAF.chain(), "hunter2\n" + LEAF.key()), "/privateKey", "outside of the PEM blocks");
        String damaged = LEAF.chain().replace("-----END", "hunter2: x\n-----END");
        assertThat(put(damaged, LEAF.key()).status()).isEqualTo(422);
        assertThat(put(LEAF.chain().replace("-----END CERTIFICATE-----", ""), LEAF.key())
                        .status())
                .isEqualTo(422);
    }

    @Test
    void theKeyIsOneKeyAndNothingElse() {
        assertRefused(put(LEAF.chain(), LEAF.key() + LEAF.chain()), "/privateKey", "\"CERTIFICATE\"");
        assertRefused(put(LEAF.chain(), LEAF.key() + ROOT.key()), "/privateKey", "2 private keys");
        assertRefused(put(LEAF.chain(), ROOT.key()), "/privateKey", "private key of the first certificate");
        String encrypted = LEAF.key().replace("PRIVATE", "ENCRYPTED PRIVATE");
        assertRefused(put(LEAF.chain(), encrypted), "/privateKey", "not encrypted");
    }

    @Test
    void lineEndsSpacesAndTheCurveBeforeTheKeyAreNoMatter() {
        Reply reply = put(
                "\r\n" + LEAF.chain().replace("\n", "\r\n") + "\n\n  " + MIDDLE.chain() + ROOT.chain(),
                CURVE + LEAF.key().replace("\n", "\r\n"));
        assertThat(reply.status()).as("%s", reply).isEqualTo(201);
    }

    @Test
    void aChainThatIsNoneIsRefused() {
        assertRefused(
                put(LEAF.chain() + ROOT.chain() + MIDDLE.chain(), LEAF.key()),
                "/chain",
                "certificate 2, of \"CN=root\", did not sign the certificate before it (expected: that of \"CN=middle\"");
        TestCertificate foreign = TestCertificate.create("foreign");
        assertRefused(put(LEAF.chain() + MIDDLE.chain() + foreign.chain(), LEAF.key()), "/chain", "certificate 3, of");
        TestCertificate namesake = TestCertificate.create("middle");
        assertRefused(put(LEAF.chain() + namesake.chain(), LEAF.key()), "/chain", "certificate 2, of");
        assertRefused(put(ROOT.chain() + ROOT.chain(), ROOT.key()), "/chain", "occurs twice");
        assertRefused(put(MIDDLE.chain() + LEAF.chain(), LEAF.key()), "/chain", "certificate 2, of");
    }

    @Test
    void authoritiesAreCertificatesOnly() {
        String both = ROOT.chain() + ROOT.key();
        Reply upstream = client.put(
                "/upstreams/u",
                Json.text(Map.of(
                        "nodes", java.util.List.of(Map.of("url", "https://10.0.0.1")), "tls", Map.of("ca", both))));
        assertThat(upstream.pointers()).isEqualTo("/tls/ca");
        client.put("/certificates/c", Json.text(Map.of("chain", LEAF.chain(), "privateKey", LEAF.key())));
        Reply server = client.put(
                "/proxy-servers/s",
                Json.text(Map.of(
                        "port", 8443, "protocol", "HTTPS", "tls", Map.of("clientAuth", "REQUIRED", "clientCa", both))));
        assertThat(server.status()).as("%s", server).isEqualTo(422);
        assertThat(server.pointers()).isEqualTo("/tls/clientCa");
    }

    @Test
    void aKeyThatAnOlderVersionTookIntoTheChainIsNotShown() {
        client.put("/certificates/old", Json.text(Map.of("chain", LEAF.chain(), "privateKey", LEAF.key())));
        for (String column : new String[] {"certificates set spec", "revision_changes set after"}) {
            String name = column.substring(column.lastIndexOf(' ') + 1);
            TestDatabase.execute(
                    running.database(),
                    "update " + column + " = jsonb_set(" + name + "::jsonb, '{chain}', to_jsonb('"
                            + (LEAF.chain() + ROOT.key()) + "'::text))");
        }
        String secret = ROOT.key().lines().toList().get(1);
        for (String path : new String[] {
            "/certificates/old", "/certificates", "/revisions/1", "/revisions/1/config", "/revisions/0/diff/1"
        }) {
            Reply reply = client.get(path);
            assertThat(reply.http().body()).as(path).doesNotContain(secret);
        }
        assertThat(client.get("/certificates/old").json().path("chain").asText())
                .isEqualTo(LEAF.chain().strip() + "\n");
    }
}
