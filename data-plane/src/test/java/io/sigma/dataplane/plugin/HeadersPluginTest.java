package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.HeaderEdits;
import io.sigma.model.HeadersPlugin;
import io.sigma.model.Plugins;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class HeadersPluginTest extends PluginContract {

    @Test
    void fieldsAreRemovedRenamedSetAndAdded() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nServer: secret\r\nX-Old: 1\r\nX-Old: 2\r\nX-A: node\r\n"
                        + "Content-Length: 0\r\n\r\n"))) {
            HeaderEdits edits = HeaderEdits.builder()
                    .remove(List.of("Server"))
                    .rename(Map.of("X-Old", "X-New"))
                    .set(Map.of("X-A", "set"))
                    .add(Map.of("X-New", "3"))
                    .build();
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            Plugins.builder()
                                    .headers(HeadersPlugin.builder()
                                            .request(edits)
                                            .response(edits)
                                            .build())));
            RawClient.Answer answer = send("GET", "/", "Server: x\r\nX-Old: 1\r\nX-Old: 2\r\nX-A: client\r\n");
            TestNode.Received request = node.received().getFirst();
            assertThat(request.all("x-new")).containsExactly("1", "2", "3");
            assertThat(request.all("x-a")).containsExactly("set");
            assertThat(request.all("x-old")).isEmpty();
            assertThat(request.all("server")).isEmpty();
            assertThat(answer.all("x-new")).containsExactly("1", "2", "3");
            assertThat(answer.all("x-a")).containsExactly("set");
            assertThat(answer.all("x-old")).isEmpty();
            assertThat(answer.all("server")).isEmpty();
        }
    }
}
