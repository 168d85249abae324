package io.sigma.limit;

import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address block that counts as one client: an IPv4 address, or the 64 leading bits of an IPv6 address. A client
 * usually has the rest to itself (RFC 6177). Pure.
 */
public final class AddressBlock {

    private static final int PREFIX_BYTES = 8;

    private AddressBlock() {}

    /** Returns the block of an address as text; what is no address stands for itself. */
    public static String of(String address) {
        int zone = address.indexOf('%');
        try {
            return of(Addresses.parse(zone < 0 ? address : address.substring(0, zone)));
        } catch (InvalidValue e) {
            return address;
        }
    }

    public static String of(InetAddress address) {
        // An IPv4 address that is mapped into IPv6 is an Inet4Address here.
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), PREFIX_BYTES)) + "/64"
                : address.getHostAddress();
    }
}
