package io.sigma.dataplane.testkit;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DefaultDnsResponse;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.handler.codec.dns.TcpDnsQueryDecoder;
import io.netty.handler.codec.dns.TcpDnsResponseEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A DNS server on loopback, over UDP and TCP, that answers from a zone which a test changes. */
@SuppressWarnings("ArrayRecordComponent")
public final class TestDns implements AutoCloseable {

    /** A record of the zone. */
    public record Entry(DnsRecordType type, long ttlSeconds, byte[] content) {

        public static Entry address(String literal, long ttlSeconds) {
            byte[] bytes = InetAddress.ofLiteral(literal).getAddress();
            return new Entry(bytes.length == 4 ? DnsRecordType.A : DnsRecordType.AAAA, ttlSeconds, bytes);
        }

        public static Entry service(int priority, int weight, int port, String target, long ttlSeconds) {
            ByteBuf out = Unpooled.buffer();
            out.writeShort(priority).writeShort(weight).writeShort(port);
            for (String label : target.split("\\.", -1)) {
                out.writeByte(label.length()).writeCharSequence(label, StandardCharsets.US_ASCII);
            }
            out.writeByte(0);
            byte[] content = new byte[out.readableBytes()];
            out.readBytes(content);
            return new Entry(DnsRecordType.SRV, ttlSeconds, content);
        }
    }

    private static final int PORTS_TRIED = 20;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Map<String, List<Entry>> zone = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    private final AtomicInteger overTcp = new AtomicInteger();
    private final int port;
    private volatile boolean truncating;
    private volatile boolean silent;

    public TestDns() {
        Integer both = null;
        for (int i = 0; i < PORTS_TRIED && both == null; i++) {
            both = bind();
        }
        if (both == null) {
            throw new IllegalStateException("no port is free for UDP and TCP");
        }
        port = both;
    }

    /** Returns a port that is free for TCP and UDP, null when the one that was found is not. */
    private @Nullable Integer bind() {
        Channel tcp = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new TcpDnsQueryDecoder(), new TcpDnsResponseEncoder(), new Tcp());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        int found = ((InetSocketAddress) tcp.localAddress()).getPort();
        ChannelFuture udp = new Bootstrap()
                .group(group)
                .channel(NioDatagramChannel.class)
                .handler(initializer(new DatagramDnsQueryDecoder(), new DatagramDnsResponseEncoder(), new Udp()))
                .bind(InetAddress.getLoopbackAddress(), found)
                .awaitUninterruptibly();
        if (udp.isSuccess()) {
            return found;
        }
        tcp.close();
        return null;
    }

    private static ChannelHandler initializer(ChannelHandler... handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handlers);
            }
        };
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Replaces the records of {@code name}; none means that there is no such name. */
    public void set(String name, Entry... entries) {
        zone.put(name, List.of(entries));
    }

    /** Cuts off every answer over UDP. */
    public void truncate() {
        truncating = true;
    }

    /** Answers nothing any more, or again. */
    public void silence(boolean now) {
        silent = now;
    }

    public int asked(String name) {
        return asked.computeIfAbsent(name, any -> new AtomicInteger()).get();
    }

    public int overTcp() {
        return overTcp.get();
    }

    private void fill(DnsQuery query, DnsResponse response, boolean cut) {
        DnsQuestion question = query.recordAt(DnsSection.QUESTION);
        String name = question.name().substring(0, question.name().length() - 1);
        asked.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
        response.addRecord(DnsSection.QUESTION, new DefaultDnsQuestion(question.name(), question.type()));
        response.setRecursionAvailable(true);
        List<Entry> entries = zone.getOrDefault(name, List.of());
        if (entries.isEmpty()) {
            response.setCode(DnsResponseCode.NXDOMAIN);
        } else if (cut) {
            response.setTruncated(true);
        } else {
            entries.stream()
                    .filter(entry -> entry.type().equals(question.type()))
                    .forEach(entry -> response.addRecord(DnsSection.ANSWER, record(question.name(), entry)));
        }
    }

    private static DnsRecord record(String name, Entry entry) {
        return new DefaultDnsRawRecord(name, entry.type(), entry.ttlSeconds(), Unpooled.wrappedBuffer(entry.content()));
    }

    private final class Udp extends SimpleChannelInboundHandler<DatagramDnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramDnsQuery query) {
            if (!silent) {
                // The one who was asked is the one who answers.
                DatagramDnsResponse response = new DatagramDnsResponse(
                        /* sender= */ query.recipient(), /* recipient= */ query.sender(), query.id());
                fill(query, response, truncating);
                context.writeAndFlush(response);
            }
        }
    }

    private final class Tcp extends SimpleChannelInboundHandler<DnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DnsQuery query) {
            overTcp.incrementAndGet();
            DefaultDnsResponse response = new DefaultDnsResponse(query.id());
            fill(query, response, false);
            context.writeAndFlush(response);
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
