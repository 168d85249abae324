package io.sigma.dataplane.upstream.balance;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.rule.Cookies;
import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The part of a request that a consistent hash looks at. Immutable.
 *
 * @param name of the header, cookie or query parameter
 * @param loadPercentMax of a node's fair share of the requests in progress; 0 for no bound
 */
public record HashInput(HashSource source, String name, int loadPercentMax) {

    /** Returns what {@code key} says, or the client's address when it is absent. */
    public static HashInput of(@Nullable HashKey key) {
        HashKey given = key == null ? HashKey.builder().build() : key;
        return new HashInput(given.source(), given.name() == null ? "" : given.name(), given.loadPercentMax());
    }

    /** Returns the hash of what {@code exchange} has; 0 when it has none. */
    public long hashOf(Exchange exchange) {
        return switch (source) {
            case CLIENT_ADDRESS -> mix(Fnv1a.hash(exchange.clientAddress().getAddress()));
            case CLIENT_ADDRESS_AND_PORT ->
                hash(exchange.clientAddress(), exchange.request().remotePort());
            case SERVER_NAME -> hash(exchange.request().host());
            case HEADER -> hash(exchange.request().fields().get(name));
            case COOKIE -> hash(Cookies.first(exchange.request().fields().all("cookie"), name));
            case QUERY -> hash(parameter(exchange.request().query()));
        };
    }

    /**
     * Returns the hash of a connection without HTTP; 0 when it does not have what is hashed.
     *
     * @param client null when unknown
     * @param serverName that the client asked for by TLS, in lower case; null for none
     */
    public long hashOf(@Nullable InetSocketAddress client, @Nullable String serverName) {
        return switch (source) {
            case CLIENT_ADDRESS ->
                client == null ? 0 : mix(Fnv1a.hash(client.getAddress().getAddress()));
            case CLIENT_ADDRESS_AND_PORT -> client == null ? 0 : hash(client.getAddress(), client.getPort());
            case SERVER_NAME -> hash(serverName);
            case HEADER, COOKIE, QUERY -> 0;
        };
    }

    private static long hash(InetAddress address, int port) {
        return mix(mix(Fnv1a.hash(address.getAddress())) + port);
    }

    private @Nullable String parameter(@Nullable String query) {
        return query == null ? null : pair(query);
    }

    /** Returns the value of the first pair of that name, as it was sent. */
    private @Nullable String pair(String text) {
        int start = 0;
        while (start <= text.length()) {
            int end = text.indexOf('&', start);
            end = end < 0 ? text.length() : end;
            int value = start + name.length() + 1;
            if (value <= end && text.startsWith(name, start) && text.charAt(value - 1) == '=') {
                return text.substring(value, end);
            }
            start = end + 1;
        }
        return null;
    }

    public static long hash(@Nullable String text) {
        return text == null || text.isEmpty() ? 0 : mix(Fnv1a.hash(text));
    }

    /** The finalizer of MurmurHash3; never 0. */
    public static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        mixed ^= mixed >>> 33;
        return mixed == 0 ? 1 : mixed;
    }
}
