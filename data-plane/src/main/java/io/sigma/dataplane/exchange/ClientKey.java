package io.sigma.dataplane.exchange;

import java.net.InetAddress;

/** Client addresses as numbers, so that counting by them allocates nothing. */
public final class ClientKey {

    /** The unspecified address, which no client has. */
    public static final long NOBODY = 0;

    /** No client of IPv6 has an address that begins so. */
    private static final long IPV4 = 0xFFFF_FFFF_0000_0000L;

    private static final int IPV4_BYTES = 4;
    private static final int PREFIX_BYTES = 8;

    private ClientKey() {}

    /**
     * Returns the number of {@code address}: all of an IPv4 address, the first 64 bits of an IPv6 address (RFC 6177
     * §2).
     */
    public static long of(InetAddress address) {
        byte[] octets = address.getAddress();
        long key = 0;
        int length = octets.length == IPV4_BYTES ? IPV4_BYTES : PREFIX_BYTES;
        for (int i = 0; i < length; i++) {
            key = key << 8 | (octets[i] & 0xff);
        }
        return octets.length == IPV4_BYTES ? IPV4 | key : key;
    }
}
