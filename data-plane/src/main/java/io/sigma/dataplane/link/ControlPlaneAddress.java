package io.sigma.dataplane.link;

import io.sigma.identity.ClusterEndpoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cluster port of a control plane. */
record ControlPlaneAddress(String host, int port) {

    private static final int PORT_MAX = 65_535;

    // An IPv6 address with a port is in brackets; one without a port may be.
    private static final Pattern TEXT = Pattern.compile(
            "(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]/\\s]+))(?::(\\d{1,5}))?|([0-9a-fA-F.]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*)");

    /**
     * Returns the address that {@code text} ({@code host[:port]}) says.
     *
     * @throws IllegalArgumentException when it says none
     */
    static ControlPlaneAddress parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (matcher.matches()) {
            int port = matcher.group(3) == null ? ClusterEndpoint.PORT : Integer.parseInt(matcher.group(3));
            for (int group : new int[] {1, 2, 4}) {
                if (matcher.group(group) != null && port >= 1 && port <= PORT_MAX) {
                    return new ControlPlaneAddress(matcher.group(group), port);
                }
            }
        }
        throw new IllegalArgumentException(
                "controlPlanes: \"" + text + "\" (expected: host[:port], the port 1.." + PORT_MAX + ")");
    }

    /**
     * Returns the addresses in a random order, so that gateways spread over control planes.
     *
     * @throws IllegalArgumentException when one is wrong or there is none
     */
    static List<ControlPlaneAddress> shuffled(List<String> texts, RandomGenerator random) {
        List<ControlPlaneAddress> addresses = new ArrayList<>();
        texts.forEach(text -> addresses.add(parse(text)));
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("controlPlanes: empty (expected: host[:port] of a control plane)");
        }
        Collections.shuffle(addresses, java.util.Random.from(random));
        return addresses;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
