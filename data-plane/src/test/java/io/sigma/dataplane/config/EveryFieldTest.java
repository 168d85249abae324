package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.Consumer;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every field of every kind is set and taken back while clients send requests over connections that stay open, on
 * HTTP/1.1 in plaintext and over TLS and on HTTP/2. A field may change what is answered; it may not cost anybody a
 * connection or a response.
 */
@Timeout(900)
final class EveryFieldTest extends TlsContract {

    /** Which of several that are alike have their fields set. */
    private static final Map<ResourceType<?>, List<String>> RESOURCES = Map.of(
            ResourceType.ROUTER, List.of("all"),
            ResourceType.ROUTE, List.of("any"),
            ResourceType.CERTIFICATE, List.of("c-wild"));

    /** Those that are nothing without a file, a secret, or another field. */
    private static final Set<String> NEEDS_MORE = Set.of(
            "chain",
            "privateKey",
            "apiKeys",
            "apiKeys/0/name",
            "logins",
            "logins/0/passwordHash",
            "logins/0/username",
            "accessLog/template",
            "concurrencyLimit/header",
            "rateLimit/header",
            "extensions",
            "jwt/jwks",
            "subset/fallbackMetadata",
            "tls/certPath",
            "tls/keyPath",
            "tls/clientCa",
            "tls/ca",
            "cookies/0/name",
            "headers/0/name",
            "queryParameters/0/name",
            "discovery/name",
            "discovery/servers",
            "discovery/settings",
            "discovery/url",
            "hash",
            "hash/loadPercentMax",
            "hash/name",
            "hash/source",
            "healthCheck/expectedStatuses",
            "nodes",
            "outlierDetection/latencyFactor");

    /** Those that only proxy servers have that speak no HTTP; {@link EveryStreamFieldTest} tries them. */
    static final Set<String> STREAMS = Set.of(
            "proxyPassId",
            "match",
            "match/sni",
            "match/alpn",
            "match/clientAddresses",
            "match/rpc",
            "match/rpc/headers",
            "match/rpc/headers/0/name",
            "match/rpc/headers/0/prefix",
            "match/rpc/headers/0/present",
            "match/rpc/headers/0/regex",
            "match/rpc/headers/0/value",
            "match/rpc/method",
            "match/rpc/method/prefix",
            "match/rpc/method/regex",
            "match/rpc/method/value",
            "match/rpc/service",
            "match/rpc/service/prefix",
            "match/rpc/service/regex",
            "match/rpc/service/value",
            "limits/callsMax",
            "limits/frameBytesMax",
            "udp",
            "udp/idleTimeoutMillis",
            "udp/responsesMax",
            "udp/responseTimeoutMillis",
            "udp/sessionsPerAddressMax",
            "udp/datagramBytesMax");

    private final class Http1 extends FieldToggles.Client {

        private final int at;
        private final boolean encrypted;
        private RawClient client;

        Http1(String name, int at, boolean encrypted) {
            super(name);
            this.at = at;
            this.encrypted = encrypted;
        }

        @Override
        void open() throws Exception {
            client = encrypted
                    ? new RawClient(connect(EveryFieldTest.client(null), "shop.example.com", "http/1.1"))
                    : RawClient.connect(at);
        }

        @Override
        int ask() throws IOException {
            client.send(GET);
            RawClient.Answer answer = client.read();
            if ("close".equals(answer.field("connection"))) {
                throw new EOFException("the connection is closed after a response " + answer.status());
            }
            return answer.status();
        }

        @Override
        void end() throws IOException {
            client.close();
        }
    }

    private final class Http2 extends FieldToggles.Client {

        private RawHttp2 client;
        private int stream;
        /** Bytes of bodies that the window has to be opened by. */
        private int taken;

        Http2(String name) {
            super(name);
        }

        @Override
        void open() throws Exception {
            SSLSocket socket = connect(EveryFieldTest.client(null), "shop.example.com", "h2");
            // A window and the next head are two writes.
            socket.setTcpNoDelay(true);
            client = RawHttp2.on(socket);
            client.send(RawHttp2.SETTINGS, 1, 0);
            stream = 1;
        }

        @Override
        int ask() throws IOException {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    stream,
                    RawHttp2.fields(
                            ":method", "GET", ":scheme", "https", ":path", "/", ":authority", "shop.example.com"));
            int answer = 0;
            try {
                RawHttp2.Frame frame = next();
                while ((frame.flags() & RawHttp2.END_STREAM) == 0) {
                    answer = frame.type() == RawHttp2.HEADERS ? Integer.parseInt(client.status(frame)) : answer;
                    frame = next();
                }
                if (frame.type() == RawHttp2.HEADERS) {
                    answer = Integer.parseInt(client.status(frame));
                }
            } catch (io.netty.handler.codec.http2.Http2Exception e) {
                throw new IOException(e);
            }
            stream += 2;
            if (taken > 0) {
                client.send(
                        RawHttp2.WINDOW_UPDATE,
                        0,
                        0,
                        ByteBuffer.allocate(4).putInt(taken).array());
                taken = 0;
            }
            return answer;
        }

        private RawHttp2.Frame next() throws IOException {
            RawHttp2.Frame frame = client.next();
            if (frame.type() == RawHttp2.GOAWAY || frame.type() == RawHttp2.RST_STREAM) {
                throw new EOFException("a frame of type " + frame.type() + ", error " + frame.error());
            }
            taken += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
            return frame;
        }

        @Override
        void end() throws IOException {
            client.close();
        }
    }

    @Test
    void noFieldCostsAConnectionOrAResponse() throws Exception {
        int plain = Config.freePort();
        try (TestNode node = TestNode.named("ok")) {
            Config base = encrypted(ServerTls.builder().build(), node.url())
                    .server("plain", plain)
                    .router("of-plain", "plain")
                    .route("any-of-plain", "of-plain", "/*", "pass")
                    .consumer(Consumer.builder().id("c").build());
            gateway().apply(base);
            List<FieldToggles.Client> clients =
                    List.of(new Http1("HTTP/1.1", plain, false), new Http1("TLS", port(), true), new Http2("HTTP/2"));
            try (FieldToggles toggles = FieldToggles.start(gateway(), clients)) {
                for (ResourceType<?> type : ResourceType.ALL) {
                    for (String id : RESOURCES.getOrDefault(type, base.ids(type))) {
                        toggles.toggle(base, type, id);
                    }
                }
                System.out.println(toggles.count());
                assertThat(toggles.refused())
                        .as("fields of which no value is tried: say one in FieldValues")
                        .map(name -> name.replaceAll("^[A-Z_]+/(plugins/)?", ""))
                        .allMatch(name -> NEEDS_MORE.contains(name) || STREAMS.contains(name));
                assertThat(toggles.known()).hasSizeGreaterThan(700);
                assertThat(toggles.failures()).isEmpty();
            }
        }
    }
}
