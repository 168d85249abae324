package io.sigma.dataplane.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.sigma.model.NodeDiscovery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DnsWatchTest {

    /** What cannot even be asked, such as for a lack of sockets, is asked again like what has no answer. */
    @Test
    void aNameThatCannotBeAskedForIsAskedForAgain() throws Exception {
        CountDownLatch scheduled = new CountDownLatch(2);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoop real = group.next();
        EventLoop loop = (EventLoop) Proxy.newProxyInstance(
                EventLoop.class.getClassLoader(), new Class<?>[] {EventLoop.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("schedule")) {
                        scheduled.countDown();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (DnsNameResolver resolver = new DnsNameResolverBuilder(real)
                .datagramChannelType(NioDatagramChannel.class)
                .build()) {
            NodeDiscovery settings = NodeDiscovery.builder()
                    .type("DNS")
                    .url("http://shop.test")
                    // No label is empty: the question itself cannot be made.
                    .name("shop..test")
                    .refreshMillisMin(50)
                    .build();
            DnsWatch watch = new DnsWatch(settings, resolver, loop, nodes -> {});
            watch.start();
            assertThat(scheduled.await(20, TimeUnit.SECONDS)).isTrue();
            watch.close();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
