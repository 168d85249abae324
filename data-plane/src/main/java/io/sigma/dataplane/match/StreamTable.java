package io.sigma.dataplane.match;

import io.sigma.check.StreamConditions;
import io.sigma.model.StreamMatch;
import io.sigma.value.AddressRange;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routers of a proxy server that speaks no HTTP. The most specific one takes a connection: by server name, then by
 * ALPN in the order of the client, then by the longest prefix of the client's address. Immutable.
 *
 * @param <R> the type of entries
 */
public final class StreamTable<R> {

    private static final StreamTable<?> NONE = new StreamTable<>(List.of());

    /** A router with its conditions. */
    public record Entry<R>(@Nullable StreamMatch match, R router) {}

    private record Rule<R>(@Nullable String alpn, @Nullable AddressRange client, R router) {

        int prefixBits() {
            return client == null ? -1 : client.prefixBits();
        }

        boolean takes(@Nullable InetAddress address) {
            return client == null || (address != null && client.contains(address));
        }
    }

    private final List<Entry<R>> entries;
    private final Map<String, List<Rule<R>>> exact = new HashMap<>();
    /** By what follows the wildcard. */
    private final Map<String, List<Rule<R>>> wildcards = new HashMap<>();

    private final List<Rule<R>> others = new ArrayList<>();

    private StreamTable(List<Entry<R>> entries) {
        this.entries = List.copyOf(entries);
        for (Entry<R> entry : entries) {
            for (StreamConditions each : StreamConditions.of(entry.match)) {
                rules(each.sni()).add(new Rule<>(each.alpn(), each.client(), entry.router));
            }
        }
        Comparator<Rule<R>> longestFirst =
                Comparator.<Rule<R>>comparingInt(Rule::prefixBits).reversed();
        exact.values().forEach(rules -> rules.sort(longestFirst));
        wildcards.values().forEach(rules -> rules.sort(longestFirst));
        others.sort(longestFirst);
    }

    private List<Rule<R>> rules(@Nullable HostPattern sni) {
        if (sni == null) {
            return others;
        }
        return (sni.wildcard() ? wildcards : exact).computeIfAbsent(sni.name(), name -> new ArrayList<>());
    }

    /** Returns a table without routers. */
    @SuppressWarnings("unchecked") // It has none of any type.
    public static <R> StreamTable<R> none() {
        return (StreamTable<R>) NONE;
    }

    /** Returns the table of {@code entries}. No two of them have a combination of conditions in common. */
    public static <R> StreamTable<R> of(List<Entry<R>> entries) {
        return entries.isEmpty() ? none() : new StreamTable<>(entries);
    }

    /** Returns what it was made of. */
    public List<Entry<R>> entries() {
        return entries;
    }

    /**
     * Returns the router that takes a connection; null when none does.
     *
     * @param serverName in lower case; null for none
     * @param protocols that the client offers
     * @param client null when unknown
     */
    public @Nullable R find(@Nullable String serverName, List<String> protocols, @Nullable InetAddress client) {
        if (serverName != null) {
            R found = first(exact.get(serverName), protocols, client);
            for (int dot = serverName.indexOf('.'); found == null && dot >= 0; dot = serverName.indexOf('.', dot + 1)) {
                found = first(wildcards.get(serverName.substring(dot + 1)), protocols, client);
            }
            if (found != null) {
                return found;
            }
        }
        return first(others, protocols, client);
    }

    private static <R> @Nullable R first(
            @Nullable List<Rule<R>> rules, List<String> protocols, @Nullable InetAddress client) {
        if (rules == null) {
            return null;
        }
        for (String protocol : protocols) {
            R found = first(rules, protocol, client);
            if (found != null) {
                return found;
            }
        }
        return first(rules, (String) null, client);
    }

    private static <R> @Nullable R first(List<Rule<R>> rules, @Nullable String alpn, @Nullable InetAddress client) {
        for (Rule<R> rule : rules) {
            if (Objects.equals(rule.alpn, alpn) && rule.takes(client)) {
                return rule.router;
            }
        }
        return null;
    }
}
