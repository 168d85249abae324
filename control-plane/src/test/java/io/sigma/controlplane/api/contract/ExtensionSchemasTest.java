package io.sigma.controlplane.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plugins of others are checked against the schema that their jar publishes; {@code greeting} is one on the class path.
 */
final class ExtensionSchemasTest {

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    private static Reply put(String extensions) {
        return client.put("/proxy-servers/web", "{\"port\":8080,\"plugins\":{\"extensions\":" + extensions + "}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"greeting":{}}                                  | /plugins/extensions/greeting/words    | absent (expected: a list of 1.. items)
                    {"greeting":{"words":["a"],"times":10}}          | /plugins/extensions/greeting/times    | 10 (expected: a whole number 1..9)
                    {"greeting":{"words":["a","B"]}}                 | /plugins/extensions/greeting/words/1  | "B" (expected: a text of 1.. characters that matches ^[a-z]+$)
                    {"greeting":{"words":["a"],"tmies":1}}           | /plugins/extensions/greeting/tmies    | unknown field (expected: one of words, times)
                    """)
    void badValueIsRefusedAtOnceWithItsPointer(String extensions, String pointer, String detail) {
        Reply refused = put(extensions);
        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo(pointer);
        assertThat(refused.json().at("/errors/0/detail").asText()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"greeting\":{\"words\":[\"a\"],\"times\":9,\"enabled\":true}}",
                "{\"greeting\":{\"enabled\":false}}",
                "{\"unknown-to-the-control-plane\":{\"anything\":[1,{}]}}",
                "{\"elsewhere\":{\"a\":1}}"
            })
    void whatTheSchemaAllowsOrNobodyPublishesIsTaken(String extensions) {
        assertThat(put(extensions).status()).isIn(200, 201);
    }

    @Test
    void everyLevelIsChecked() {
        Reply refused = client.put(
                "/proxy-passes/hello",
                "{\"fixedResponse\":{\"status\":200},\"plugins\":{\"extensions\":{\"greeting\":{\"words\":7}}}}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo("/plugins/extensions/greeting/words");
    }
}
