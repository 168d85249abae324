package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.StreamMatch;
import io.sigma.snapshot.ResourceType;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every field of what serves TCP, TLS that is passed through, UDP and Bolt is set and taken back, while connections and
 * sessions of clients go on: none of them ends, and none of their messages is lost.
 */
@Timeout(900)
final class EveryStreamFieldTest extends EngineContract {

    private static final int TIMEOUT_MILLIS = 15_000;
    private static final byte[] PING = "ping".getBytes(StandardCharsets.US_ASCII);

    /** They are nothing without a condition. */
    private static final Set<String> NEEDS_MORE =
            Set.of("match/rpc/headers/0/name", "match/rpc/service", "match/rpc/method");

    private static final List<String> SERVERS = List.of("tcp", "tls", "mixed", "udp", "bolt", "dubbo");

    private final TestTls mail = TestTls.create("mail", "mail.example");
    private final TestTls web = TestTls.create("web", "web.example");

    /** Plugins are for HTTP. */
    private static boolean isOfStreams(String field) {
        return !field.startsWith("/plugins");
    }

    /** TLS where there was none is another mode. */
    private static boolean isOfPlaintext(String field) {
        return isOfStreams(field) && !field.startsWith("/tls");
    }

    private static Socket connect(int port, @Nullable String name) throws Exception {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        if (name == null) {
            return socket;
        }
        SSLContext context = TlsContract.client(null);
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, name, port, true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
        return encrypted;
    }

    /** A connection on which each message comes back. */
    private static class Stream extends FieldToggles.Client {

        private final int port;
        private final @Nullable String serverName;
        private @Nullable Socket socket;

        /**
         * @param serverName null for plaintext
         */
        Stream(String name, int port, @Nullable String serverName) {
            super(name);
            this.port = port;
            this.serverName = serverName;
        }

        @Override
        void open() throws Exception {
            socket = connect(port, serverName);
        }

        @Override
        int ask() throws IOException {
            return exchange(Objects.requireNonNull(socket));
        }

        int exchange(Socket with) throws IOException {
            with.getOutputStream().write(PING);
            if (!Arrays.equals(with.getInputStream().readNBytes(PING.length), PING)) {
                throw new EOFException("the connection ended");
            }
            return OK;
        }

        @Override
        void end() throws IOException {
            if (socket != null) {
                socket.close();
            }
        }

        @Override
        void come() throws Exception {
            try (Socket another = connect(port, serverName)) {
                assertThat(exchange(another)).isEqualTo(OK);
            }
        }
    }

    /** A connection that carries requests of Bolt. */
    private static final class Bolt extends Stream {

        private int id;

        Bolt(int port) {
            super("Bolt", port, null);
        }

        @Override
        int exchange(Socket with) throws IOException {
            int asked = ++id;
            with.getOutputStream().write(BoltFrame.v1().id(asked).bytes());
            BoltHead head = BoltHead.read(new DataInputStream(with.getInputStream()), false);
            if (head.id != asked) {
                throw new IOException("the answer to " + head.id + " (expected: " + asked + ")");
            }
            return head.status == 0 ? OK : head.status;
        }

        @Override
        void come() {
            // Its own connection gets new streams at nodes.
        }
    }

    /**
     * @param command 0 for a heartbeat
     */
    private record BoltHead(int command, int id, int status) {

        /** Reads a frame of version 1. */
        static BoltHead read(DataInputStream in, boolean request) throws IOException {
            in.readUnsignedShort();
            int command = in.readUnsignedShort();
            in.readUnsignedByte();
            int id = in.readInt();
            in.readUnsignedByte();
            int status = request ? in.readInt() : in.readUnsignedShort();
            in.skipNBytes((long) in.readUnsignedShort() + in.readUnsignedShort() + in.readInt());
            return new BoltHead(command, id, request ? 0 : status);
        }
    }

