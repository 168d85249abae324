package io.sigma.value;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that are not just somebody's machine: the IANA special-purpose registries of IPv4 and IPv6 (RFC 6890, as of
 * 2025), multicast, and the services that clouds offer to each of their machines. Also tells which IPv4 addresses an
 * IPv6 address leads to where it is translated or tunnelled. Pure.
 */
final class SpecialAddresses {

    /** The use of a range of addresses. */
    enum Use {
        /** An address of nodes, such as of a private network. */
        NODES,
        /** This machine. */
        THIS_MACHINE,
        /** Nothing that a configuration should lead to. */
        REFUSED
    }

    /**
     * A block of addresses.
     *
     * @param name for people, as in "no NAME address"
     */
    record Block(AddressRange range, String name, Use use) {}

    private static final String METADATA = "cloud metadata";
    private static final String PROTOCOLS = "protocol assignment";

    /** The most specific block of an address comes first. */
    private static final List<Block> BLOCKS = List.of(
            // Clouds: the services that they offer to each machine, with its credentials among them.
            refused("169.254.169.254/32", METADATA), // AWS, Azure, Google, DigitalOcean, OpenStack and others
            refused("169.254.170.2/32", METADATA), // AWS ECS: credentials of a task
            refused("169.254.170.23/32", METADATA), // AWS EKS: credentials of a pod
            refused("fd00:ec2::/32", METADATA), // AWS: ::254 metadata, ::23 pods, ::253 DNS, ::123 time
            refused("100.100.100.200/32", METADATA), // Alibaba
            refused("168.63.129.16/32", METADATA), // Azure WireServer
            refused("192.0.0.192/32", METADATA), // Oracle, classic
            refused("fd00:c1::a9fe:a9fe/128", METADATA), // Oracle
            refused("fd20:ce::254/128", METADATA), // Google
            refused("fd00:a9fe:a9fe::1/128", METADATA), // Akamai
            refused("fd00:42::42/128", METADATA), // Scaleway
            refused("fe80::a9fe:a9fe/128", METADATA), // OpenStack
            // https://www.iana.org/assignments/iana-ipv4-special-registry
            refused("0.0.0.0/8", "\"this network\""), // RFC 791: connected to, it is this machine
            nodes("10.0.0.0/8", "private"), // RFC 1918
            nodes("100.64.0.0/10", "shared"), // RFC 6598
            machine("127.0.0.0/8"), // RFC 1122
            refused("169.254.0.0/16", "link-local"), // RFC 3927
            nodes("172.16.0.0/12", "private"), // RFC 1918
            refused("192.0.0.0/24", PROTOCOLS), // RFC 6890
            nodes("192.0.2.0/24", "documentation"), // RFC 5737
            nodes("192.31.196.0/24", "AS112"), // RFC 7535
            nodes("192.52.193.0/24", "AMT"), // RFC 7450
            nodes("192.88.99.0/24", "6to4 relay"), // RFC 7526
            nodes("192.168.0.0/16", "private"), // RFC 1918
            nodes("192.175.48.0/24", "AS112"), // RFC 7534
            nodes("198.18.0.0/15", "benchmark"), // RFC 2544
            nodes("198.51.100.0/24", "documentation"), // RFC 5737
            nodes("203.0.113.0/24", "documentation"), // RFC 5737
            refused("224.0.0.0/4", "multicast"), // RFC 5771
            refused("240.0.0.0/4", "reserved"), // RFC 1112; 255.255.255.255 is broadcast
            // https://www.iana.org/assignments/iana-ipv6-special-registry
            machine("::1/128"), // RFC 4291
            refused("::/128", "unspecified"), // RFC 4291: connected to, it is this machine
            nodes("64:ff9b::/96", "NAT64"), // RFC 6052: what it leads to is judged
            nodes("64:ff9b:1::/48", "NAT64"), // RFC 8215: likewise
            refused("100::/64", "discard-only"), // RFC 6666
            refused("100:0:0:1::/64", "dummy"), // RFC 9780
            refused("2001::/23", PROTOCOLS), // RFC 2928; Teredo, ORCHID and others
            nodes("2001:db8::/32", "documentation"), // RFC 3849
            nodes("2002::/16", "6to4"), // RFC 3056: what it leads to is judged
            nodes("2620:4f:8000::/48", "AS112"), // RFC 7534
            nodes("3fff::/20", "documentation"), // RFC 9637
            refused("5f00::/16", "segment routing"), // RFC 9602
            nodes("fc00::/7", "private"), // RFC 4193
            refused("fe80::/10", "link-local"), // RFC 4291
            refused("ff00::/8", "multicast")); // RFC 4291

