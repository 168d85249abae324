package io.sigma.dataplane.engine.vertx;

import io.netty.channel.EventLoop;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.MirrorEnd;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.engine.relay.Call;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.engine.relay.MirrorCall;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.HealthProber;
import io.sigma.dataplane.upstream.SocketBudget;
import io.sigma.model.ProxyServer;
import io.sigma.value.AddressGuard;
import io.sigma.value.CertifiedKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.net.BindException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** HTTP through Vert.x's own server and client. */
public final class VertxEngine implements Engine {

    /** The kernel may free the address of a listener a moment after it was closed, so it is tried again for 350 ms. */
    private static final int ADDRESS_TRIES = 8;

    private static final long ADDRESS_PAUSE_MILLIS = 50;

    private final VertxInternal vertx;
    private final List<VertxLoop> loops;
    private final boolean nativeHttp1;
    private final TlsEngines tls;
    private final NodeClients clients;
    private final NodeProbes probes;
    private final SocketBudget sockets;
    private final SpoolFiles spools;
    private final SharedPorts sharedPorts = new SharedPorts();

    /**
     * @param loopsWanted event loops that carry traffic; fewer when {@code vertx} has fewer
     * @param nativeHttp1 whether HTTP/1.1, and HTTP/2 with clients, is spoken by the gateway's own codecs instead of those of
     *     Vert.x
     * @param tls what encrypts connections
     * @param keys returns the certificate that is shown to nodes at present, by id; null when there is none
     * @param authorities returns what a file of authorities of nodes contains, by path; null when it was not read yet
     * @param addresses where nothing may be connected to
     * @param sockets what connections of clients and to nodes are counted in
     * @param memory what connections may hold for their peers
     * @param spools where responses wait for slow clients
     */
    public VertxEngine(
            Vertx vertx,
            int loopsWanted,
            boolean nativeHttp1,
            GatewaySettings.Tls tls,
            Function<String, @Nullable CertifiedKey> keys,
            Function<String, @Nullable String> authorities,
            AddressGuard addresses,
            SocketBudget sockets,
            MemoryBudget memory,
            SpoolFiles spools) {
        this.spools = spools;
        this.sockets = sockets;
        this.nativeHttp1 = nativeHttp1;
        this.tls = TlsEngines.of(tls);
        this.vertx = (VertxInternal) vertx;
        this.loops = VertxLoop.pick(this.vertx, loopsWanted, memory);
        Destinations destinations = new Destinations(this.vertx, addresses);
        this.clients = new NodeClients(
                this.vertx,
                new NodeTls(keys, authorities),
                this.tls,
                destinations,
                sockets,
                nativeHttp1 ? loops.stream().map(VertxLoop::http1).toList() : List.of());
        this.probes = new NodeProbes(
                vertx, VertxLoop.spare(this.vertx, loops), new NodeTls(keys, authorities), this.tls, destinations);
    }

    @Override
    public List<Loop> eventLoops() {
        return loops.stream().map(VertxLoop::loop).toList();
    }

    @Override
    public Executor spareLoop() {
        ContextInternal spare = VertxLoop.spare(vertx, loops);
        return task -> spare.runOnContext(ignored -> task.run());
    }

    @Override
    public Connector connector() {
        return clients;
    }

    @Override
    public HealthProber prober() {
        return probes;
    }

    @Override
    public Future<ListenerHandle> open(ProxyServer source, @Nullable TlsMaterial tls, ServerBinding binding) {
        return open(source, tls, new BudgetedBinding(binding, sockets), ADDRESS_TRIES);
    }

    private Future<ListenerHandle> open(
            ProxyServer source, @Nullable TlsMaterial tls, ServerBinding binding, int tries) {
        return VertxListener.open(this, source, tls, binding)
                .<ListenerHandle>map(listener -> listener)
                .recover(cause -> tries > 1 && cause instanceof BindException
                        ? vertx.timer(ADDRESS_PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                                .compose(ignored -> open(source, tls, binding, tries - 1))
                        : Future.failedFuture(cause));
    }

    @Override
    public void check(ProxyServer source, @Nullable TlsMaterial material) throws GeneralSecurityException {
        ServerOptions.set(new HttpServerOptions(), source);
        if (material != null) {
            new ListenerTls(material, source.http2(), tls).check(vertx);
        }
    }

    @Override
    public void call(Exchange exchange, Forward forward, ForwardEvents events) {
        client(exchange).call(forward, events);
    }

    @Override
    public boolean isReplayable(Exchange exchange) {
        return client(exchange).body().isReplayable();
    }

    @Override
    public void relay(Exchange exchange, ResponseHead head) {
        Call call = client(exchange).call();
        if (call != null) {
            call.relay(head);
        }
    }

    @Override
    public void tunnel(Exchange exchange, ResponseHead head) {
        Call call = client(exchange).call();
        if (call != null) {
            call.tunnel(head);
        }
    }

    @Override
    public void mirror(Exchange exchange, Forward forward, int bodyBytesMax, int timeoutMillis, MirrorEnd onEnd) {
        new MirrorCall(client(exchange), forward, onEnd).start(bodyBytesMax, timeoutMillis);
    }

    @Override
    public void cancel(Exchange exchange) {
        client(exchange).cancelCall();
    }

    private static ClientStream client(Exchange exchange) {
        return (ClientStream) exchange.downstream();
    }

    @Override
    public void close() {
        probes.close();
        clients.close();
    }

    VertxInternal vertx() {
        return vertx;
    }

    /** Returns whether HTTP/1.1, and HTTP/2 with clients, is spoken by the gateway's own codecs. */
    boolean nativeHttp1() {
        return nativeHttp1;
    }

    SpoolFiles spools() {
        return spools;
    }

    /** Returns what encrypts connections. */
    TlsEngines tls() {
        return tls;
    }

    List<VertxLoop> loops() {
        return loops;
    }

    /** Returns whether several sockets can listen at one address, each getting its part of the connections. */
    boolean canSharePorts() {
        return vertx.isNativeTransportEnabled() && System.getProperty("os.name").equals("Linux");
    }

    SharedPorts sharedPorts() {
        return sharedPorts;
    }

    /** Returns the one whose thread {@code eventLoop} is. */
    @SuppressWarnings("ReferenceEquality") // A loop is a thread.
    VertxLoop loopOf(EventLoop eventLoop) {
        for (VertxLoop loop : loops) {
            if (loop.context().nettyEventLoop() == eventLoop) {
                return loop;
            }
        }
        throw new IllegalStateException("no loop of the gateway: " + eventLoop);
    }
}
