package io.sigma.dataplane.framed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.RpcMatch;
import io.sigma.model.TextMatch;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.compiler.support.AdaptiveCompiler;
import org.apache.dubbo.common.extension.ExtensionLoader;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.ProxyFactory;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.protocol.dubbo.DubboProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client and the server of Dubbo, with a gateway between them. */
final class DubboTest extends FramedContract {

    /** What is called. */
    public interface Greetings {

        String greet(String name, int pauseMillis);

        String leave(String name);
    }

    public record Named(String name) implements Greetings {

        @Override
        public String greet(String whom, int pauseMillis) {
            try {
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return name + ": " + whom;
        }

        @Override
        public String leave(String whom) {
            return name + " without " + whom;
        }
    }

    static {
        // The other one needs access to the classes of Java.
        AdaptiveCompiler.setDefaultCompiler("jdk");
        ApplicationModel.getServiceRepository().registerService(Greetings.class);
    }

    private static final ProxyFactory PROXIES =
            ExtensionLoader.getExtensionLoader(ProxyFactory.class).getExtension("jdk");

    private final DubboProtocol dubbo = new DubboProtocol();
    private final List<Exporter<?>> exported = new ArrayList<>();

    @Override
    Protocol protocol() {
        return Protocol.DUBBO;
    }

    /** Clients connect to an address of the machine where a URL names the loopback. */
    @Override
    ProxyServer.Builder server() {
        return super.server().host("0.0.0.0");
    }

    @AfterEach
    void stop() {
        exported.forEach(Exporter::unexport);
        dubbo.destroy();
    }

    private static URL url(int port) {
        return URL.valueOf("dubbo://127.0.0.1:" + port + "/" + Greetings.class.getName() + "?interface="
                + Greetings.class.getName() + "&timeout=10000&connections=1&codec=dubbo&heartbeat=60000"
                + "&qos.enable=false");
    }

    /** Returns the URL of a server that answers with {@code name}. */
    private String serve(String name) {
        int port = Config.freePort();
        exported.add(dubbo.export(PROXIES.getInvoker(new Named(name), Greetings.class, url(port))));
        return node(port);
    }

    private Greetings client(int port) {
        Invoker<Greetings> invoker = dubbo.refer(Greetings.class, url(port));
        // The proxies of Dubbo need access to the classes of Java.
        return (Greetings) Proxy.newProxyInstance(
                Greetings.class.getClassLoader(),
                new Class<?>[] {Greetings.class},
                (proxy, method, arguments) -> invoker.invoke(new RpcInvocation(
                                method.getName(),
                                Greetings.class.getName(),
                                Greetings.class.getName(),
                                method.getParameterTypes(),
                                arguments))
                        .recreate());
    }

    @Test
    void requestsAreAnswered() {
        gateway().apply(passing(serve("a")));
        Greetings greetings = client(port());
        for (int i = 0; i < 50; i++) {
            assertThat(greetings.greet("b" + i, 0)).isEqualTo("a: b" + i);
        }
        String large = "x".repeat(200_000);
        assertThat(greetings.greet(large, 0)).isEqualTo("a: " + large);
        JsonNode record = records(51).getFirst();
        assertThat(record.path("protocol").asText()).isEqualTo("DUBBO/2");
        assertThat(record.path("path").asText()).isEqualTo(Greetings.class.getName());
        assertThat(record.path("method").asText()).isEqualTo("greet");
        assertThat(record.path("status").asInt()).isEqualTo(200);
        assertThat(record.path("rpcStatus").asInt()).isEqualTo(20);
    }

    @Test
    void eachGetsItsOwnAnswer() {
        gateway().apply(passing(serve("a")));
        Greetings greetings = client(port());
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String name = "b" + i;
            int pause = 40 - i;
            calls.add(CompletableFuture.supplyAsync(() -> greetings.greet(name, pause), Thread::startVirtualThread));
        }
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).join()).isEqualTo("a: b" + i);
        }
    }

    @Test
    void serviceAndMethodChooseTheNode() {
        gateway()
                .apply(passing(serve("rest"))
                        .router(router(
                                "leave",
                                RpcMatch.builder()
                                        .service(TextMatch.builder()
                                                .prefix("io.sigma.")
                                                .build())
                                        .method(TextMatch.builder()
                                                .value("leave")
                                                .build())
                                        .build(),
                                "to-leave"))
                        .pass("to-leave", "leave")
                        .upstream("leave", serve("leaves")));
        Greetings greetings = client(port());
        assertThat(greetings.leave("b")).isEqualTo("leaves without b");
        assertThat(greetings.greet("b", 0)).isEqualTo("rest: b");
    }

    @Test
    void errorsAreThoseOfTheProtocol() {
        Config config = passing(node(Config.freePort()));
        gateway().apply(config);
        Greetings greetings = client(port());
        assertThatThrownBy(() -> greetings.greet("b", 0))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("No node of the upstream could be reached");
        gateway()
                .apply(config.upstream("nodes", serve("a"))
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .timeouts(Timeouts.builder()
                                                .responseMillis(200)
                                                .build())
                                        .build()));
        assertThatThrownBy(() -> greetings.greet("b", 3_000))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.isTimeout()).isTrue());
        assertThat(records(2).getLast().path("error").asText()).isEqualTo("response_timeout");
        assertThat(greetings.greet("b", 0)).isEqualTo("a: b");
    }
}
