package io.sigma.controlplane.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.json.Json;
import io.sigma.settings.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The key of secrets, and the admin token, are replaced without losing what is encrypted. */
@Timeout(180)
final class KeyRotationTest {

    private static final String OLD = "the-old-key-0123456789";
    private static final String NEW = "the-new-key-0123456789";
    private static final TestCertificate FIRST = TestCertificate.create("first");
    private static final TestCertificate SECOND = TestCertificate.create("second");

    @TempDir
    Path dir;

    private final String url = TestDatabase.fresh();

    private RunningControlPlane start(String... keys) throws Exception {
        return RunningControlPlane.start(TestSettings.of(dir, url, keys));
    }

    private static String body(TestCertificate certificate) {
        return Json.text(Map.of("chain", certificate.chain(), "privateKey", certificate.key()));
    }

    private static String key(RunningControlPlane running) {
        return Objects.requireNonNull(running.controlPlane()
                        .revisionLog()
                        .current()
                        .state()
                        .certificates()
                        .get("shop"))
                .privateKey();
    }

    private static long reencrypted(RunningControlPlane running) {
        Reply done = running.client().post("/secrets/reencryption", "");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        return done.json().path("reencrypted").asLong();
    }

    private List<String> sealed() {
        return TestDatabase.query(
                url,
                "select spec ->> 'privateKey' from certificates union all select before ->> 'privateKey' from"
                        + " revision_changes union all select after ->> 'privateKey' from revision_changes union all"
                        + " select encode(sealed_key, 'hex') from cluster_authority");
    }

    @Test
    void everythingIsEncryptedWithTheNewKeyOnceItWasAskedFor() throws Exception {
        try (RunningControlPlane running = start("secretKey", OLD)) {
            assertThat(running.client().put("/certificates/shop", body(FIRST)).status())
                    .isEqualTo(201);
            assertThat(running.client().put("/certificates/shop", body(SECOND)).status())
                    .isEqualTo(200);
            assertThat(reencrypted(running)).isZero();
        }
        assertThatThrownBy(() -> start("secretKey", NEW)).hasStackTraceContaining("secretKeyPrevious");
        List<String> before = sealed();
        try (RunningControlPlane running = start("secretKey", NEW, "secretKeyPrevious", OLD)) {
            assertThat(key(running)).isEqualTo(SECOND.key());
            // The certificate, two changes of it, and the key of the cluster's authority.
            assertThat(reencrypted(running)).isEqualTo(4);
            assertThat(reencrypted(running)).isZero();
            assertThat(sealed())
                    .doesNotContainAnyElementsOf(
                            before.stream().filter(Objects::nonNull).toList());
        }
        try (RunningControlPlane running = start("secretKey", NEW)) {
            assertThat(key(running)).isEqualTo(SECOND.key());
            Reply back = running.client().post("/revisions/1/rollback", "{}");
            assertThat(back.status()).as("%s", back).isEqualTo(200);
            assertThat(key(running)).isEqualTo(FIRST.key());
            assertThat(TestDatabase.query(url, "select action from audit_log where action like '%reencrypt%'"))
                    .hasSize(3);
        }
    }

    /** The key is one of its own: who replaces a token that leaked loses nothing. */
    @Test
    void theAdminTokenIsReplacedWhereNoKeyIsSet() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(withoutKey(TestSettings.TOKEN))) {
            assertThat(running.client().put("/certificates/shop", body(FIRST)).status())
                    .isEqualTo(201);
        }
        Path file = dir.resolve("secret-key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (RunningControlPlane running = RunningControlPlane.start(withoutKey("another-token-0123456789"))) {
            assertThat(key(running)).isEqualTo(FIRST.key());
        }
    }

    private ControlPlaneSettings withoutKey(String token) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "SIGMA_ADMIN_PORT",
                "0",
                "SIGMA_CLUSTER_PORT",
                "0",
                "SIGMA_CLUSTER_HOST",
                "127.0.0.1",
                "SIGMA_ADMIN_TOKEN",
                token,
                "SIGMA_DATA_DIR",
                dir.toString(),
                "SIGMA_DATABASE_URL",
                url));
        return SettingsReader.of(variables, null).read(ControlPlaneSettings.class);
    }

    /** A request that is sent again after the key was replaced is known as the one that it is. */
    @Test
    void aRequestIsKnownAgainAfterTheKeyWasReplaced() throws Exception {
        String body = "{\"nodes\":[{\"url\":\"http://a.test\"}]}";
        String[] header = {"Idempotency-Key", "0f8fad5b-d9cb-469f-a165-70867728950e"};
        try (RunningControlPlane running = start("secretKey", OLD)) {
            assertThat(running.client().put("/upstreams/u", body, header).status())
                    .isEqualTo(201);
        }
        try (RunningControlPlane running = start("secretKey", NEW, "secretKeyPrevious", OLD)) {
            Reply again = running.client().put("/upstreams/u", body, header);
            assertThat(again.status()).as("%s", again).isEqualTo(201);
            assertThat(running.controlPlane().revisionLog().current().revision())
                    .isEqualTo(1);
        }
    }
}
