package io.sigma.dataplane.framed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.model.Protocol;
import io.sigma.model.RpcMatch;
import io.sigma.model.TextMatch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TMultiplexedProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clients and the server of Thrift, with a gateway between them. */
final class ThriftTest extends FramedContract {

    private final List<TThreadPoolServer> servers = new ArrayList<>();

    @Override
    Protocol protocol() {
        return Protocol.THRIFT;
    }

    @AfterEach
    void stop() {
        servers.forEach(TThreadPoolServer::stop);
    }

    private static TProtocolFactory protocols(boolean compact) {
        return compact ? new TCompactProtocol.Factory() : new TBinaryProtocol.Factory();
    }

    /** Answers with its name and the argument, after as many milliseconds as the method says: {@code wait100}. */
    private record Echo(String name) implements TProcessor {

        @Override
        public void process(TProtocol in, TProtocol out) throws TException {
            TMessage message = in.readMessageBegin();
            String argument = readText(in);
            in.readMessageEnd();
            String method = message.name.substring(message.name.indexOf(':') + 1);
            if (method.startsWith("wait")) {
                try {
                    TimeUnit.MILLISECONDS.sleep(Integer.parseInt(method.substring(4)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            out.writeMessageBegin(new TMessage(method, TMessageType.REPLY, message.seqid));
            writeText(out, name + ": " + argument);
            out.writeMessageEnd();
            out.getTransport().flush();
        }
    }

    private static void writeText(TProtocol out, String text) throws TException {
        out.writeStructBegin(new TStruct("text"));
        out.writeFieldBegin(new TField("text", TType.STRING, (short) 1));
        out.writeString(text);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }

    private static String readText(TProtocol in) throws TException {
        String text = "";
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (field.id == 1) {
                text = in.readString();
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        return text;
    }

    private String serve(String name, boolean compact) throws Exception {
        int port = Config.freePort();
        TServerSocket socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        TThreadPoolServer server = new TThreadPoolServer(new TThreadPoolServer.Args(socket)
                .processor(new Echo(name))
                .transportFactory(new TFramedTransport.Factory())
                .protocolFactory(protocols(compact)));
        servers.add(server);
        Thread.ofVirtual().start(server::serve);
        return node(port);
    }

    /** A client of one connection, whose calls have ids that grow. */
    private final class Client implements AutoCloseable {

        private final TTransport transport;
        private final TProtocol protocol;
        private int id;

        Client(boolean compact, String service) throws TException {
            transport = new TFramedTransport(new TSocket("127.0.0.1", port(), TIMEOUT_MILLIS));
            transport.open();
            TProtocol plain = protocols(compact).getProtocol(transport);
            protocol = service.isEmpty() ? plain : new TMultiplexedProtocol(plain, service);
        }

        String call(String method, String argument) throws TException {
            id += 100;
            protocol.writeMessageBegin(new TMessage(method, TMessageType.CALL, id));
            writeText(protocol, argument);
            protocol.writeMessageEnd();
            transport.flush();
            TMessage answer = protocol.readMessageBegin();
            assertThat(answer.seqid).isEqualTo(id);
            if (answer.type == TMessageType.EXCEPTION) {
                throw TApplicationException.readFrom(protocol);
            }
            String text = readText(protocol);
            protocol.readMessageEnd();
            return text;
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsAreAnswered(boolean compact) throws Exception {
        gateway().apply(passing(serve("a", compact)));
        try (Client client = new Client(compact, "")) {
            for (int i = 0; i < 300; i++) {
                assertThat(client.call("echo", "b" + i)).isEqualTo("a: b" + i);
            }
            String large = "x".repeat(200_000);
            assertThat(client.call("echo", large)).isEqualTo("a: " + large);
        }
        JsonNode record = records(301).getFirst();
        assertThat(record.path("protocol").asText()).isEqualTo(compact ? "THRIFT/compact" : "THRIFT/binary");
        assertThat(record.path("method").asText()).isEqualTo("echo");
        assertThat(record.path("status").asInt()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void serviceAndMethodChooseTheNode(boolean compact) throws Exception {
        gateway()
                .apply(passing(serve("rest", compact))
                        .router(router(
                                "orders",
                                RpcMatch.builder()
                                        .service(TextMatch.builder()
                                                .value("Orders")
                                                .build())
                                        .method(TextMatch.builder()
                                                .regex("get.*")
                                                .build())
                                        .build(),
                                "to-orders"))
                        .pass("to-orders", "orders")
                        .upstream("orders", serve("orders", compact)));
        try (Client orders = new Client(compact, "Orders");
                Client other = new Client(compact, "")) {
            assertThat(orders.call("getOne", "1")).isEqualTo("orders: 1");
            assertThat(orders.call("put", "1")).isEqualTo("rest: 1");
            assertThat(other.call("getOne", "1")).isEqualTo("rest: 1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slowRequestsDoNotHoldUpOthers(boolean compact) throws Exception {
        gateway().apply(passing(serve("a", compact)));
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String argument = "b" + i;
            calls.add(CompletableFuture.supplyAsync(
                    () -> {
                        try (Client client = new Client(compact, "")) {
                            return client.call("wait300", argument);
                        } catch (TException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    Thread::startVirtualThread));
        }
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).get(4, TimeUnit.SECONDS)).isEqualTo("a: b" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void errorsAreThoseOfTheProtocol(boolean compact) throws Exception {
        gateway().apply(passing(node(Config.freePort())));
        try (Client client = new Client(compact, "Orders")) {
            assertThatThrownBy(() -> client.call("echo", "b"))
                    .isInstanceOfSatisfying(
                            TApplicationException.class,
                            e -> assertThat(e.getType()).isEqualTo(TApplicationException.INTERNAL_ERROR))
                    .hasMessageContaining("No node of the upstream could be reached");
            gateway().apply(passing(serve("a", compact)));
            assertThat(client.call("echo", "b")).isEqualTo("a: b");
        }
    }
}
