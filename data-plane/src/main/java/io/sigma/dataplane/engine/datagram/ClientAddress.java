package io.sigma.dataplane.engine.datagram;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;

/**
 * The address and port of a client, by which its session is found. Senders choose them, and no sender knows which of
 * them collide. Immutable.
 *
 * @param high the first 64 bits of an IPv6 address; 0 for IPv4
 * @param low the last 64 bits of an IPv6 address; the IPv4 address
 * @param port with the scope of an IPv6 address above it
 */
record ClientAddress(long high, long low, long port) implements Comparable<ClientAddress> {

    private static final long SEED = new SecureRandom().nextLong();
    private static final int IPV4_BYTES = 4;
    private static final int LONG_BYTES = 8;

    static ClientAddress of(InetSocketAddress sender) {
        InetAddress address = sender.getAddress();
        byte[] octets = address.getAddress();
        if (octets.length == IPV4_BYTES) {
            return new ClientAddress(0, number(octets, 0, IPV4_BYTES), sender.getPort());
        }
        long scope = address instanceof Inet6Address scoped ? scoped.getScopeId() : 0;
        return new ClientAddress(
                number(octets, 0, LONG_BYTES), number(octets, LONG_BYTES, LONG_BYTES), scope << 16 | sender.getPort());
    }

    private static long number(byte[] octets, int from, int count) {
        long number = 0;
        for (int i = from; i < from + count; i++) {
            number = number << 8 | (octets[i] & 0xff);
        }
        return number;
    }

    @Override
    public int hashCode() {
        long mixed = mix(mix(mix(SEED ^ high) ^ low) ^ port);
        return (int) (mixed ^ mixed >>> 32);
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    @Override
    public int compareTo(ClientAddress other) {
        int order = Long.compare(high, other.high);
        if (order == 0) {
            order = Long.compare(low, other.low);
        }
        return order == 0 ? Long.compare(port, other.port) : order;
    }
}
