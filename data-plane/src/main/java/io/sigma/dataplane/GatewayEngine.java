package io.sigma.dataplane;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.MirrorEvents;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.engine.accept.BudgetedBinding;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.accept.ListeningSockets;
import io.sigma.dataplane.engine.accept.TrafficLoop;
import io.sigma.dataplane.engine.client.HttpLoop;
import io.sigma.dataplane.engine.client.HttpProtocol;
import io.sigma.dataplane.engine.datagram.DatagramLoop;
import io.sigma.dataplane.engine.datagram.DatagramSockets;
import io.sigma.dataplane.engine.framed.FramedListener;
import io.sigma.dataplane.engine.framed.FramedLoop;
import io.sigma.dataplane.engine.node.Destinations;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.dataplane.engine.node.NodeProbes;
import io.sigma.dataplane.engine.relay.Call;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.engine.relay.MirrorCall;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.stream.PassingProtocol;
import io.sigma.dataplane.engine.stream.StreamLoop;
import io.sigma.dataplane.engine.stream.StreamProtocol;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.tls.NodeTls;
import io.sigma.dataplane.engine.tls.TlsEngines;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.health.HealthProber;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerHttp2;
import io.sigma.value.AddressGuard;
import io.sigma.value.CertifiedKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Listeners, TLS and connections to nodes on the event loops of Vert.x. */
public final class GatewayEngine implements Engine {

    private final VertxInternal vertx;
    private final List<TrafficLoop> loops;
    private final List<HttpLoop> http;
    private final List<StreamLoop> streams;
    private final List<FramedLoop> framed;
    private final TlsEngines tls;
    private final Destinations destinations;
    private final NodeDialer dialer;
    private final NodeProbes probes;
    private final SocketBudget sockets;
    private final SpoolFiles spools;
    private final ListeningSockets listening;
    private final DatagramSockets datagrams;

    /**
     * @param loopsWanted event loops that carry traffic; fewer when {@code vertx} has fewer
     * @param keys returns the certificate that is shown to nodes at present, by id; null when there is none
     * @param authorities returns what a file of authorities of nodes contains, by path; null when it was not read yet
     * @param addresses where nothing may be connected to
     * @param sockets the budget of connections of clients and to nodes
     * @param memory the budget of memory that connections hold for their peers
     * @param spools where responses wait for slow clients
     */
    public GatewayEngine(
            Vertx vertx,
            int loopsWanted,
            GatewaySettings.Tls tls,
            Function<String, @Nullable CertifiedKey> keys,
            Function<String, @Nullable String> authorities,
            AddressGuard addresses,
            SocketBudget sockets,
            MemoryBudget memory,
            SpoolFiles spools) {
        this(
                (VertxInternal) vertx,
                TrafficLoop.pick((VertxInternal) vertx, loopsWanted, memory),
                TlsEngines.of(tls),
                keys,
                authorities,
                addresses,
                sockets,
                spools);
    }

    private GatewayEngine(
            VertxInternal vertx,
            List<TrafficLoop> loops,
            TlsEngines tls,
            Function<String, @Nullable CertifiedKey> keys,
            Function<String, @Nullable String> authorities,
            AddressGuard addresses,
            SocketBudget sockets,
            SpoolFiles spools) {
        this.spools = spools;
        this.sockets = sockets;
        this.tls = tls;
        this.vertx = vertx;
        this.loops = loops;
        this.http = loops.stream()
                .map(loop -> HttpLoop.on(loop.context().nettyEventLoop()))
                .toList();
        this.streams = loops.stream()
                .map(loop -> new StreamLoop(
                        loop.loop(), http.get(loop.loop().index()).http1()))
                .toList();
        this.framed = loops.stream()
                .map(loop -> new FramedLoop(
                        loop.loop(), http.get(loop.loop().index()).http1()))
                .toList();
        this.listening = new ListeningSockets(vertx, vertx.transport(), loops, sockets);
        this.destinations = new Destinations(vertx, addresses);
        NodeTls nodeTls = new NodeTls(vertx, tls, keys, authorities);
        this.dialer = new NodeDialer(
                vertx.transport(),
                nodeTls,
                destinations,
                sockets,
                http.stream().map(HttpLoop::http1).toList(),
                framed);
        this.datagrams = new DatagramSockets(
                vertx,
                loops.stream()
                        .map(loop -> new DatagramLoop(vertx.transport(), loop))
                        .toList(),
                dialer);
        this.probes = new NodeProbes(vertx, TrafficLoop.spare(vertx, loops), nodeTls, tls, destinations);
    }

    /**
     * Returns an engine on the same threads that shares nothing else with this one: it counts its own connections and
     * memory, and connects to any address.
     */
    GatewayEngine beside(SocketBudget ownSockets) {
        MemoryBudget memory = MemoryBudget.unlimited();
        return new GatewayEngine(
                vertx,
                loops.stream().map(loop -> loop.beside(memory, loops.size())).toList(),
                tls,
                id -> null,
                path -> null,
                new AddressGuard(List.of(), List.of(), port -> false),
                ownSockets,
                SpoolFiles.none());
    }

