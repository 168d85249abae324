package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.json.Json;
import io.sigma.model.Consumer;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** They say where and how a proxy server listens. */
    private static final Set<String> SOCKET = Set.of(
            "PROXY_SERVER/id",
            "PROXY_SERVER/enabled",
            "PROXY_SERVER/protocol",
            "PROXY_SERVER/host",
            "PROXY_SERVER/port");

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
            "outlierDetection/latencyFactor",
            // Only on proxy servers that speak no HTTP.
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

    /** Of one field. */
    private static final int VALUES_MAX = Integer.getInteger("sigma.fieldValues", 1);

    private static final long PATIENCE_MILLIS = 20_000;

    private final FieldValues contract = new FieldValues();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final Set<String> known = new TreeSet<>();
    private volatile String now = "";
    private volatile boolean over;

    private void failed(String what) {
        System.out.println("FAILED " + what);
        failures.add(what);
    }

    /** Sends one request after the other. */
    private abstract class Client {

        final String name;
        final AtomicInteger answered = new AtomicInteger();
        volatile int status;
        private final Thread thread = new Thread(this::run);

        Client(String name) {
            this.name = name;
        }

        void start() {
            thread.start();
        }

        abstract void open() throws Exception;

        /** Returns the status of a response; 0 when the connection ends after it, as the gateway said. */
        abstract int ask() throws IOException;

        abstract void end() throws IOException;

        private void run() {
            try {
                open();
                while (!over) {
                    try {
                        status = ask();
                        answered.incrementAndGet();
                        // Else the clients would have the machine, and no change would get through.
                        Thread.sleep(2);
                    } catch (IOException | RuntimeException e) {
                        if (!over) {
                            failed(name + " at " + now + ": " + e);
                            end();
                            open();
                        }
                    }
                }
                end();
            } catch (Exception e) {
                failed(name + " at " + now + " ended: " + e);
            }
        }

        void finish() throws InterruptedException {
            thread.join(PATIENCE_MILLIS);
        }
    }

    private final class Http1 extends Client {

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

    private final class Http2 extends Client {

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
            List<Client> clients =
                    List.of(new Http1("HTTP/1.1", plain, false), new Http1("TLS", port(), true), new Http2("HTTP/2"));
            try {
                clients.forEach(Client::start);
                turn(clients);
                assertThat(clients).extracting(client -> client.status).containsOnly(200);
                Set<String> refused = new TreeSet<>();
                int tried = 0;
                int fields = 0;
                for (ResourceType<?> type : ResourceType.ALL) {
                    fields += contract.of(type.model().getSimpleName()).size();
                    for (String id : RESOURCES.getOrDefault(type, base.ids(type))) {
                        tried += toggle(base, type, id, clients, refused);
                    }
                }
                refused.removeAll(known);
                System.out.println(tried + " values of " + fields + " fields");
                assertThat(refused)
                        .as("fields of which no value is tried: say one in FieldValues")
                        .allMatch(name -> NEEDS_MORE.contains(name.replaceAll("^[A-Z_]+/(plugins/)?", "")));
                assertThat(known).hasSizeGreaterThan(700);
            } finally {
                over = true;
                for (Client client : clients) {
                    client.finish();
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    private <T> int toggle(Config base, ResourceType<T> type, String id, List<Client> clients, Set<String> refused)
            throws Exception {
        String schema = type.model().getSimpleName();
        JsonNode before = Json.tree(base.get(type, id));
        int tried = 0;
        for (FieldValues.Field field : contract.of(schema)) {
            String name = type.kind() + field.pointer();
            if (SOCKET.contains(name) || field.pointer().equals("/id")) {
                continue;
            }
            boolean taken = false;
            int values = 0;
            for (JsonNode value : field.values()) {
                if (values == VALUES_MAX) {
                    break;
                }
                Config changed;
                try {
                    changed = base.copy().put(type, type.read(contract.with(schema, before, field.pointer(), value)));
                } catch (RuntimeException e) {
                    continue;
                }
                now = name + " of " + id + " = " + value;
                if (gateway().tryApply(changed)) {
                    taken = true;
                    values++;
                    tried++;
                    settle(base, clients);
                }
            }
            if (taken) {
                known.add(name);
            } else {
                refused.add(name);
            }
        }
        return tried;
    }

    /** Waits until each client has had a response to a request that began after this was called. */
    private void turn(List<Client> clients) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        int[] from = clients.stream().mapToInt(client -> client.answered.get()).toArray();
        for (int i = 0; i < from.length; i++) {
            Client client = clients.get(i);
            while (client.answered.get() < from[i] + 2 && System.nanoTime() < until) {
                Thread.sleep(1);
            }
            if (client.answered.get() < from[i] + 2) {
                failed(client.name + " at " + now + ": no response in time");
            }
        }
    }

    /** The change has been met by each client; then it is taken back, and each is served as before. */
    private void settle(Config base, List<Client> clients) throws InterruptedException {
        turn(clients);
        gateway().apply(base);
        turn(clients);
        for (Client client : clients) {
            if (client.status != 200) {
                failed(client.name + " after " + now + ": " + client.status);
            }
        }
    }
}
