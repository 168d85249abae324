package io.sigma.dataplane;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.filter.Consumers;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.flow.ErrorResponder;
import io.sigma.dataplane.flow.ExchangeServices;
import io.sigma.dataplane.flow.MirrorLimit;
import io.sigma.dataplane.flow.ServerDispatch;
import io.sigma.dataplane.listener.TlsReader;
import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.MadeUpSnapshot;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.telemetry.AccessLog;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.dataplane.warmup.WarmUpConfiguration;
import io.sigma.dataplane.warmup.WarmUpPeers;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.model.ProxyServer;
import io.sigma.snapshot.ConfigState;
import io.sigma.value.AddressGuard;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves made-up requests before the first revision is served, so that the code that serves real ones is compiled. It
 * runs the same classes on the same event loops, with a configuration, counts, limits and a log of its own, over
 * loopback sockets. Nodes, metrics, logs and limits of the gateway see nothing of it. A warm-up that fails or takes too
 * long keeps no gateway from starting. Thread-safe; docs/adr/0073 has the measurements.
 */
final class GatewayWarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayWarmUp.class);

    /** Where lines of the made-up log go, so that they are written as real ones are. */
    private static final String NOWHERE = "/dev/null";

    private static final int LINES_MAX = 1024;
    private static final int SOCKETS_MAX = 1024;
    private static final int MIRROR_BYTES_MAX = 1 << 20;
    private static final int PORT_TRIES_MAX = 100;
    private static final long CLOSE_SECONDS_MAX = 10;

    /** In a take-over, the warm-up may take so many times as long: nobody waits, because the other process serves. */
    private static final int TAKE_OVER_TIMES = 20;

    private static final long TAKE_OVER_MILLIS_MAX = 60_000;

    private final GatewaySettings settings;
    private final GatewayEngine engine;
    private final GatewayDisk disk;
    private final AtomicBoolean begun = new AtomicBoolean();

    /**
     * @param engine whose event loops serve the made-up requests
     * @param disk has the files of certificates
     */
    GatewayWarmUp(GatewaySettings settings, GatewayEngine engine, GatewayDisk disk) {
        this.settings = settings;
        this.engine = engine;
        this.disk = disk;
    }

    /**
     * Runs the warm-up if it has not been run. Never fails, and blocks for {@code warmUpMillis} of the settings at the
     * longest, in a take-over for {@value #TAKE_OVER_TIMES} times as long.
     *
     * @param first what will be served, whose shapes the requests have
     */
    void before(ConfigState first) {
        if (settings.warmUp().warmUpMillis() == 0
                || first.proxyServers().isEmpty()
                || !begun.compareAndSet(false, true)) {
            return;
        }
        long begin = System.nanoTime();
        boolean takesOver = !engine.leftOver().isEmpty();
        long millisMax = millisMax(takesOver);
        if (takesOver) {
            Scheduling.optimizerForBackground();
        }
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofPlatform().name("sigma-warm-up").daemon().start(() -> {
            try {
                if (takesOver) {
                    // The other process has the processor first: as many requests as it leaves time for.
                    Scheduling.forBackground();
                }
                run(first, begin, millisMax, done);
            } catch (RejectedExecutionException e) {
                LOG.debug("The gateway ended during its warm-up", e);
            } catch (Throwable e) {
                LOG.warn("The gateway starts without a warm-up: {}", e.toString());
            } finally {
                done.countDown();
            }
        });
        try {
            if (!done.await(millisMax, TimeUnit.MILLISECONDS)) {
                LOG.debug("The warm-up ends during the traffic");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Scheduling.optimizerForBackground();
    }

    private long millisMax(boolean takesOver) {
        long millis = settings.warmUp().warmUpMillis();
        return takesOver ? Math.max(millis, Math.min(TAKE_OVER_TIMES * millis, TAKE_OVER_MILLIS_MAX)) : millis;
    }

    private void run(ConfigState first, long begin, long millisMax, CountDownLatch done)
            throws IOException, TimeoutException {
        long until = begin + TimeUnit.MILLISECONDS.toNanos(millisMax);
        try (WarmUpPeers peers = new WarmUpPeers()) {
            int plain = freePort(first, peers.nodePort());
            WarmUpConfiguration made = WarmUpConfiguration.of(
                    first, new WarmUpConfiguration.Ports(peers.nodePort(), plain, freePort(first, plain)));
            try (Stack stack = new Stack(first, made.state())) {
                stack.open(until);
                WarmUpPeers.Result result =
                        peers.run(plain, made.requests(), settings.warmUp().warmUpRequestsMax(), until);
                LOG.info(
                        "Warmed up with {} requests in {} ms; {} more were not answered as expected",
                        result.good(),
                        (System.nanoTime() - begin) / 1_000_000,
                        result.bad());
                done.countDown();
                // The rest of the warm-up closes its sockets, in the background of traffic.
                Scheduling.forBackground();
            }
        }
    }

    /** Returns a port that is free and that nothing is configured for. */
    private static int freePort(ConfigState first, int other) throws IOException {
        Set<Integer> taken = new HashSet<>();
        first.proxyServers().values().forEach(server -> taken.add(server.port()));
        taken.add(other);
        for (int i = 0; i < PORT_TRIES_MAX; i++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (!taken.contains(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            }
        }
        throw new IOException("no free port");
    }

    /** The second set of parts of a gateway, which serves the made-up requests of the warm-up. */
    private final class Stack implements AutoCloseable {

        private final GatewayEngine own = engine.beside(new SocketBudget(SOCKETS_MAX));
        private final GatewayMetrics metrics =
                new GatewayMetrics(1, own.eventLoops().size());
        private final ExecutorService worker = Executors.newVirtualThreadPerTaskExecutor();
        private final WatchedFiles files = WatchedFiles.once(disk);
        private final List<ListenerHandle> listeners = new ArrayList<>();
        private final ConfigState first;
        private final AccessLog log;
        private final MadeUpSnapshot snapshot;

        Stack(ConfigState first, ConfigState state) {
            this.first = first;
            int loops = own.eventLoops().size();
            this.log = new AccessLog(
                    settings.accessLogs().accessLog().equals("off") ? "off" : NOWHERE, disk, loops, LINES_MAX, metrics);
            FilterServices filters = new FilterServices(
                    own.eventLoops(),
                    worker,
                    InstantSource.system(),
                    System::nanoTime,
                    ThreadLocalRandom::current,
                    new Consumers(),
                    Map.of(),
                    new AddressGuard(List.of(), List.of(), port -> false),
                    files,
                    disk,
                    settings.listeners().passesSessions());
            try {
                this.snapshot = new MadeUpSnapshot(state, own.connector(), own.eventLoops(), metrics, filters);
            } catch (Throwable e) {
                closeRest();
                throw e;
            }
        }

        void open(long until) throws TimeoutException {
            ExchangeServices services = new ExchangeServices(
                    own,
                    new ErrorResponder(),
                    log,
                    own.eventLoops(),
                    new MirrorLimit(own.eventLoops().size(), MIRROR_BYTES_MAX),
                    worker,
                    0);
            TlsReader tls = new TlsReader(files, disk);
            for (RuntimeServer server : snapshot.served().servers().values()) {
                ProxyServer source = server.source();
                Future<ListenerHandle> opened = own.open(
                        source,
                        tls.read(source, first.certificates()),
                        new ServerDispatch(services, snapshot.active(), server, new LongAdder()));
                listeners.add(opened.await(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS));
            }
        }

        @Override
        public void close() {
            for (ListenerHandle listener : listeners) {
                try {
                    listener.close(0).await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
                } catch (TimeoutException e) {
                    LOG.debug("A listener of the warm-up does not end");
                }
            }
            snapshot.close();
            closeRest();
        }

        private void closeRest() {
            own.close();
            log.close();
            worker.close();
        }
    }
}
