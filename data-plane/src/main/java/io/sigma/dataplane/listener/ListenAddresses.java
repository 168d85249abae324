package io.sigma.dataplane.listener;

import io.netty.util.NetUtil;
import io.sigma.check.StreamCheck;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.json.JsonPointer;
import io.sigma.model.ProxyServer;
import io.sigma.value.Addresses;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The addresses that proxy servers listen on, with a check that they are free. Thread-safe. */
final class ListenAddresses {

    /** The kernel may free the address of a socket a moment after the socket was closed; an engine waits as long. */
    private static final int ADDRESS_TRIES = 8;

    private static final long ADDRESS_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final String NO_ADDRESS = "its name leads to no address";

    private final @Nullable String listenHost;

    /**
     * @param listenHost address of proxy servers that ask for every address; null leaves them that
     */
    ListenAddresses(@Nullable String listenHost) {
        this.listenHost = listenHost;
    }

    /** Returns {@code source} with the address that it has here. */
    ProxyServer placed(ProxyServer source) {
        boolean everywhere = source.host().equals("0.0.0.0") || source.host().equals("::");
        return listenHost != null && everywhere
                ? source.toBuilder().host(listenHost).build()
                : source;
    }

    /**
     * Returns {@code source} with the address in place of its name: what binds it looks up nothing, so it cannot find
     * another address than a vote did, which asks the same resolver.
     *
     * @throws SnapshotRefused when the name leads to no address
     */
    ProxyServer bound(ProxyServer source) {
        ProxyServer placed = placed(source);
        if (NetUtil.createByteArrayFromIpAddressString(placed.host()) != null) {
            return placed;
        }
        InetSocketAddress address = new InetSocketAddress(placed.host(), placed.port());
        if (address.isUnresolved()) {
            throw unusable(placed, NO_ADDRESS);
        }
        return placed.toBuilder().host(address.getAddress().getHostAddress()).build();
    }

    /** Returns the address of {@code source} as logs and refusals have it. */
    String text(ProxyServer source) {
        return placed(source).host() + ":" + source.port();
    }

    /** Returns whether both cannot be listened on; names that are written in two ways may be one address. */
    static boolean overlap(InetSocketAddress one, InetSocketAddress other) {
        return one.getPort() == other.getPort()
                && !one.isUnresolved()
                && !other.isUnresolved()
                && (one.getAddress().equals(other.getAddress())
                        || one.getAddress().isAnyLocalAddress()
                        || other.getAddress().isAnyLocalAddress());
    }

    /**
     * An address that a proxy server has.
     *
     * @param datagrams whether it is one of UDP, which has ports of its own
     */
    record Taken(InetSocketAddress address, boolean datagrams) {}

    /**
     * Adds the address of a proxy server to those of others.
     *
     * @throws SnapshotRefused when it is one of them
     */
    static void take(Map<String, Taken> taken, String id, ProxyServer placed, InetSocketAddress address) {
        taken.forEach((other, its) -> {
            if (overlap(its.address(), address) && its.datagrams() == StreamCheck.isDatagrams(placed)) {
                throw unusable(placed, "it is an address of proxy server \"" + other + "\" as well");
            }
        });
        taken.put(id, new Taken(address, StreamCheck.isDatagrams(placed)));
    }

    /**
     * Looks whether {@code address} is free, without listening on it. Blocks.
     *
     * @param placed whose address it is
     * @throws SnapshotRefused when it is not
     */
    static void check(ProxyServer placed, InetSocketAddress address) {
        IOException failure = null;
        for (int tries = 0; tries < ADDRESS_TRIES; tries++) {
            try (NetworkChannel probe = StreamCheck.isDatagrams(placed) ? DatagramChannel.open() : connections()) {
                probe.bind(address);
                return;
            } catch (UnresolvedAddressException e) {
                throw unusable(placed, NO_ADDRESS);
            } catch (IOException e) {
                failure = e;
                LockSupport.parkNanos(ADDRESS_PAUSE_NANOS);
            }
        }
        throw unusable(placed, String.valueOf(Objects.requireNonNull(failure).getMessage()));
    }

    /** Bound and not listening, it takes no connections; where somebody listens, binding fails. */
    private static SocketChannel connections() throws IOException {
        return SocketChannel.open().setOption(StandardSocketOptions.SO_REUSEADDR, true);
    }

    static SnapshotRefused unusable(ProxyServer placed, String reason) {
        return new SnapshotRefused(
                pointer(placed, "port"),
                Addresses.authority(placed.host(), placed.port()) + " cannot be listened on: " + reason);
    }

    /** Returns why {@code source} could not be opened. */
    SnapshotRefused refusal(ProxyServer source, Throwable cause) {
        if (cause instanceof SnapshotRefused refused) {
            return refused;
        }
        String address = text(source);
        boolean bind = cause instanceof BindException || cause instanceof UnknownHostException;
        return bind || source.tls() == null
                ? new SnapshotRefused(
                        pointer(source, "port"), address + " cannot be listened on: " + cause.getMessage())
                : new SnapshotRefused(pointer(source, "tls"), "cannot be used: " + cause.getMessage());
    }

    /** Returns the pointer of a field of {@code source}. */
    static String pointer(ProxyServer source, String field) {
        return JsonPointer.of("proxyServers", String.valueOf(source.id()), field);
    }
}
