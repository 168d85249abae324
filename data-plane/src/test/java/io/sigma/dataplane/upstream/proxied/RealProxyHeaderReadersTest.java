package io.sigma.dataplane.upstream.proxied;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientAuth;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HAProxy and nginx, where the machine has them, take the header and say what it told them. */
final class RealProxyHeaderReadersTest extends ProxyHeaderContract {

    private static final Path HAPROXY = Path.of("/usr/sbin/haproxy");
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final int PATIENCE = 200;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroy();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void run(int port, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Files.createTempFile(folder, "log", ".txt").toFile())
                .start();
        processes.add(process);
        for (int i = 0; !isOpen(port); i++) {
            assertThat(process.isAlive() && i < PATIENCE).isTrue();
            Thread.sleep(50);
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private int haproxy(String bind) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(HAPROXY));
        int node = Config.freePort();
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), """
                defaults
                  mode http
                  timeout client 10s
                  timeout connect 10s
                  timeout server 10s
                frontend told
                  bind 127.0.0.1:%d accept-proxy %s
                  http-request return status 200 content-type text/plain lf-string \
                  "%%[src]:%%[src_port] %%[dst]:%%[dst_port] %%[fc_pp_authority] %%[fc_rcvd_proxy]"
                """.formatted(node, bind));
        run(node, HAPROXY.toString(), "-db", "-f", file.toString());
        return node;
    }

    private int nginx() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(NGINX));
        int node = Config.freePort();
        Path home = Files.createDirectories(folder.resolve("nginx"));
        Path file = Files.writeString(home.resolve("nginx.conf"), """
                daemon off;
                pid %1$s/nginx.pid;
                error_log stderr;
                events {}
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  server {
                    listen 127.0.0.1:%2$d proxy_protocol;
                    return 200 "$proxy_protocol_addr:$proxy_protocol_port $proxy_protocol_server_addr:$proxy_protocol_server_port";
                  }
                }
                """.formatted(home, node));
        run(node, NGINX.toString(), "-e", "stderr", "-p", home.toString(), "-c", file.toString());
        return node;
    }

    private Config checked(String url, NodeProxyProtocol version) {
        return edited(
                forwarding(url),
                upstream -> upstream.proxyProtocol(version)
                        .tls(ClientTls.builder().verify(false).build())
                        .healthCheck(HealthCheck.builder().intervalMillis(100).build()));
    }

    private void reads(String url, NodeProxyProtocol version, String end) throws Exception {
        gateway().apply(checked(url, version));
        for (int i = 0; i < 3; i++) {
            try (RawClient client = RawClient.connect(port())) {
                for (int request = 0; request < 2; request++) {
                    client.send(REQUEST);
                    assertThat(client.read().text()).isEqualTo(own(client) + " 127.0.0.1:" + port() + end);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void haproxyReadsTheHeader(NodeProxyProtocol version) throws Exception {
        reads("http://127.0.0.1:" + haproxy(""), version, "  1");
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void haproxyReadsTheHeaderBeforeTls(NodeProxyProtocol version) throws Exception {
        TestTls own = TestTls.create("node");
        Path pem = folder.resolve("node.pem");
        Files.writeString(
                pem,
                Files.readString(own.writeCertificate(folder.resolve("c.pem")))
                        + Files.readString(own.writeKey(folder.resolve("k.pem"))));
        reads("https://127.0.0.1:" + haproxy("ssl crt " + pem), version, "  1");
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void nginxReadsTheHeader(NodeProxyProtocol version) throws Exception {
        reads("http://127.0.0.1:" + nginx(), version, "");
    }

    /** HAProxy refuses a header whose checksum is wrong. */
    @Test
    void haproxyReadsWhatIsToldOfTls() throws Exception {
        TestTls known = TestTls.create("known client");
        ServerTls tls = ServerTls.builder()
                .clientAuth(ClientAuth.REQUIRED)
                .clientCa(known.resource("x").chain())
                .build();
        gateway().apply(told(encrypted(tls, "http://127.0.0.1:" + haproxy("")), NodeProxyProtocol.V2));
        try (RawClient client = new RawClient(connect(client(known), "shop.example.com", "http/1.1"))) {
            client.send(GET);
            assertThat(client.read().text()).isEqualTo(own(client) + " 127.0.0.1:" + port() + " shop.example.com 1");
        }
    }
}
