package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.util.ResourceLeakDetector;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.CorsPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HeaderEdits;
import io.sigma.model.HeadersPlugin;
import io.sigma.model.HstsPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.RateLimitPlugin;
import io.sigma.snapshot.ResourceType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the event loops allocate for a request that is like many before it. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class AllocationTest extends PipelineContract {

    /** Requests that are counted together. */
    private static final int BATCH = 1_000;

    /** Batches until the compiler has to be done with removing objects. */
    private static final int BATCHES_MAX = 40;

    private static final String FIELDS = "Host: shop.example.com\r\nUser-Agent: test\r\nAccept: */*\r\n";

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Sends one request, and reads its response. */
    private interface Client {
        void exchange() throws Exception;
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    /** A node that answers what comes with {@code answer}, for each octet {@code end} that ends a request. */
    private static ServerSocket node(byte[] answer, int end) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.ofPlatform().daemon().start(() -> answer(socket, answer, end));
                } catch (IOException e) {
                    // The test is over.
                }
            }
        });
        return server;
    }

    private static void answer(Socket socket, byte[] answer, int end) {
        byte[] read = new byte[16 * 1024];
        try (socket) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            int count;
            int last = 0;
            while ((count = socket.getInputStream().read(read)) > 0) {
                for (int i = 0; i < count; i++) {
                    last = last << 8 | read[i];
                    if (last == end) {
                        out.write(answer);
                    }
                }
            }
        } catch (IOException e) {
            // The gateway has closed the connection.
        }
    }

    private long allocated() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            ThreadInfo info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("vert.x-eventloop-thread")) {
                sum += threads.getThreadAllocatedBytes(id);
            }
        }
        return sum;
    }

    /** Returns the octets that the loops allocated for a request of the best batch, or of one with {@code most}. */
    private double leastPerRequest(int most, Client client) throws Exception {
        double least = Double.MAX_VALUE;
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        // It makes objects for each buffer.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try {
            for (int batch = 0; batch < BATCHES_MAX && least > most; batch++) {
                long before = allocated();
                for (int i = 0; i < BATCH; i++) {
                    client.exchange();
                }
                least = Math.min(least, (allocated() - before) / (double) BATCH);
            }
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
        return least;
    }

    private static Client overHttp1(Socket socket, String request) throws IOException {
        socket.setTcpNoDelay(true);
        byte[] octets = request.getBytes(StandardCharsets.ISO_8859_1);
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        out.write(octets);
        // Responses differ in their dates alone.
        int length = lengthOfResponse(in);
        byte[] response = new byte[length];
        return () -> {
            out.write(octets);
            in.readFully(response);
        };
    }

    private static int lengthOfResponse(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 200 ");
        String name = "content-length: ";
        int at = head.toString().toLowerCase(Locale.ROOT).indexOf(name) + name.length();
        int body = Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
        in.readFully(new byte[body]);
        return head.length() + body;
    }

    /**
     * A client's requests, as the gateway is configured for them. The bounds hold for each transport, and with buffers
     * that Netty reaches without {@code Unsafe}, which make most of the objects of the first four.
     */
    enum Shape {
        GET(600),
        POST(900),
        PLUGINS(800),
        TLS(900),
        CHAIN(4_000),
        HTTP2(6_000);

        /** In octets. */
        private final int most;

        Shape(int most) {
            this.most = most;
        }
    }

    private Config config(Shape shape, String url) {
        return switch (shape) {
            case GET, POST, HTTP2 -> forwarding(url);
            case CHAIN -> trusting(forwarding(url));
            case TLS -> through(Pipeline.HTTP1_TLS, url);
            case PLUGINS ->
                forwarding(url)
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .plugins(Plugins.builder()
                                                .headers(HeadersPlugin.builder()
                                                        .request(HeaderEdits.builder()
                                                                .remove(List.of("x-debug"))
                                                                .set(Map.of("x-team", "shop"))
                                                                .build())
                                                        .response(HeaderEdits.builder()
                                                                .remove(List.of("server"))
                                                                .set(Map.of("x-frame-options", "DENY"))
                                                                .build())
                                                        .build())
                                                .rateLimit(RateLimitPlugin.builder()
                                                        .requests(1_000_000)
                                                        .periodSeconds(1)
                                                        .build())
                                                .hsts(HstsPlugin.builder().build())
                                                .gzip(GzipPlugin.builder().build())
                                                .cors(CorsPlugin.builder()
                                                        .allowOrigins(List.of("https://shop.example.com"))
                                                        .build())
                                                .build())
                                        .build());
        };
    }

    private Client client(Shape shape, Socket socket) throws Exception {
        return switch (shape) {
            case GET, TLS -> overHttp1(socket, "GET /a HTTP/1.1\r\n" + FIELDS + "\r\n");
            case PLUGINS ->
                overHttp1(socket, "GET /a HTTP/1.1\r\n" + FIELDS + "Origin: https://shop.example.com\r\n\r\n");
            case CHAIN ->
                overHttp1(
                        socket,
                        "GET /a HTTP/1.1\r\n" + FIELDS
                                + "X-Forwarded-For: 203.0.113.7, 198.51.100.2\r\nX-Forwarded-Proto: https\r\n\r\n");
            case POST ->
                overHttp1(
                        socket,
                        "POST /a HTTP/1.1\r\n" + FIELDS + "Content-Length: 604\r\n\r\n" + "x".repeat(600) + "!end");
            case HTTP2 -> overHttp2(RawHttp2.on(socket));
        };
    }

    private static Client overHttp2(RawHttp2 client) {
        byte[] head = RawHttp2.head("user-agent", "test", "accept", "*/*");
        int[] stream = {-1};
        return () -> {
            stream[0] += 2;
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream[0], head);
            if (stream[0] % 1_000 == 1) {
                client.send(RawHttp2.WINDOW_UPDATE, 0, 0, (byte) 0, (byte) 0, (byte) 16, (byte) 0);
            }
            RawHttp2.Frame frame;
            do {
                frame = client.next();
            } while (frame.stream() != stream[0] || (frame.flags() & RawHttp2.END_STREAM) == 0);
        };
    }

    @ParameterizedTest
    @EnumSource
    void requestsThatComeAgainAllocateLittle(Shape shape) throws Exception {
        String end = shape == Shape.POST ? "!end" : "\r\n\r\n";
        try (ServerSocket node = node(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                        .getBytes(StandardCharsets.ISO_8859_1),
                ByteBuffer.wrap(end.getBytes(StandardCharsets.ISO_8859_1)).getInt())) {
            gateway().apply(config(shape, "http://127.0.0.1:" + node.getLocalPort()));
            try (Socket socket = shape == Shape.TLS
                    ? connect(client(null), "shop.example.com", "http/1.1")
                    : new Socket(InetAddress.getLoopbackAddress(), port())) {
                assertThat(leastPerRequest(shape.most, client(shape, socket))).isLessThanOrEqualTo(shape.most);
            }
        }
    }
}
