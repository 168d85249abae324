package io.sigma.dataplane.testkit;

import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rules for every way that a request may come: plaintext and TLS, HTTP/1.1 and HTTP/2. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
public abstract class PipelineContract extends TlsContract {

    /** A way to the gateway. */
    protected enum Pipeline {
        HTTP1(false, false),
        HTTP1_TLS(false, true),
        HTTP2(true, false),
        HTTP2_TLS(true, true);

        public final boolean http2;
        public final boolean tls;

        Pipeline(boolean http2, boolean tls) {
            this.http2 = http2;
            this.tls = tls;
        }
    }

    /** Sends everything that comes that way to {@code node}. */
    protected Config through(Pipeline way, String node) {
        return way.tls ? encrypted(ServerTls.builder().build(), node) : forwarding(node);
    }

    protected static Config trusting(Config config) {
        return config.with(
                ResourceType.PROXY_SERVER,
                "web",
                server -> server.toBuilder()
                        .trustedProxies(List.of("127.0.0.0/8"))
                        .build());
    }

    /**
     * Sends one request without a body to shop.example.com.
     *
     * @param fields names and values
     */
    protected RawClient.Answer send(Pipeline way, String method, String target, String... fields) throws Exception {
        return sendAll(way, method, target, fields).getLast();
    }

    /** As {@link #send}; returns the interim responses, too, in their order and before the final one. */
    protected List<RawClient.Answer> sendAll(Pipeline way, String method, String target, String... fields)
            throws Exception {
        return way.http2 ? sendHttp2(way, method, target, fields) : sendHttp1(way, method, target, fields);
    }

    private List<RawClient.Answer> sendHttp1(Pipeline way, String method, String target, String... fields)
            throws Exception {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: shop.example.com\r\n");
        for (int i = 0; i < fields.length; i += 2) {
            request.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
        }
        try (RawClient client = way.tls
                ? new RawClient(connect(client(null), "shop.example.com", "http/1.1"))
                : RawClient.connect(port())) {
            client.send(request.append("\r\n").toString());
            return client.readAll(method.equals("HEAD"));
        }
    }

    private List<RawClient.Answer> sendHttp2(Pipeline way, String method, String target, String... fields)
            throws Exception {
        List<String> request = new ArrayList<>(List.of(
                ":method",
                method,
                ":scheme",
                way.tls ? "https" : "http",
                ":path",
                target,
                ":authority",
                "shop.example.com"));
        for (int i = 0; i < fields.length; i++) {
            request.add(i % 2 == 0 ? fields[i].toLowerCase(Locale.ROOT) : fields[i]);
        }
        try (RawHttp2 client =
                way.tls ? RawHttp2.on(connect(client(null), "shop.example.com", "h2")) : RawHttp2.connect(port())) {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    1,
                    RawHttp2.fields(request.toArray(String[]::new)));
            List<RawClient.Answer> all = new ArrayList<>();
            RawHttp2.Frame frame;
            RawClient.Answer answer;
            do {
                frame = client.next();
                answer = head(client, frame);
                all.add(answer);
            } while (answer.status() < 200);
            all.removeLast();
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            while ((frame.flags() & RawHttp2.END_STREAM) == 0) {
                frame = client.next();
                if (frame.type() != RawHttp2.DATA) {
                    throw new AssertionError("a frame of type " + frame.type() + ", error " + frame.error());
                }
                body.write(frame.payload());
            }
            all.add(new RawClient.Answer(answer.status(), answer.fields(), body.toByteArray(), List.of()));
            return all;
        }
    }

    private static RawClient.Answer head(RawHttp2 client, RawHttp2.Frame frame) throws Exception {
        if (frame.type() != RawHttp2.HEADERS) {
            throw new AssertionError("a frame of type " + frame.type() + ", error " + frame.error());
        }
        List<String> received = client.decoded(frame);
        int status = Integer.parseInt(received.getFirst().substring(":status: ".length()));
        return new RawClient.Answer(status, received, new byte[0], List.of());
    }
}
