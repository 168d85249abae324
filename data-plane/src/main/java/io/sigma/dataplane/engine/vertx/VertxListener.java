package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.engine.http2.Http2Link;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One server on each event loop, all on one port. Thread-safe. */
final class VertxListener implements ListenerHandle {

    /** Name that Vert.x gives it. */
    static final String HTTP1_DECODER = "httpDecoder";

    private final VertxEngine engine;
    private final ProxyServer source;
    private final List<Open> open = new ArrayList<>();
    private final @Nullable ListenerTls tls;
    private final boolean ownSockets;
    /** Whether the address is given back: whoever closes it again must not give back that of another listener. */
    private final AtomicBoolean released = new AtomicBoolean();

    /**
     * What is open on one loop.
     *
     * @param plain has the connections that Vert.x does not; null where it has all
     */
    private record Open(
            VertxLoop loop,
            ServerOptions options,
            HttpServer server,
            @Nullable PlainListener plain) {}

    private VertxListener(VertxEngine engine, ProxyServer source, @Nullable ListenerTls tls) {
        this.engine = engine;
        this.source = source;
        this.tls = tls;
        // With TLS all loops share one context, and with it the keys of tickets, which is one of Vert.x to a socket.
        this.ownSockets = tls == null && engine.loops().size() > 1 && engine.canSharePorts();
    }

    /**
     * Opens a listener.
     *
     * @return fails when the address cannot be bound or the authorities cannot be used; nothing is open then
     */
    static Future<VertxListener> open(
            VertxEngine engine, ProxyServer source, @Nullable TlsMaterial material, ServerBinding binding) {
        ListenerTls tls = material == null ? null : new ListenerTls(material, source.http2(), engine.tls());
        return new VertxListener(engine, source, tls).open(binding);
    }

    private Future<VertxListener> open(ServerBinding binding) {
        // All of them before the first one accepts: its connections look among them, and what fails leaves nothing
        // open.
        for (VertxLoop loop : engine.loops()) {
            open.add(create(loop, binding));
        }
        if (ownSockets) {
            try {
                engine.sharedPorts().claim(source.host(), source.port());
            } catch (IOException e) {
                return Future.failedFuture(e);
            }
        }
        List<Future<HttpServer>> opening = new ArrayList<>();
        for (Open created : open) {
            opening.add(listen(created));
        }
        return Future.join(opening)
                .map(this)
                .recover(cause -> close(0).transform(ignored -> Future.failedFuture(cause)));
    }

    private Future<HttpServer> listen(Open created) {
        Promise<HttpServer> promise = Promise.promise();
        created.loop.context().runOnContext(ignored -> {
            if (created.plain != null) {
                created.loop.plainPorts().add(address(), created.plain);
            }
            created.server.listen(source.port(), source.host()).onComplete(promise);
        });
        return promise.future();
    }

    private String address() {
        return source.host() + ":" + source.port();
    }

    private Open create(VertxLoop loop, ServerBinding binding) {
        ServerOptions options = new ServerOptions(source, binding);
        options.http().setReusePort(ownSockets);
        if (tls != null) {
            tls.apply(options.http());
        }
        PlainListener plain =
                engine.nativeHttp1() && tls == null ? new PlainListener(engine, loop, binding, options) : null;
        Function<ConnectionBase, Http2Link> links = socket -> Http2Link.create(
                new ClientConnection(engine, loop, binding, tls, socket),
                loop.http1().flusher());
        VertxInternal guarded = new GuardedVertx(
                engine,
                binding,
                loop,
                options,
                this::optionsOf,
                plain == null ? null : address(),
                engine.nativeHttp1() ? links : null);
        HttpServer server = new HttpServerImpl(guarded, options.http());
        server.requestHandler(request -> {
            throw new IllegalStateException("each connection has a handler of its own");
        });
        server.connectionHandler(connection -> {
            ConnectionBase socket = (ConnectionBase) connection;
            ClientConnection client = new ClientConnection(engine, loop, binding, tls, socket);
            onConnection((HttpServerConnection) connection, socket.channel(), client);
        });
        return new Open(loop, options, server, plain);
    }

    /** Returns the options of the server of the loop that {@code accepted} is on. */
    @SuppressWarnings("ReferenceEquality") // A loop is a thread.
    private ServerOptions optionsOf(Channel accepted) {
        for (Open each : open) {
            if (each.loop.context().nettyEventLoop() == accepted.eventLoop()) {
                return each.options;
            }
        }
        throw new IllegalStateException("no loop of the listener: " + accepted.eventLoop());
    }

    private void onConnection(HttpServerConnection connection, Channel channel, ClientConnection client) {
        connection.handler(client::onRequest);
        connection.invalidRequestHandler(client::onInvalidRequest);
        Http2HeadGuard.guard(channel);
        boolean http1 = channel.pipeline().get(HTTP1_DECODER) != null;
        if (http1 && engine.nativeHttp1()) {
            boolean sendsFiles = tls == null && engine.vertx().transport().supportFileRegion();
            new ClientLink(client, client.vertxLoop().http1(), sendsFiles).install(channel.pipeline());
        } else if (http1) {
            if (channel.pipeline().get(Http1Guard.NAME) == null) {
                channel.pipeline().addBefore("handler", Http1Guard.NAME, Http1Guard.INSTANCE);
            }
            channel.pipeline().addBefore("handler", null, new BodyGuard(client));
            UnpooledCopy.guard(channel);
        }
    }

    @Override
    public Future<Void> changeTls(ProxyServer next, TlsMaterial material) {
        // All servers of a port share one context, that of the first.
        Open first = open.getFirst();
        return tls == null
                ? Future.succeededFuture()
                : tls.change(material, next.http2(), first.server, first.options.http());
    }

    @Override
    public Future<Void> close(long drainMillis) {
        return Future.join(open.stream().map(each -> close(each, drainMillis)).toList())
                .<Void>mapEmpty()
                .andThen(ignored -> {
                    if (ownSockets && released.compareAndSet(false, true)) {
                        engine.sharedPorts().release(source.host(), source.port());
                    }
                });
    }

    private Future<Void> close(Open closing, long drainMillis) {
        Promise<Void> promise = Promise.promise();
        closing.loop.context().runOnContext(ignored -> {
            PlainListener plain = closing.plain;
            if (plain != null) {
                closing.loop.plainPorts().remove(address(), plain);
            }
            Future<Void> closed = closing.server.shutdown(drainMillis, TimeUnit.MILLISECONDS);
            (plain == null
                            ? closed
                            : Future.join(closed, plain.shutdown(drainMillis)).<Void>mapEmpty())
                    .onComplete(promise);
        });
        return promise.future();
    }
}
