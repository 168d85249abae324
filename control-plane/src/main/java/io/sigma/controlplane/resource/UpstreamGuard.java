package io.sigma.controlplane.resource;

import io.sigma.check.ResourcePlugins;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.TracingPlugin;
import io.sigma.model.Upstream;
import io.sigma.value.AddressGuard;
import io.sigma.value.Addresses;
import io.sigma.value.DnsServer;
import io.sigma.value.FetchUrl;
import io.sigma.value.NodeUrl;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes, and URLs that gateways ask by themselves, that say themselves that they lead where no gateway may connect to
 * ({@link AddressGuard}). Names are not resolved here: gateways judge each address when they connect to it. Thread-safe.
 */
public final class UpstreamGuard {

    private final AddressGuard addresses;
    private final IntPredicate ownPort;

    /**
     * @param allow as the setting {@code upstreamAllow}
     * @param deny as the setting {@code upstreamDeny}
     * @param ownPort whether this process, or its database, listens on a port
     */
    public UpstreamGuard(List<String> allow, List<String> deny, IntPredicate ownPort) {
        this.addresses = new AddressGuard(allow, deny, ownPort);
        this.ownPort = ownPort;
    }

    /** Returns the URLs of {@code resource} that are refused. They are valid. */
    List<FieldError> check(Object resource) {
        List<FieldError> errors = new ArrayList<>();
        if (resource instanceof Upstream upstream) {
            Integer checked = upstream.healthCheck() == null
                    ? null
                    : upstream.healthCheck().port();
            for (int i = 0; i < upstream.nodes().size(); i++) {
                String url = upstream.nodes().get(i).url();
                NodeUrl node = NodeUrl.parse(url);
                check(errors, url, node.host(), node.port(), JsonPointer.of("nodes", i, "url"));
                if (checked != null && errors.isEmpty()) {
                    check(
                            errors,
                            url + ", port " + checked,
                            node.host(),
                            checked,
                            JsonPointer.of("healthCheck", "port"));
                }
            }
        }
        if (resource instanceof Upstream upstream && upstream.discovery() != null) {
            String url = upstream.discovery().url();
            if (url != null) {
                NodeUrl found = NodeUrl.parse(url);
                check(errors, url, found.host(), found.port(), JsonPointer.of("discovery", "url"));
            }
            List<String> servers = upstream.discovery().servers();
            for (int i = 0; i < servers.size(); i++) {
                InetSocketAddress server = DnsServer.parse(servers.get(i));
                String host = server.getAddress().getHostAddress();
                check(errors, servers.get(i), host, server.getPort(), JsonPointer.of("discovery", "servers", i));
            }
        }
        Plugins plugins = ResourcePlugins.of(resource);
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
        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
        if (literal) {
            return addresses.refusal(host, Addresses.parse(host), port);
        }
        if (addresses.allows(host, port)) {
            return null;
        }
        if (addresses.denies(host, port)) {
            return "nothing of upstreamDeny";
        }
        if (Addresses.endsInNumber(host)) {
            return "an IPv4 address in dotted decimal";
        }
        String name = host.toLowerCase(Locale.ROOT);
        boolean own = name.equals("localhost") || name.endsWith(".localhost");
        return own && ownPort.test(port) ? "no port of Sigma itself" : null;
    }
}