    private static SocketNode boltNode() {
        return SocketNode.start(socket -> {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                BoltHead head = BoltHead.read(in, true);
                BoltFrame answer = BoltFrame.v1().type(BoltFrame.RESPONSE).id(head.id);
                socket.getOutputStream().write((head.command == 0 ? answer.heartbeat() : answer).bytes());
            }
        });
    }

    /** A session of datagrams, each of which comes back. */
    private static final class Session extends FieldToggles.Client {

        private final int port;
        private @Nullable DatagramSocket socket;

        Session(int port) {
            super("UDP");
            this.port = port;
        }

        private DatagramSocket connected() throws IOException {
            DatagramSocket made = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            made.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            made.setSoTimeout(TIMEOUT_MILLIS);
            return made;
        }

        private static int exchange(DatagramSocket with) throws IOException {
            with.send(new DatagramPacket(PING, PING.length));
            DatagramPacket packet = new DatagramPacket(new byte[64], 64);
            with.receive(packet);
            assertThat(packet.getLength()).isEqualTo(PING.length);
            return OK;
        }

        @Override
        void open() throws IOException {
            socket = connected();
        }

        @Override
        int ask() throws IOException {
            return exchange(Objects.requireNonNull(socket));
        }

        @Override
        void end() {
            if (socket != null) {
                socket.close();
            }
        }

        @Override
        void come() throws IOException {
            try (DatagramSocket another = connected()) {
                exchange(another);
            }
        }
    }

    /** HTTPS on the port that passes another name through. */
    private static final class Decrypted extends FieldToggles.Client {

        private final int port;
        private @Nullable RawClient client;

        Decrypted(int port) {
            super("HTTPS");
            this.port = port;
        }

        @Override
        void open() throws Exception {
            client = new RawClient(connect(port, "web.example"));
        }

        @Override
        int ask() throws IOException {
            RawClient open = Objects.requireNonNull(client);
            open.send("GET / HTTP/1.1\r\nHost: web.example\r\n\r\n");
            RawClient.Answer answer = open.read();
            if ("close".equals(answer.field("connection"))) {
                throw new EOFException("the connection is closed after a response " + answer.status());
            }
            return answer.status();
        }

        @Override
        void end() throws IOException {
            if (client != null) {
                client.close();
            }
        }
    }

    private static void serve(Config config, ProxyServer.Builder server, @Nullable StreamMatch match, String node) {
        ProxyServer made = server.build();
        config.server(made)
                .router(Router.builder()
                        .id(made.id())
                        .proxyServerId(made.id())
                        .match(match)
                        .proxyPassId(made.id())
                        .build())
                .pass(made.id(), made.id())
                .upstream(made.id(), node);
    }

    private static ProxyServer.Builder server(String id, Protocol protocol, int port) {
        return ProxyServer.builder().id(id).host("127.0.0.1").port(port).protocol(protocol);
    }

    @Test
    void noFieldCostsAConnectionASessionOrAMessage() throws Exception {
        int[] ports = SERVERS.stream().mapToInt(server -> Config.freePort()).toArray();
        SocketNode.Script echo = socket -> socket.getInputStream().transferTo(socket.getOutputStream());
        try (SocketNode plain = SocketNode.start(echo);
                SocketNode encrypted = SocketNode.start(mail.context(), echo);
                DatagramNode datagrams = DatagramNode.echo();
                SocketNode bolt = boltNode();
                TestNode page = TestNode.named("hello")) {
            StreamMatch name =
                    StreamMatch.builder().sni(List.of("mail.example")).build();
            Config base = new Config().pass("pass", "nodes").upstream("nodes", plain.url());
            serve(base, server("tcp", Protocol.TCP, ports[0]), null, plain.url());
            serve(base, server("tls", Protocol.TLS, ports[1]), name, encrypted.url());
            serve(
                    base,
                    server("mixed", Protocol.HTTPS, ports[2])
                            .tls(ServerTls.builder()
                                    .certificates(List.of("web"))
                                    .build()),
                    name,
                    encrypted.url());
            serve(base, server("udp", Protocol.UDP, ports[3]), null, datagrams.url());
            serve(base, server("bolt", Protocol.BOLT, ports[4]), null, bolt.url());
            // Bolt has no methods. Nobody calls this one.
            serve(base, server("dubbo", Protocol.DUBBO, ports[5]), null, plain.url());
            base.certificate(web.resource("web"))
                    .router(Router.builder().id("web").proxyServerId("mixed").build())
                    .route(Route.builder()
                            .id("any")
                            .routerId("web")
                            .path("/*")
                            .proxyPassId("web")
                            .build())
                    .pass("web", "web")
                    .upstream("web", page.url());
            gateway().apply(base);
            List<FieldToggles.Client> clients = new ArrayList<>(List.of(
                    new Stream("TCP", ports[0], null),
                    new Stream("TLS", ports[1], "mail.example"),
                    new Stream("a name that is passed through", ports[2], "mail.example"),
                    new Decrypted(ports[2]),
                    new Session(ports[3]),
                    new Bolt(ports[4])));
            try (FieldToggles toggles = FieldToggles.start(gateway(), clients)) {
                for (String id : SERVERS) {
                    Predicate<String> wanted = id.equals("mixed")
                            ? EveryStreamFieldTest::isOfStreams
                            : EveryStreamFieldTest::isOfPlaintext;
                    toggles.toggle(base, ResourceType.PROXY_SERVER, id, wanted);
                    toggles.toggle(base, ResourceType.ROUTER, id, wanted);
                }
                for (String id : List.of("tcp", "udp", "bolt")) {
                    toggles.toggle(base, ResourceType.PROXY_PASS, id, EveryStreamFieldTest::isOfStreams);
                    toggles.toggle(base, ResourceType.UPSTREAM, id, EveryStreamFieldTest::isOfStreams);
                }
                System.out.println(toggles.count());
                Set<String> tried = toggles.known().stream()
                        .map(field -> field.substring(field.indexOf('/') + 1))
                        .collect(Collectors.toSet());
                assertThat(EveryFieldTest.STREAMS)
                        .allMatch(field -> tried.contains(field) || NEEDS_MORE.contains(field));
                assertThat(toggles.failures()).isEmpty();
            }
        }
    }
}