    private static final AddressRange THIS_NETWORK = AddressRange.parse("0.0.0.0/8");

    private SpecialAddresses() {}

    private static Block refused(String range, String name) {
        return new Block(AddressRange.parse(range), name, Use.REFUSED);
    }

    private static Block nodes(String range, String name) {
        return new Block(AddressRange.parse(range), name, Use.NODES);
    }

    private static Block machine(String range) {
        return new Block(AddressRange.parse(range), "loopback", Use.THIS_MACHINE);
    }

    /** Returns the most specific block that {@code address} lies in; null when it is an ordinary one. */
    static @Nullable Block of(InetAddress address) {
        for (Block block : BLOCKS) {
            if (block.range().contains(address)) {
                return block;
            }
        }
        return null;
    }

    /** Returns {@code address}, and every IPv4 address that it stands for, is translated to or tunnelled to. */
    static List<InetAddress> forms(InetAddress address) {
        byte[] a = address.getAddress();
        if (a.length == 4) {
            return List.of(address);
        }
        List<InetAddress> forms = new ArrayList<>();
        forms.add(address);
        if (isZero(a, 0, 10) && (isZero(a, 10, 12) || (a[10] == -1 && a[11] == -1))) {
            add(forms, a, 12, 13, 14, 15); // IPv4-compatible and IPv4-mapped, RFC 4291 §2.5.5
        }
        if (isZero(a, 0, 8) && a[8] == -1 && a[9] == -1 && isZero(a, 10, 12)) {
            add(forms, a, 12, 13, 14, 15); // IPv4-translated, RFC 7915 §7
        }
        if (startsWith(a, 0x00, 0x64, 0xff, 0x9b)) {
            add(forms, a, 12, 13, 14, 15); // NAT64, RFC 6052 §2.2: /96
            add(forms, a, 6, 7, 9, 10); // /48
            add(forms, a, 7, 9, 10, 11); // /56
            add(forms, a, 9, 10, 11, 12); // /64
        }
        if (startsWith(a, 0x20, 0x02)) {
            add(forms, a, 2, 3, 4, 5); // 6to4, RFC 3056 §2
        }
        if (startsWith(a, 0x20, 0x01, 0x00, 0x00)) {
            add(forms, a, 4, 5, 6, 7); // Teredo, RFC 4380 §4: the server
            byte[] inverted = a.clone();
            for (int i = 12; i < 16; i++) {
                inverted[i] = (byte) ~a[i];
            }
            add(forms, inverted, 12, 13, 14, 15); // the client
        }
        if ((a[8] & 0xfd) == 0 && a[9] == 0 && a[10] == 0x5e && (a[11] & 0xff) == 0xfe) {
            add(forms, a, 12, 13, 14, 15); // ISATAP, RFC 5214 §6.1
        }
        return forms;
    }

    private static boolean startsWith(byte[] address, int... octets) {
        for (int i = 0; i < octets.length; i++) {
            if ((address[i] & 0xff) != octets[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(byte[] address, int from, int to) {
        return Arrays.equals(address, from, to, new byte[to - from], 0, to - from);
    }

    /** Of 0.0.0.0/8 is what has another layout, such as {@code ::1}. */
    private static void add(List<InetAddress> forms, byte[] a, int first, int second, int third, int fourth) {
        try {
            InetAddress form = InetAddress.getByAddress(new byte[] {a[first], a[second], a[third], a[fourth]});
            if (!THIS_NETWORK.contains(form)) {
                forms.add(form);
            }
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 octets", e);
        }
    }
}
