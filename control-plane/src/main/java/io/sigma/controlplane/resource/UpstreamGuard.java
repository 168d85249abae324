package io.sigma.controlplane.resource;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Upstream;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import io.sigma.value.NodeUrl;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes through which a gateway would open what only this machine shall reach: link-local addresses, the metadata
 * services of clouds, and the own ports of this process. Names are not resolved here. Thread-safe.
 */
public final class UpstreamGuard {

    private static final List<AddressRange> REFUSED = List.of(
            AddressRange.parse("169.254.0.0/16"), AddressRange.parse("fe80::/10"), AddressRange.parse("fd00:ec2::254"));

    private final Set<String> allowedHosts = new HashSet<>();
    private final List<AddressRange> allowedRanges = new ArrayList<>();
    private final Supplier<Set<Integer>> ownPorts;

    /**
     * @param allow hosts, addresses and CIDR blocks that are never refused
     * @param ownPorts ports that this process, or its database on this machine, listens on
     */
    public UpstreamGuard(List<String> allow, Supplier<Set<Integer>> ownPorts) {
        this.ownPorts = ownPorts;
        for (String entry : allow) {
            try {
                allowedRanges.add(AddressRange.parse(entry));
            } catch (InvalidValue e) {
                allowedHosts.add(entry.toLowerCase(Locale.ROOT));
            }
        }
    }

    /** Returns the nodes of {@code resource} that are refused, when it is an upstream. Node URLs are valid. */
    List<FieldError> check(Object resource) {
        List<FieldError> errors = new ArrayList<>();
        if (resource instanceof Upstream upstream) {
            for (int i = 0; i < upstream.nodes().size(); i++) {
                String url = upstream.nodes().get(i).url();
                String expectation = refusal(NodeUrl.parse(url));
                if (expectation != null) {
                    String detail = "\"" + url + "\" (expected: " + expectation + ", or an entry in upstreamAllow)";
                    errors.add(new FieldError(JsonPointer.of("nodes", i, "url"), detail));
                }
            }
        }
        return errors;
    }

    private @Nullable String refusal(NodeUrl node) {
        String host = node.host();
        if (allowedHosts.contains(host.toLowerCase(Locale.ROOT))) {
            return null;
        }
        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
        if (!literal) {
            if (endsInNumber(host)) {
                return "an IPv4 address in dotted decimal";
            }
            return host.equals("localhost") || host.endsWith(".localhost") ? ownPort(node) : null;
        }
        InetAddress address = Addresses.parse(host);
        if (allowedRanges.stream().anyMatch(range -> range.contains(address))) {
            return null;
        }
        if (REFUSED.stream().anyMatch(range -> range.contains(address))) {
            return "no link-local or metadata address";
        }
        return address.isLoopbackAddress() || address.isAnyLocalAddress() ? ownPort(node) : null;
    }

    private @Nullable String ownPort(NodeUrl node) {
        return ownPorts.get().contains(node.port()) ? "no port of Sigma itself" : null;
    }

    /** Resolvers read such names as addresses: {@code 2852039166} is 169.254.169.254 (WHATWG URL, "ends in a number"). */
    private static boolean endsInNumber(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return !last.isEmpty() && last.matches("[0-9]+|0x[0-9a-f]*");
    }
}
