package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.HealthCheck;
import io.sigma.model.JwtPlugin;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Plugins;
import io.sigma.model.TracingPlugin;
import io.sigma.model.Upstream;
import io.sigma.value.AddressGuard;
import io.sigma.value.Addresses;
import io.sigma.value.DnsServer;
import io.sigma.value.FetchUrl;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.sigma.value.NodeUrl;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An address that gateways connect to because a resource names it. Control planes judge all of them when they are
 * written, and gateways when they vote, by {@link AddressGuard}; so a field that names an address belongs here.
 *
 * @param pointer to the field in the resource
 * @param text as it stands there
 * @param host a name or a literal, an IPv6 one without brackets
 */
public record TargetAddress(String pointer, String text, String host, int port) {

    /**
     * Returns all that {@code resource} names and that can be read, also where the plugin or the resource is not
     * enabled. Pure.
     */
    public static List<TargetAddress> of(@Nullable Object resource) {
        List<TargetAddress> all = new ArrayList<>();
        if (resource instanceof Upstream upstream) {
            nodes(all, upstream);
            discovery(all, upstream.discovery());
        }
        Plugins plugins = ResourcePlugins.of(resource);
        if (plugins != null) {
            JwtPlugin jwt = plugins.jwt();
            fetched(all, jwt == null ? null : jwt.jwksUrl(), "plugins", "jwt", "jwksUrl");
            TracingPlugin tracing = plugins.tracing();
            fetched(all, tracing == null ? null : tracing.endpoint(), "plugins", "tracing", "endpoint");
        }
        return all;
    }

    /**
     * Returns why no gateway may connect there, as far as the text says by itself where it leads; null when it may, or
     * when only an answer of DNS could say.
     */
    public @Nullable Mismatch refusal(AddressGuard guard) {
        String expected = guard.refusal(host, port);
        return expected == null ? null : Mismatch.quoted(text, expected + ", or an entry in upstreamAllow");
    }

    private static void nodes(List<TargetAddress> all, Upstream upstream) {
        HealthCheck check = upstream.healthCheck();
        Integer checked = check == null ? null : check.port();
        for (int i = 0; i < upstream.nodes().size(); i++) {
            String text = upstream.nodes().get(i).url();
            NodeUrl url = node(text);
            if (url != null) {
                all.add(new TargetAddress(JsonPointer.of("nodes", i, "url"), text, url.host(), url.port()));
                if (checked != null) {
                    String both = text + ", port " + checked;
                    all.add(new TargetAddress(JsonPointer.of("healthCheck", "port"), both, url.host(), checked));
                }
            }
        }
    }

    private static void discovery(List<TargetAddress> all, @Nullable NodeDiscovery discovery) {
        if (discovery == null) {
            return;
        }
        String text = discovery.url();
        NodeUrl url = text == null ? null : node(text);
        if (text != null && url != null) {
            all.add(new TargetAddress(JsonPointer.of("discovery", "url"), text, url.host(), url.port()));
        }
        for (int i = 0; i < discovery.servers().size(); i++) {
            String server = discovery.servers().get(i);
            try {
                InetSocketAddress address = DnsServer.parse(server);
                String host = Addresses.text(address.getAddress());
                all.add(new TargetAddress(JsonPointer.of("discovery", "servers", i), server, host, address.getPort()));
            } catch (InvalidValue e) {
                // Other checks say so.
            }
        }
    }

    private static @Nullable NodeUrl node(String text) {
        try {
            return NodeUrl.parse(text);
        } catch (InvalidValue e) {
            return null; // Other checks say so.
        }
    }

    private static void fetched(List<TargetAddress> all, @Nullable String text, Object... pointer) {
        if (text == null) {
            return;
        }
        try {
            URI url = FetchUrl.parse(text);
            all.add(new TargetAddress(JsonPointer.of(pointer), text, FetchUrl.host(url), FetchUrl.port(url)));
        } catch (InvalidValue e) {
            // Other checks say so.
        }
    }
}
