package io.sigma.controlplane.resource;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.TracingPlugin;
import io.sigma.model.Upstream;
import io.sigma.value.AddressGuard;
import io.sigma.value.Addresses;
import io.sigma.value.FetchUrl;
import io.sigma.value.NodeUrl;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes, and URLs that gateways ask by themselves, through which a gateway would open what only this machine shall
 * reach: link-local addresses, the metadata services of clouds, and the own ports of this process. Names are not resolved
 * here. Thread-safe.
 */
public final class UpstreamGuard {

    private final AddressGuard addresses;
    private final Supplier<Set<Integer>> ownPorts;

    /**
     * @param allow hosts, addresses and CIDR blocks that are never refused
     * @param ownPorts ports that this process, or its database on this machine, listens on
     */
    public UpstreamGuard(List<String> allow, Supplier<Set<Integer>> ownPorts) {
        this.addresses = new AddressGuard(allow);
        this.ownPorts = ownPorts;
    }

    /** Returns the URLs of {@code resource} that are refused. They are valid. */
    List<FieldError> check(Object resource) {
        List<FieldError> errors = new ArrayList<>();
        if (resource instanceof Upstream upstream) {
            for (int i = 0; i < upstream.nodes().size(); i++) {
                String url = upstream.nodes().get(i).url();
                NodeUrl node = NodeUrl.parse(url);
                check(errors, url, node.host(), node.port(), JsonPointer.of("nodes", i, "url"));
            }
        }
        if (resource instanceof Upstream upstream && upstream.discovery() != null) {
            String url = upstream.discovery().url();
            if (url != null) {
                NodeUrl found = NodeUrl.parse(url);
                check(errors, url, found.host(), found.port(), JsonPointer.of("discovery", "url"));
            }
        }
        Plugins plugins = plugins(resource);
        if (plugins != null) {
            JwtPlugin jwt = plugins.jwt();
            TracingPlugin tracing = plugins.tracing();
            fetched(errors, jwt == null ? null : jwt.jwksUrl(), JsonPointer.of("plugins", "jwt", "jwksUrl"));
            fetched(
                    errors,
                    tracing == null ? null : tracing.endpoint(),
                    JsonPointer.of("plugins", "tracing", "endpoint"));
        }
        return errors;
    }

    private static @Nullable Plugins plugins(Object resource) {
        return switch (resource) {
            case ProxyServer server -> server.plugins();
            case Router router -> router.plugins();
            case Route route -> route.plugins();
            case ProxyPass pass -> pass.plugins();
            default -> null;
        };
    }

    private void fetched(List<FieldError> errors, @Nullable String url, String pointer) {
        if (url != null) {
            URI parsed = FetchUrl.parse(url);
            check(errors, url, FetchUrl.host(parsed), FetchUrl.port(parsed), pointer);
        }
    }

    private void check(List<FieldError> errors, String url, String host, int port, String pointer) {
        String expectation = refusal(host, port);
        if (expectation != null) {
            String detail = "\"" + url + "\" (expected: " + expectation + ", or an entry in upstreamAllow)";
            errors.add(new FieldError(pointer, detail));
        }
    }

    private @Nullable String refusal(String host, int port) {
        if (addresses.allows(host)) {
            return null;
        }
        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
        if (!literal) {
            if (endsInNumber(host)) {
                return "an IPv4 address in dotted decimal";
            }
            String name = host.toLowerCase(Locale.ROOT);
            return name.equals("localhost") || name.endsWith(".localhost") ? ownPort(port) : null;
        }
        InetAddress address = Addresses.parse(host);
        if (addresses.allows(address)) {
            return null;
        }
        if (addresses.refuses(address)) {
            return "no link-local or metadata address";
        }
        return address.isLoopbackAddress() || address.isAnyLocalAddress() ? ownPort(port) : null;
    }

    private @Nullable String ownPort(int port) {
        return ownPorts.get().contains(port) ? "no port of Sigma itself" : null;
    }

    /** Resolvers read such names as addresses: {@code 2852039166} is 169.254.169.254 (WHATWG URL, "ends in a number"). */
    private static boolean endsInNumber(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return !last.isEmpty() && last.matches("[0-9]+|0x[0-9a-f]*");
    }
}