    @Override
    public List<Loop> eventLoops() {
        return loops.stream().map(TrafficLoop::loop).toList();
    }

    @Override
    public Executor spareLoop() {
        Context spare = TrafficLoop.spare(vertx, loops);
        return task -> spare.runOnContext(ignored -> task.run());
    }

    @Override
    public Connector connector() {
        return dialer.connector();
    }

    @Override
    public HealthProber prober() {
        return probes;
    }

    @Override
    public Future<ListenerHandle> open(ProxyServer source, @Nullable TlsMaterial tls, ServerBinding binding) {
        if (StreamCheck.isDatagrams(source)) {
            return datagrams.open(source, binding, new BudgetedBinding(binding, sockets));
        }
        ListenerProtocol protocol = protocol(source, tls != null, binding);
        BudgetedBinding budgeted = new BudgetedBinding(binding, sockets);
        if (tls == null) {
            return listening.open(source, null, budgeted, protocol);
        }
        return ListenerTls.create(vertx, tls, http2(source), this.tls)
                .compose(encryption -> listening.open(source, encryption, budgeted, protocol));
    }

    private ListenerProtocol protocol(ProxyServer source, boolean encrypted, ServerBinding binding) {
        if (StreamCheck.isRpc(source)) {
            return new FramedListener(binding, source.protocol(), framed);
        }
        StreamProtocol passed = new StreamProtocol(binding, streams, dialer);
        if (StreamCheck.isStream(source)) {
            return passed;
        }
        HttpProtocol spoken =
                new HttpProtocol(binding, http, spools, vertx.transport().supportFileRegion());
        return encrypted ? new PassingProtocol(spoken, passed) : spoken;
    }

    @Override
    public void check(ProxyServer source, @Nullable TlsMaterial material) throws GeneralSecurityException {
        if (material != null) {
            ListenerTls.check(vertx, material, http2(source), tls);
        }
    }

    private static @Nullable ServerHttp2 http2(ProxyServer source) {
        return StreamCheck.isStream(source) ? null : source.http2();
    }

    @Override
    public void call(Exchange exchange, Forward forward, ForwardEvents events) {
        client(exchange).call(forward, events);
    }

    @Override
    public boolean isClientBehind(Exchange exchange) {
        Call call = client(exchange).call();
        return call != null && call.isClientBehind();
    }

    @Override
    public boolean isReplayable(Exchange exchange) {
        return client(exchange).body().isReplayable();
    }

    @Override
    public @Nullable NodeEndpoint ownNode(Exchange exchange) {
        return client(exchange).ownNode();
    }

    @Override
    public void relay(Exchange exchange, ResponseHead head) {
        Call call = client(exchange).call();
        if (call != null) {
            call.relay(head);
        }
    }

    @Override
    public Runnable tunnel(Exchange exchange, ResponseHead head) {
        Call call = client(exchange).call();
        return call == null ? () -> {} : call.tunnel(head)::close;
    }

    @Override
    public void mirror(Exchange exchange, Forward forward, int bodyBytesMax, int timeoutMillis, MirrorEvents events) {
        new MirrorCall(client(exchange), forward, events).start(bodyBytesMax, timeoutMillis);
    }

    @Override
    public void cancel(Exchange exchange) {
        client(exchange).cancelCall();
    }

    private static ClientStream client(Exchange exchange) {
        return (ClientStream) exchange.downstream();
    }

    /** Returns where the names of nodes are resolved. */
    Destinations destinations() {
        return destinations;
    }

    /** Returns whether sockets can be given to another process, and be taken from it. */
    boolean canHandOver() {
        return listening.canHandOver();
    }

    /** Takes sockets that another process has bound, by address; they are closed by this object. */
    void inherit(Map<String, List<Integer>> sockets) {
        listening.inherit(DatagramSockets.without(sockets));
        datagrams.inherit(sockets);
    }

    @Override
    public boolean isInherited(ProxyServer source) {
        return StreamCheck.isDatagrams(source)
                ? datagrams.isInherited(source.host(), source.port())
                : listening.isInherited(source.host(), source.port());
    }

    /** Returns the addresses of inherited sockets that no listener has. */
    Set<String> leftOver() {
        Set<String> left = new TreeSet<>(listening.leftOver());
        left.addAll(datagrams.leftOver());
        return left;
    }

    /** Begins to accept from the inherited sockets that a listener has, and closes the others. */
    Future<Void> acceptInherited() {
        return Future.join(listening.acceptInherited(), datagrams.acceptInherited())
                .mapEmpty();
    }

    /** Returns the descriptors of all sockets that listen, by address, for a process with so many event loops. */
    Map<String, List<Integer>> descriptors(int otherLoops) {
        Map<String, List<Integer>> all = new TreeMap<>(listening.descriptors(otherLoops));
        all.putAll(datagrams.descriptors());
        return all;
    }

    @Override
    public void close() {
        probes.close();
        dialer.close();
        listening.close();
        datagrams.close();
    }
}
