package io.sigma.value;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells which addresses may be connected to because a configuration says so: not link-local ones, not the services that
 * clouds offer to their machines, nothing else where no node can be, and on this machine not the ports of Sigma itself.
 * It judges the address that is connected to, so each connection is judged after its name was resolved and never by its
 * text alone. Thread-safe.
 */
public final class AddressGuard {

    private static final String DENIED = "nothing of upstreamDeny";
    /** The names of the loopback address (RFC 6761 §6.3, and /etc/hosts of Linux distributions). */
    private static final Set<String> LOCAL_NAMES =
            Set.of("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback");

    private static final String OWN = "no port of Sigma itself";

    private final List<AddressRule> allow;
    private final List<AddressRule> deny;
    private final IntPredicate ownPort;
    private final LongAdder refused;

    /**
     * @param allow hosts, addresses and CIDR blocks, each with an optional port, that are never refused
     * @param deny those that are refused too, unless they are allowed
     * @param ownPort whether Sigma listens there, on this machine, for something else than traffic; asked each time
     * @throws InvalidValue when an entry is none of these
     */
    public AddressGuard(List<String> allow, List<String> deny, IntPredicate ownPort) {
        this(allow, deny, ownPort, new LongAdder());
    }

    /**
     * As the other.
     *
     * @param refused counts the connections that were refused
     */
    public AddressGuard(List<String> allow, List<String> deny, IntPredicate ownPort, LongAdder refused) {
        this.refused = refused;
        this.allow = rules(allow);
        this.deny = rules(deny);
        this.ownPort = ownPort;
    }

    private static List<AddressRule> rules(List<String> entries) {
        return entries.stream().map(AddressRule::parse).toList();
    }

    /**
     * Returns {@code entries} of the setting {@code name}, which are right.
     *
     * @throws InvalidValue naming the setting
     */
    public static List<String> checked(String name, List<String> entries) {
        try {
            rules(entries);
        } catch (InvalidValue e) {
            Mismatch mismatch = e.mismatch();
            throw mismatch == null ? e : new InvalidValue(mismatch.in(name));
        }
        return List.copyOf(entries);
    }

    /** Returns whether {@code host} is allowed by name, whatever its addresses are. */
    public boolean allows(String host, int port) {
        return allow.stream().anyMatch(rule -> rule.isOf(host, port));
    }

    /** Returns whether {@code host} is denied by name. */
    public boolean denies(String host, int port) {
        return deny.stream().anyMatch(rule -> rule.isOf(host, port));
    }

    /**
     * Returns why nothing at {@code host} may be connected to, as far as its text says where it leads: an address, a
     * name of this machine, or an entry of the settings. Names are not resolved, so null says nothing about the address
     * behind another name.
     *
     * @param host a name or a literal, an IPv6 one without brackets
     */
    public @Nullable String refusal(String host, int port) {
        if (Addresses.isIpv4(host) || Addresses.isIpv6(host)) {
            return refusal(host, Addresses.parse(host), port);
        }
        if (allows(host, port)) {
            return null;
        }
        if (denies(host, port)) {
            return DENIED;
        }
        if (Addresses.endsInNumber(host)) {
            return "an IPv4 address in dotted decimal";
        }
        return ownPort.test(port) && isNameOfThisMachine(host) ? OWN : null;
    }

    private static boolean isNameOfThisMachine(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        return LOCAL_NAMES.contains(name) || name.endsWith(".localhost") || name.equals(MachineName.LOWER);
    }

    /** Asked for once, and only where a port is one of Sigma's: a system may ask DNS for it. */
    private static final class MachineName {
        private static final String LOWER = name();

        private static String name() {
            try {
                return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            } catch (UnknownHostException e) {
                return "";
            }
        }
    }

    /**
     * Returns why {@code address}, to which {@code host} led, may not be connected to: what was expected instead; null
     * when it may.
     *
     * @param host a name or a literal
     */
    public @Nullable String refusal(String host, InetAddress address, int port) {
        if (allows(host, port)) {
            return null;
        }
        if (denies(host, port)) {
            return DENIED;
        }
        for (InetAddress form : SpecialAddresses.forms(address)) {
            String refusal = refusal(form, port);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private @Nullable String refusal(InetAddress address, int port) {
        if (allow.stream().anyMatch(rule -> rule.isOf(address, port))) {
            return null;
        }
        if (deny.stream().anyMatch(rule -> rule.isOf(address, port))) {
            return DENIED;
        }
        SpecialAddresses.Block block = SpecialAddresses.of(address);
        if (block != null && block.use() == SpecialAddresses.Use.REFUSED) {
            return "no " + block.name() + " address";
        }
        boolean own = ownPort.test(port) && isOfThisMachine(address, block);
        return own ? OWN : null;
    }

    /** Interfaces come and go, so they are asked for; only where the port is one of Sigma's. */
    private static boolean isOfThisMachine(InetAddress address, SpecialAddresses.@Nullable Block block) {
        if (block != null && block.use() == SpecialAddresses.Use.THIS_MACHINE) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * As {@link #refusal}, for who connects next.
     *
     * @throws AddressRefused when it may not; it is counted
     */
    public void admit(String host, InetAddress address, int port) throws AddressRefused {
        String expected = refusal(host, address, port);
        if (expected != null) {
            refused.increment();
            throw new AddressRefused(host + " is " + Addresses.text(address) + ", port " + port + " (expected: "
                    + expected + ", or an entry in upstreamAllow)");
        }
    }
}
