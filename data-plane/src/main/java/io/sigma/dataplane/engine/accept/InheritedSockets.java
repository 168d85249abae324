package io.sigma.dataplane.engine.accept;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets that another process has bound and handed over, by address. Nothing accepts from them before they are taken.
 * To be guarded by its user.
 */
final class InheritedSockets {

    private static final Logger LOG = LoggerFactory.getLogger(InheritedSockets.class);

    private final Map<String, List<Integer>> descriptors = new TreeMap<>();

    void add(String address, List<Integer> sockets) {
        descriptors.put(address, sockets);
    }

    boolean has(String address) {
        return descriptors.containsKey(address);
    }

    /** Returns the addresses whose sockets nobody has taken. */
    Set<String> left() {
        return new TreeSet<>(descriptors.keySet());
    }

    /** Takes the descriptors of an address, which the caller closes from now on; empty when there are none. */
    List<Integer> take(String address) {
        List<Integer> taken = descriptors.remove(address);
        return taken == null ? List.of() : taken;
    }

    /** Closes those that nobody has taken. */
    void close() {
        left().forEach(address -> close(take(address)));
    }

    static void close(List<Integer> descriptors) {
        for (int fd : descriptors) {
            try {
                new FileDescriptor(fd).close();
            } catch (IOException e) {
                LOG.debug("Descriptor {} could not be closed", fd, e);
            }
        }
    }

    /**
     * Returns the descriptors of an address for a process that accepts on {@code loops} event loops: each socket at
     * least once, because the kernel gives each its share of the connections, and one for each loop at least.
     */
    static List<Integer> forLoops(List<Integer> sockets, int loops) {
        List<Integer> all = new ArrayList<>(sockets);
        for (int i = all.size(); i < loops && !sockets.isEmpty(); i++) {
            all.add(sockets.get(i % sockets.size()));
        }
        return all;
    }
}
