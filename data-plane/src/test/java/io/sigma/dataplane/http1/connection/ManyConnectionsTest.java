package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** So many connections that an event loop reads ahead what their events lead to. */
final class ManyConnectionsTest extends EngineContract {

    /** Without those to the node more than twice what is many for one loop. */
    private static final int CONNECTIONS = 2_500;

    private static final int ROUNDS = 3;

    @Test
    void eachGetsItsOwnAnswers() throws Exception {
        Semaphore answered = new Semaphore(0);
        try (TestNode node = TestNode.start((request, connection) -> {
            // All requests of a round wait for each other, so that there are as many connections to the node.
            answered.acquireUninterruptibly();
            byte[] body = request.target().getBytes(StandardCharsets.US_ASCII);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
            connection.out().write(body);
        })) {
            gateway().apply(forwarding(node.url()).patient("pass"));
            List<RawClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CONNECTIONS; i++) {
                    clients.add(RawClient.connect(port()));
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < CONNECTIONS; i++) {
                        clients.get(i).send("GET /" + round + "/" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    }
                    answered.release(CONNECTIONS);
                    for (int i = 0; i < CONNECTIONS; i++) {
                        assertThat(clients.get(i).read().text()).isEqualTo("/" + round + "/" + i);
                    }
                }
            } finally {
                for (RawClient client : clients) {
                    client.close();
                }
            }
        }
    }
}
