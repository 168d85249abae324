package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.TestDns;
import io.sigma.dataplane.testkit.TestDns.Entry;
import io.sigma.model.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Programs that speak DNS and syslog, through a gateway. */
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // The server is one of the test, and the client wants such a table.
final class UdpProtocolsTest extends UdpContract {

    private static final Path LOGGER = Path.of("/usr/bin/logger");
    private static final int LINES = 20;

    /** Asks with the JDK's own client of DNS. */
    private DirContext resolver() throws Exception {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + port());
        environment.put("com.sun.jndi.dns.timeout.initial", "5000");
        return new InitialDirContext(environment);
    }

    private static Object ask(DirContext resolver, String name, String type) throws Exception {
        return resolver.getAttributes(name, new String[] {type}).get(type).get();
    }

    @Test
    void namesAreResolved() throws Exception {
        try (TestDns dns = new TestDns()) {
            dns.set("a.example", Entry.address("10.1.2.3", 60), Entry.address("2001:db8::1", 60));
            dns.set("_http._tcp.a.example", Entry.service(1, 2, 8080, "a.example", 60));
            gateway().apply(udp(udp().responsesMax(1).responseTimeoutMillis(2_000), "http://" + dns.address()));
            DirContext resolver = resolver();
            assertThat(ask(resolver, "a.example", "A")).isEqualTo("10.1.2.3");
            assertThat(ask(resolver, "a.example", "AAAA")).asString().contains("2001");
            assertThat(ask(resolver, "_http._tcp.a.example", "SRV")).isEqualTo("1 2 8080 a.example.");
            Assertions.assertThatThrownBy(() -> ask(resolver, "b.example", "A"))
                    .isInstanceOf(NameNotFoundException.class);
            resolver.close();
            assertThat(records(4))
                    .allSatisfy(
                            record -> assertThat(record.path("end").asText()).isEqualTo("complete"));
            eventually(() -> open() == 0);
        }
    }

    /** An answer that is cut off is asked for over TCP, at the same port. */
    @Test
    void longAnswersComeOverTcp() throws Exception {
        try (TestDns dns = new TestDns()) {
            dns.set("a.example", Entry.address("10.1.2.3", 60));
            dns.truncate();
            Config config = udp(udp().responsesMax(1), "http://" + dns.address())
                    .server(server(Protocol.TCP).id("tcp").build())
                    .router(router("tcp", null, "pass").toBuilder()
                            .proxyServerId("tcp")
                            .build());
            gateway().apply(config);
            DirContext resolver = resolver();
            assertThat(ask(resolver, "a.example", "A")).isEqualTo("10.1.2.3");
            resolver.close();
            assertThat(dns.overTcp()).isEqualTo(1);
        }
    }

    /** The second server answers in place of one that is down, before the client asks again. */
    @Test
    void namesAreResolvedWhileOneServerIsDown() throws Exception {
        try (TestDns dns = new TestDns()) {
            dns.set("a.example", Entry.address("10.1.2.3", 60));
            gateway().apply(udp(udp().responsesMax(1), unreachable(), "http://" + dns.address()));
            DirContext resolver = resolver();
            for (int i = 0; i < 6; i++) {
                assertThat(ask(resolver, "a.example", "A")).isEqualTo("10.1.2.3");
            }
            resolver.close();
            assertThat(dns.asked("a.example")).isEqualTo(6);
        }
    }

    private double open() {
        try {
            return series("sigma_connections{proxy_server=\"in\"}");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A sender of syslog (RFC 5426) hears nothing, and all of its lines go to one server. */
    @Test
    void linesOfSyslogArrive() throws Exception {
        assumeTrue(Files.isExecutable(LOGGER));
        try (DatagramNode one = DatagramNode.silent();
                DatagramNode other = DatagramNode.silent()) {
            gateway().apply(udp(udp().idleTimeoutMillis(1_000), one.url(), other.url()));
            Path lines = folder.resolve("lines");
            Files.write(
                    lines,
                    IntStream.range(0, LINES).mapToObj(line -> "line " + line).toList());
            Process logger = new ProcessBuilder(
                            LOGGER.toString(),
                            "--udp",
                            "--server",
                            "127.0.0.1",
                            "--port",
                            String.valueOf(port()),
                            "--tag",
                            "sigma-test",
                            "--socket-errors=on",
                            "--file",
                            lines.toString())
                    .inheritIO()
                    .start();
            assertThat(logger.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(logger.exitValue()).isZero();
            eventually(() -> one.received().size() + other.received().size() == LINES);
            DatagramNode receiver = one.received().isEmpty() ? other : one;
            assertThat(receiver.received()).hasSize(LINES);
            assertThat(new HashSet<>(receiver.senders())).hasSize(1);
            assertThat(List.copyOf(receiver.received()).getLast())
                    .startsWith("<")
                    .contains("sigma-test", "line 19");
            assertThat(record().path("datagramsIn").asInt()).isEqualTo(LINES);
            assertThat(record().path("datagramsOut").asInt()).isZero();
        }
    }
}
