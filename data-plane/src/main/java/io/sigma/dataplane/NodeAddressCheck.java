package io.sigma.dataplane;

import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.AddressGuard;
import io.sigma.value.Addresses;
import io.sigma.value.NodeUrl;
import java.util.HashSet;
import java.util.Set;

/**
 * Part of the vote: says of nodes that are addresses whether this gateway would connect to them. What is served already is not judged
 * again, and nothing is refused when it is served: one node that may not be connected to keeps no other from its requests.
 */
final class NodeAddressCheck {

    private NodeAddressCheck() {}

    /** @throws SnapshotRefused naming the first node that no connection would be made to */
    static void check(RuntimeSnapshot next, RuntimeSnapshot served, AddressGuard addresses) {
        if (next.hasUpstreamsOf(served)) {
            return;
        }
        Set<String> known = new HashSet<>();
        served.source()
                .state()
                .upstreams()
                .values()
                .forEach(upstream -> upstream.nodes().forEach(node -> known.add(node.url())));
        // Also of upstreams that no proxy pass names: naming one must not be what is refused.
        next.source().state().upstreams().forEach((id, upstream) -> {
            for (int i = 0; i < upstream.nodes().size(); i++) {
                String url = upstream.nodes().get(i).url();
                if (!known.contains(url)) {
                    check(id, i, NodeUrl.parse(url), addresses);
                }
            }
        });
    }

    private static void check(String upstreamId, int index, NodeUrl url, AddressGuard addresses) {
        String host = url.host();
        if (Addresses.isIpv4(host) || Addresses.isIpv6(host)) {
            String expected = addresses.refusal(host, Addresses.parse(host), url.port());
            if (expected != null) {
                throw new SnapshotRefused(
                        JsonPointer.of(ResourceType.UPSTREAM.field(), upstreamId, "nodes", index, "url"),
                        "\"" + url.text() + "\" (expected: " + expected + ", or an entry in upstreamAllow)");
            }
        }
    }
}
