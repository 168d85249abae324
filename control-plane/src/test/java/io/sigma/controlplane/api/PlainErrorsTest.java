package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Errors name the value and what was expected, in words that need no knowledge of a library. */
final class PlainErrorsTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private static String first(Reply reply) {
        return reply.json().path("errors").path(0).path("detail").asText();
    }

    private static String detail(Reply reply) {
        return reply.json().path("detail").asText();
    }

    @Test
    void idIsExplainedInWordsInPathsAndBodies() {
        String expected = "(expected: 1 to 64 of A-Z a-z 0-9 . _ -, not . and not ..)";
        assertThat(detail(client.put("/upstreams/a%2fb", "{}"))).isEqualTo("id: \"a/b\" " + expected);
        assertThat(first(client.put("/routers/r", "{\"proxyServerId\":\"..\"}")))
                .isEqualTo("\"..\" " + expected);
        assertThat(detail(client.get("/revisions/99999999999999999999")))
                .isEqualTo("number: \"99999999999999999999\" (expected: a whole number 1..9223372036854775807)");
    }

    @Test
    void numbersThatAreNoneAreNamed() {
        assertThat(first(client.put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a\",\"weight\":1e2}]}")))
                .endsWith(" (expected: a whole number, written without a fraction and an exponent)");
        assertThat(detail(client.put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a\",\"weight\":NaN}]}")))
                .endsWith("Non-standard token 'NaN'");
    }

    @Test
    void methodThatIsNotThereIsNamed() {
        Reply reply = client.put("/users/admin", "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(detail(reply)).isEqualTo("PUT (expected: DELETE, GET, HEAD, PATCH)");
    }

    @Test
    void titleThatMakesNoIdIsNotSaidToBeAbsent() {
        String document = "openapi: 3.0.0\\ninfo: {title: 日本}\\nservers: [{url: 'http://a'}]\\npaths: {/x: {get: {}}}";
        Reply reply = client.post("/import/openapi", "{\"proxyServerId\":\"demo\",\"document\":\"" + document + "\"}");
        assertThat(first(reply))
                .isEqualTo("absent (expected: an id, because its title has no character that an id may have)");
    }
}
