package io.sigma.dataplane.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.ServerTls;
import java.io.IOException;
import java.net.InetAddress;

/** Requests of HTTP/1 that are refused, in plaintext and on TLS. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
public abstract class RefusalContract extends EngineContract {

    protected static final String TE = "Transfer-Encoding: chunked\r\n";
    /**
     * Follows every refused request; it would be served if the refused one ended elsewhere than where it was refused.
     */
    protected static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    private final TestTls tls = TestTls.create("gateway");

    protected static String getWith(String fields) {
        return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    protected static String postWith(String fields, String body) {
        return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body;
    }

    /** Sends everything to {@code node} that comes over TLS. */
    protected Config encrypted(String node) {
        return forwarding(node)
                .certificate(tls.resource("own"))
                .encrypted("web", ServerTls.builder().build());
    }

    protected RawClient connectTls() throws IOException {
        return new RawClient(tls.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port()));
    }

    protected static void assertRefused(RawClient client, String name, int status, String request) throws IOException {
        client.send(request + SMUGGLED);
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).as(name).isEqualTo(status);
        assertThat(answer.body()).as(name).isNotEmpty();
        if (status == 405) {
            assertThat(answer.field("allow")).contains("GET");
        }
        assertThat(client.isClosedByPeer()).as("%s: closed", name).isTrue();
    }
}
