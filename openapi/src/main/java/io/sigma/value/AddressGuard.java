package io.sigma.value;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells which addresses a gateway shall not be led to: link-local ones, and the metadata services of clouds. Immutable; any
 * thread.
 */
public final class AddressGuard {

    private static final List<AddressRange> REFUSED = List.of(
            AddressRange.parse("169.254.0.0/16"), AddressRange.parse("fe80::/10"), AddressRange.parse("fd00:ec2::254"));

    private final List<AddressRange> refused;
    private final Set<String> allowedHosts = new HashSet<>();
    private final List<AddressRange> allowedRanges = new ArrayList<>();

    /**
     * @param allow hosts, addresses and CIDR blocks that are never refused
     */
    public AddressGuard(List<String> allow) {
        this(REFUSED, allow);
    }

    /** As the other, for other addresses that are refused. */
    public AddressGuard(List<AddressRange> refused, List<String> allow) {
        this.refused = List.copyOf(refused);
        for (String entry : allow) {
            try {
                allowedRanges.add(AddressRange.parse(entry));
            } catch (InvalidValue e) {
                allowedHosts.add(entry.toLowerCase(Locale.ROOT));
            }
        }
    }

    /** Returns whether {@code host} is allowed by name, whatever its addresses are. */
    public boolean allows(String host) {
        return allowedHosts.contains(host.toLowerCase(Locale.ROOT));
    }

    /** Returns whether {@code address} is allowed expressly. */
    public boolean allows(InetAddress address) {
        return allowedRanges.stream().anyMatch(range -> range.contains(address));
    }

    /**
     * Returns whether {@code host}, a name or a literal, turned out to be an address that it may not be. A literal was judged
     * when the configuration was admitted; a name may lead to what no literal would.
     */
    public boolean refuses(String host, InetAddress address) {
        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
        return !literal && !allows(host) && refuses(address);
    }

    /** Returns whether {@code address} is link-local or of a metadata service, and not allowed. */
    public boolean refuses(InetAddress address) {
        return !allows(address) && refused.stream().anyMatch(range -> range.contains(address));
    }
}
