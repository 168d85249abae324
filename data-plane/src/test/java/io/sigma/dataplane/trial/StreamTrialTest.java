package io.sigma.dataplane.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.StreamMatch;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Route tests of connections without HTTP. */
final class StreamTrialTest extends TrialContract {

    private static final TestTls WEB = TestTls.create("web", "web.example");

    @BeforeEach
    void apply() throws Exception {
        Config config = new Config()
                .server(server("tcp", Protocol.TCP, 21001).build())
                .server(server("tls", Protocol.TLS, 21002).build())
                .server(server("web", Protocol.HTTPS, 21003)
                        .tls(ServerTls.builder().certificates(List.of("web")).build())
                        .build())
                .server(server("plain", Protocol.HTTP, 21004).build())
                .certificate(WEB.resource("web"))
                .router(router("inside", "tcp", StreamMatch.builder().clientAddresses(List.of("10.0.0.0/8"))))
                .router(router("mail", "tls", StreamMatch.builder().sni(List.of("mail.example"))))
                .router(router("h2", "tls", StreamMatch.builder().alpn(List.of("h2"))))
                .router(router("bank", "web", StreamMatch.builder().sni(List.of("bank.example"))))
                .pass("pass", "nodes")
                .upstream("nodes", NODE);
        apply(config);
    }

    private static ProxyServer.Builder server(String id, Protocol protocol, int port) {
        return ProxyServer.builder().id(id).host("127.0.0.1").port(port).protocol(protocol);
    }

    private static Router router(String id, String server, StreamMatch.Builder match) {
        return Router.builder()
                .id(id)
                .proxyServerId(server)
                .match(match.build())
                .proxyPassId("pass")
                .build();
    }

    @Test
    void addressOfTheClientChoosesTheRouter() {
        forwarded(test("tcp://db.example:21001").clientAddress("10.1.2.3"), "tcp", "inside");
        refused(test("tcp://db.example:21001").clientAddress("192.0.2.1"), "tcp", "No router takes the connection");
        // There is one proxy server of TCP.
        forwarded(test("tcp://db.example").clientAddress("10.1.2.3"), "tcp", "inside");
        forwarded(test("/").host("any").proxyServerId("tcp").clientAddress("10.1.2.3"), "tcp", "inside");
    }

    @Test
    void serverNameAndAlpnChooseTheRouter() {
        forwarded(test("tls://MAIL.example:21002"), "tls", "mail");
        forwarded(test("tls://mail.example:21002").alpn(List.of("h2")), "tls", "mail");
        forwarded(test("tls://other.example:21002").alpn(List.of("imap", "h2")), "tls", "h2");
        forwarded(test("tls://other.example:21002").sni("mail.example"), "tls", "mail");
        refused(test("tls://other.example:21002"), "tls", "for \"other.example\"");
        refused(test("tls://192.0.2.1:21002"), "tls", "without a server name");
    }

    @Test
    void namesThatAPortOfHttpsPassesThrough() {
        forwarded(test("tls://bank.example:21003"), "web", "bank");
        forwarded(test("https://bank.example:21003/any"), "web", "bank");
        RouteTestResult decrypted = run(test("tls://web.example:21003"));
        assertThat(decrypted.outcome()).isEqualTo(RouteTestOutcome.ANSWERED);
        assertThat(decrypted.detail()).contains("decrypts", "https URL");
        RouteTestResult http = run(test("https://web.example:21003/any"));
        assertThat(http.status()).isEqualTo(404);
    }

    @Test
    void urlOfHttpMeetsNoPortWithoutIt() {
        RouteTestResult result = run(test("http://any.example/"));
        assertThat(result.proxyServerId()).isEqualTo("plain");
        refused(test("tls://any.example"), null, "Name a proxy server");
    }
}
