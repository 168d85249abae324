package io.sigma.dataplane.discovery.dns;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.discovery.Discovery;
import io.sigma.dataplane.loop.LogLines;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.DnsServer;
import io.sigma.value.NodeUrl;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Nodes from DNS. Nothing is cached: every watch asks again when its records have lived their time. Thread-safe. */
public final class DnsDiscovery implements Discovery {

    /** DNS servers decide how often they have no answer. */
    private static final int LINES_MAX = 100;

    private final LogLines lines = new LogLines(LINES_MAX);

    // Guarded by this.
    private @Nullable EventLoopGroup group;
    private final Map<List<Object>, DnsNameResolver> resolvers = new HashMap<>();

    @Override
    public String type() {
        return "DNS";
    }

    @Override
    public Watch watch(NodeDiscovery settings, Consumer<List<DiscoveredNode>> found) {
        EventLoop loop = loop();
        DnsWatch watch = new DnsWatch(settings, resolver(settings, loop), loop, found, lines);
        watch.start();
        return watch;
    }

    /** Asks nobody. */
    @Override
    public void check(NodeDiscovery settings) {
        String url = settings.url();
        if (url == null) {
            throw new IllegalArgumentException("url: absent (expected: a URL with the name to look up)");
        }
        NodeUrl.parse(url);
        settings.servers().forEach(DnsServer::parse);
    }

    private synchronized EventLoop loop() {
        EventLoopGroup running = group;
        if (running == null) {
            running = new MultiThreadIoEventLoopGroup(
                    1, Thread.ofPlatform().name("sigma-dns").daemon().factory(), NioIoHandler.newFactory());
            group = running;
        }
        return running.next();
    }

    /** Returns the one resolver that asks these servers; there are as few as different settings. */
    private synchronized DnsNameResolver resolver(NodeDiscovery settings, EventLoop loop) {
        return resolvers.computeIfAbsent(List.of(settings.servers(), settings.timeoutMillis()), key -> {
            DnsNameResolverBuilder builder = new DnsNameResolverBuilder(loop)
                    .datagramChannelType(NioDatagramChannel.class)
                    // An answer that is cut off in a datagram is asked for again over TCP (RFC 7766).
                    .socketChannelType(NioSocketChannel.class)
                    .queryTimeoutMillis(settings.timeoutMillis())
                    .resolveCache(NoopDnsCache.INSTANCE)
                    .cnameCache(NoopDnsCnameCache.INSTANCE)
                    .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE);
            if (!settings.servers().isEmpty()) {
                InetSocketAddress[] servers =
                        settings.servers().stream().map(DnsServer::parse).toArray(InetSocketAddress[]::new);
                builder.nameServerProvider(new SequentialDnsServerAddressStreamProvider(servers));
            }
            return builder.build();
        });
    }

    @Override
    public synchronized void close() {
        resolvers.values().forEach(DnsNameResolver::close);
        resolvers.clear();
        if (group != null) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            group = null;
        }
    }
}
