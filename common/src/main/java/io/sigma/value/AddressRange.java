package io.sigma.value;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * An address or a CIDR block (RFC 4632, RFC 4291 §2.3).
 *
 * @param network the base address
 * @param prefixBits how many leading bits an address shares with it; all of them for a single address
 */
public record AddressRange(InetAddress network, int prefixBits) {

    /**
     * Returns the parsed range.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress network = Addresses.parse(slash < 0 ? text : text.substring(0, slash));
        int bits = network.getAddress().length * 8;
        int prefix = slash < 0 ? bits : prefix(text, text.substring(slash + 1), bits);
        return new AddressRange(network, prefix);
    }

    private static int prefix(String text, String digits, int bits) {
        boolean number =
                !digits.isEmpty() && digits.length() <= 3 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int prefix = number ? Integer.parseInt(digits) : -1;
        if (prefix < 0 || prefix > bits) {
            throw InvalidValue.of(text, "after the slash a prefix length of 0.." + bits);
        }
        return prefix;
    }

    /** Returns the range with a base address whose further bits are 0, so that equal ranges are equal. */
    public AddressRange normal() {
        byte[] octets = network.getAddress();
        for (int i = 0; i < octets.length; i++) {
            int kept = Math.clamp(prefixBits - i * 8L, 0, 8);
            octets[i] &= (byte) (0xff << (8 - kept));
        }
        try {
            return new AddressRange(InetAddress.getByAddress(octets), prefixBits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 octets", e);
        }
    }

    /** Returns the range as it is written: {@code 10.0.0.0/8}. */
    public String text() {
        return network.getHostAddress() + "/" + prefixBits;
    }

    /** Returns whether {@code address} lies in this range; an IPv4 address never lies in an IPv6 range. */
    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] theirs = address.getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        int whole = prefixBits / 8;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != theirs[i]) {
                return false;
            }
        }
        int shift = 8 - prefixBits % 8;
        return shift == 8 || (mine[whole] & 0xff) >> shift == (theirs[whole] & 0xff) >> shift;
    }
}
