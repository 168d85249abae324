package io.sigma.dataplane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sigma.dataplane.GatewayEngine;
import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.tls.NodeTls;
import io.sigma.dataplane.engine.tls.TlsEngines;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.AddressGuard;
import io.sigma.value.NodeUrl;
import io.vertx.core.Vertx;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Attempts to connect that fail before there is a connection, and what a dialer does while the gateway ends. */
final class NodeDialerTest {

    private static final int FILLERS = 8;

    private final List<Socket> fillers = new ArrayList<>();
    private final List<Vertx> opened = new ArrayList<>();
    private final SocketBudget sockets = new SocketBudget(100);
    private GatewayEngine engine;
    private ServerSocket node;

    @BeforeEach
    void start() throws Exception {
        start(Transport.NIO);
        node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private void start(Transport transport) {
        Vertx vertx = Vertx.builder().withTransport(transport).build();
        opened.add(vertx);
        engine = new GatewayEngine(
                vertx,
                1,
                GatewaySettings.Tls.AUTO,
                id -> null,
                path -> null,
                new AddressGuard(List.of(), List.of(), port -> false),
                sockets,
                MemoryBudget.unlimited(),
                SpoolFiles.none());
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket filler : fillers) {
            filler.close();
        }
        node.close();
        for (Vertx each : opened) {
            each.close().await(30, TimeUnit.SECONDS);
        }
    }

    private CompletableFuture<PooledConnection> dial() {
        CompletableFuture<PooledConnection> outcome = new CompletableFuture<>();
        engine.eventLoops()
                .getFirst()
                .scheduler()
                .execute(() -> connect(engine.connector(), outcome::complete, outcome::completeExceptionally));
        return outcome;
    }

    private void connect(Connector connector, Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed) {
        NodeEndpoint.Key key = new NodeEndpoint.Key(
                "nodes",
                NodeUrl.parse("http://127.0.0.1:" + node.getLocalPort()),
                Pool.builder().build(),
                ClientTls.builder().build(),
                NodeProtocol.AUTO,
                null,
                false);
        Loop loop = engine.eventLoops().getFirst();
        NodeEndpoint endpoint = new NodeEndpoint(key, engine.connector(), engine.eventLoops());
        connector.connect(endpoint, loop, onConnected, onFailed);
    }

    /** Takes all places of those who wait to be accepted: whoever connects next is not answered. */
    private void fill() throws Exception {
        for (int i = 0; i < FILLERS; i++) {
            Socket filler = new Socket();
            fillers.add(filler);
            try {
                filler.connect(new InetSocketAddress(node.getInetAddress(), node.getLocalPort()), 200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
        throw new AssertionError(FILLERS + " connections were taken that nobody accepts");
    }

    @Test
    void connectionOnItsWayFailsWhenTheDialerCloses() throws Exception {
        fill();
        CompletableFuture<PooledConnection> dialed = dial();
        engine.close();
        assertThatThrownBy(() -> dialed.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void closedDialerOpensNothing() {
        engine.close();
        assertThatThrownBy(() -> dial().get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void connectionThatGetsNoDescriptorFails() throws Exception {
        start(new NoDescriptors());
        assertThatThrownBy(() -> dial().get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("Too many open files");
        assertThat(sockets.open()).isZero();
    }

    @Test
    void attemptThatFailsAfterItsLoopHasEndedThrowsNowhere() throws Exception {
        start(new NoDescriptors());
        VertxInternal vertx = (VertxInternal) opened.getLast();
        TlsEngines engines = TlsEngines.of(GatewaySettings.Tls.AUTO);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoop loop = group.next();
        NodeDialer dialer = new NodeDialer(
                vertx.transport(),
                new NodeTls(vertx, engines, id -> null, path -> null),
                new Destinations(vertx, new AddressGuard(List.of(), List.of(), port -> false)),
                sockets,
                List.of(new Http1Loop(loop)),
                List.of());
        Logger logger = (Logger) LoggerFactory.getLogger(DefaultPromise.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        CountDownLatch ended = new CountDownLatch(1);
        try {
            // Netty reports on this thread that no channel could be made.
            Future<Boolean> held = GlobalEventExecutor.INSTANCE.submit(() -> ended.await(30, TimeUnit.SECONDS));
            loop.submit(() -> connect(dialer.connector(), connection -> {}, failed -> {}))
                    .get(10, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            assertThat(loop.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            ended.countDown();
            assertThat(held.get(10, TimeUnit.SECONDS)).isTrue();
            GlobalEventExecutor.INSTANCE.submit(() -> {}).get(10, TimeUnit.SECONDS);
            assertThat(said.list).isEmpty();
            assertThat(sockets.open()).isZero();
        } finally {
            ended.countDown();
            logger.detachAppender(said);
        }
    }

    /** NIO in a process that may open no more sockets. */
    private static final class NoDescriptors extends NioTransport implements Transport {

        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
            return () -> {
                throw new ChannelException("Too many open files");
            };
        }

        @Override
        public String name() {
            return "none";
        }

        @Override
        public @Nullable Throwable unavailabilityCause() {
            return null;
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public io.vertx.core.spi.transport.Transport implementation() {
            return this;
        }
    }
}
