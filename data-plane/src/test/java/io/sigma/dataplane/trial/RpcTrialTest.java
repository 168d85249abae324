package io.sigma.dataplane.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.model.HeaderField;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.RouteTestResult;
import io.sigma.model.Router;
import io.sigma.model.RpcCondition;
import io.sigma.model.RpcMatch;
import io.sigma.model.StreamMatch;
import io.sigma.model.TextMatch;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Route tests of requests in frames. */
final class RpcTrialTest extends TrialContract {

    @BeforeEach
    void apply() throws Exception {
        RpcCondition.Builder pair = RpcCondition.builder().name("service");
        Config config = new Config()
                .server(server("bolt", Protocol.BOLT, 21001))
                .server(server("dubbo", Protocol.DUBBO, 21002))
                .server(server("thrift", Protocol.THRIFT, 21003))
                .server(server("web", Protocol.HTTP, 21004))
                .router(router("class", "bolt", RpcMatch.builder().service(value("com.example.Order$Paid"))))
                .router(router(
                        "pair",
                        "bolt",
                        RpcMatch.builder()
                                .headers(List.of(pair.prefix("com.example.").build()))))
                .router(router("orders", "dubbo", RpcMatch.builder().service(value("com.example.Orders"))))
                .router(router(
                        "pay",
                        "dubbo",
                        RpcMatch.builder().service(value("com.example.Orders")).method(value("pay"))))
                .router(router("add", "thrift", RpcMatch.builder().method(value("add"))))
                .pass("pass", "nodes")
                .upstream("nodes", NODE);
        apply(config);
    }

    private static ProxyServer server(String id, Protocol protocol, int port) {
        return ProxyServer.builder()
                .id(id)
                .host("127.0.0.1")
                .port(port)
                .protocol(protocol)
                .build();
    }

    private static TextMatch value(String text) {
        return TextMatch.builder().value(text).build();
    }

    private static Router router(String id, String server, RpcMatch.Builder match) {
        return Router.builder()
                .id(id)
                .proxyServerId(server)
                .match(StreamMatch.builder().rpc(match.build()).build())
                .proxyPassId("pass")
                .build();
    }

    @Test
    void classAndHeaderPairsChooseTheRouter() {
        forwarded(test("bolt://rpc.example:21001/com.example.Order$Paid"), "bolt", "class");
        forwarded(test("BOLT://rpc.example/com.example.Order%24Paid"), "bolt", "class");
        forwarded(test("bolt://[::1]:21001/any").headers(pairs("service", "com.example.Orders")), "bolt", "pair");
        refused(
                test("bolt://rpc.example:21001/any").headers(pairs("Service", "com.example.Orders")),
                "bolt",
                "\"any\"");
        refused(test("bolt://rpc.example:21001"), "bolt", "without a service");
    }

    private static List<HeaderField> pairs(String name, String value) {
        return List.of(HeaderField.builder().name(name).value(value).build());
    }

    @Test
    void serviceAndMethodChooseTheRouter() {
        forwarded(test("dubbo://rpc.example:21002/com.example.Orders/pay"), "dubbo", "pay");
        forwarded(test("dubbo://rpc.example:21002/com.example.Orders/find"), "dubbo", "orders");
        refused(test("dubbo://rpc.example:21002/com.example.Stock/pay"), "dubbo", "method \"pay\"");
        forwarded(test("thrift://rpc.example:21003//add"), "thrift", "add");
        forwarded(test("thrift://rpc.example:21003/Calculator/add"), "thrift", "add");
        refused(test("thrift://rpc.example:21003/Calculator/add/"), "thrift", "No router takes the request");
    }

    @Test
    void proxyServerMayBeNamed() {
        forwarded(test("/com.example.Orders/pay").host("any").proxyServerId("dubbo"), "dubbo", "pay");
        RouteTestResult http = run(test("http://any.example/com.example.Orders"));
        assertThat(http.proxyServerId()).isEqualTo("web");
    }
}
