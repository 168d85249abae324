package io.sigma.controlplane.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * The routes of those hosts of a proxy server that the same routers serve. Compared by identity; confined to the
 * analysis.
 */
final class HostTree {

    /** Stands for any host. */
    static final String ANY = "";

    private final PathTree tree = new PathTree();

    PathTree tree() {
        return tree;
    }

    /** Returns the patterns that are less specific than {@code host} and take its requests too, the next one first. */
    static List<String> wider(String host) {
        List<String> wider = new ArrayList<>();
        if (host.equals(ANY)) {
            return wider;
        }
        String name = host.startsWith("*.") ? host.substring(2) : host;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            wider.add("*" + name.substring(dot));
        }
        wider.add(ANY);
        return wider;
    }
}
