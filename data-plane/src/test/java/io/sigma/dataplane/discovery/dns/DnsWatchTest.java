package io.sigma.dataplane.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.loop.LogLines;
import io.sigma.dataplane.testkit.TestDns;
import io.sigma.dataplane.testkit.TestDns.Entry;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.DnsServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DnsWatchTest {

    private static final String NAME = "shop.test";
    private static final int NODES = 100;
    private static final int LINES_MAX = 10;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop real = group.next();
    /** The pauses before the next questions, in milliseconds. */
    private final BlockingQueue<Long> pauses = new LinkedBlockingQueue<>();

    private final EventLoop loop = (EventLoop) Proxy.newProxyInstance(
            EventLoop.class.getClassLoader(), new Class<?>[] {EventLoop.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("schedule")) {
                    pauses.add((Long) arguments[1]);
                }
                try {
                    return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    @AfterEach
    void endLoop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** What cannot even be asked, such as for a lack of sockets, is asked again like what has no answer. */
    @Test
    void aNameThatCannotBeAskedForIsAskedForAgain() throws Exception {
        try (DnsNameResolver resolver = new DnsNameResolverBuilder(real)
                .datagramChannelType(NioDatagramChannel.class)
                .build()) {
            // No label is empty: the question itself cannot be made.
            DnsWatch watch = watch(settings().name("shop..test").build(), resolver, nodes -> {});
            assertThat(pauses.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(pauses.poll(20, TimeUnit.SECONDS)).isNotNull();
            watch.close();
        }
    }

    /** Each new node costs pools, states and reports. */
    @Test
    void aNameWithNewNodesInEachAnswerIsAskedForLater() throws Exception {
        try (TestDns dns = new TestDns();
                DnsNameResolver resolver = new DnsNameResolverBuilder(real)
                        .datagramChannelType(NioDatagramChannel.class)
                        .nameServerProvider(
                                new SequentialDnsServerAddressStreamProvider(DnsServer.parse(dns.address())))
                        .build()) {
            AtomicInteger answers = new AtomicInteger();
            dns.set(NAME, others(answers.get()));
            DnsWatch watch =
                    watch(settings().build(), resolver, nodes -> dns.set(NAME, others(answers.incrementAndGet())));
            assertThat(pauses.poll(20, TimeUnit.SECONDS)).isEqualTo(50);
            assertThat(pauses.poll(20, TimeUnit.SECONDS)).isEqualTo(5 * NODES);
            watch.close();
        }
    }

    private static NodeDiscovery.Builder settings() {
        return NodeDiscovery.builder().type("DNS").url("http://" + NAME).refreshMillisMin(50);
    }

    private DnsWatch watch(NodeDiscovery settings, DnsNameResolver resolver, Consumer<List<DiscoveredNode>> found) {
        DnsWatch watch = new DnsWatch(settings, resolver, loop, found, new LogLines(LINES_MAX));
        watch.start();
        return watch;
    }

    private static Entry[] others(int answer) {
        return IntStream.range(0, NODES)
                .mapToObj(i -> Entry.address("127.1." + answer + "." + (i + 1), 0))
                .toArray(Entry[]::new);
    }
}
