package io.sigma.dataplane.upstream.balance;

/**
 * FNV-1a of 64 bits (RFC 9923). By itself it spreads the last octets badly, so that whoever uses it mixes the bits;
 * each in a way of its own, or what one chooses by would be the same for all that another one chose.
 */
public final class Fnv1a {

    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Fnv1a() {}

    /** Returns the hash of a text. Each character counts as one octet. */
    public static long hash(String text) {
        long hash = OFFSET_BASIS;
        for (int i = 0; i < text.length(); i++) {
            hash = with(hash, text.charAt(i));
        }
        return hash;
    }

    static long hash(byte[] octets) {
        long hash = OFFSET_BASIS;
        for (byte octet : octets) {
            hash = with(hash, octet & 0xff);
        }
        return hash;
    }

    private static long with(long hash, int octet) {
        return (hash ^ octet) * PRIME;
    }
}
