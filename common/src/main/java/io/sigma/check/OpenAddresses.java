package io.sigma.check;

import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds proxy servers that cannot both listen, as {@link StateCheck#sameAddress} says, without comparing each with
 * each. Confined to one check.
 */
public final class OpenAddresses {

    /** Of each place the first ones: one of them is another than the one that is looked for. */
    private static final int REMEMBERED = 2;

    private static final class Port {

        private final List<ProxyServer> all = new ArrayList<>(REMEMBERED);
        private final List<ProxyServer> everyHost = new ArrayList<>(REMEMBERED);
        private final Map<String, List<ProxyServer>> byHost = new HashMap<>();
    }

    /** By number, datagrams apart from connections. */
    private final Map<Integer, Port> ports = new HashMap<>();

    /** Adds an enabled proxy server. */
    public void add(ProxyServer server) {
        Port port = ports.computeIfAbsent(number(server), absent -> new Port());
        remember(port.all, server);
        if (StateCheck.isAny(server.host())) {
            remember(port.everyHost, server);
        }
        remember(port.byHost.computeIfAbsent(host(server), absent -> new ArrayList<>(REMEMBERED)), server);
    }

    private static void remember(List<ProxyServer> some, ProxyServer server) {
        if (some.size() < REMEMBERED) {
            some.add(server);
        }
    }

    private static int number(ProxyServer server) {
        return server.protocol() == Protocol.UDP ? -server.port() : server.port();
    }

    private static String host(ProxyServer server) {
        return server.host().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns one of another id that has the address of {@code server}, which need not be added; null when none has.
     */
    public @Nullable ProxyServer other(ProxyServer server) {
        Port port = ports.get(number(server));
        if (port == null) {
            return null;
        }
        if (StateCheck.isAny(server.host())) {
            return other(port.all, server);
        }
        ProxyServer same = other(port.byHost.getOrDefault(host(server), List.of()), server);
        return same == null ? other(port.everyHost, server) : same;
    }

    private static @Nullable ProxyServer other(List<ProxyServer> some, ProxyServer server) {
        for (ProxyServer each : some) {
            if (!each.id().equals(server.id())) {
                return each;
            }
        }
        return null;
    }
}
