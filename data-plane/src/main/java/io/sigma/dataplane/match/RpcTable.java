package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.model.RpcCondition;
import io.sigma.model.RpcMatch;
import io.sigma.model.TextMatch;
import io.sigma.value.AddressRange;
import io.sigma.value.Re2;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routers of a proxy server that takes requests in frames. The most specific one takes a request: by service, then
 * by method, then by the number of header pairs, then by the longest prefix of the client's address. Immutable.
 *
 * @param <R> the type of entries
 */
public final class RpcTable<R> {

    private static final RpcTable<?> NONE = new RpcTable<>(List.of());
    private static final Comparator<Rule<?>> MOST_SPECIFIC_FIRST = Comparator.<Rule<?>, Text>comparing(Rule::service)
            .thenComparing(Rule::method)
            .thenComparingInt(rule -> -rule.headers.size())
            .thenComparingInt(rule -> -rule.prefixBits());

    /**
     * A condition on a text.
     *
     * @param exact null when another test decides
     * @param prefix null when another test decides
     * @param regex null when another test decides
     * @param present whether there must be a text at all, or must not be; without the other tests
     */
    private record Text(
            @Nullable String exact,
            @Nullable String prefix,
            @Nullable Pattern regex,
            boolean present) implements Comparable<Text> {

        static Text of(@Nullable TextMatch match) {
            if (match == null) {
                return new Text(null, null, null, true);
            }
            return new Text(
                    match.value(), match.prefix(), match.regex() == null ? null : Re2.compile(match.regex()), true);
        }

        boolean isAny() {
            return exact == null && prefix == null && regex == null;
        }

        boolean holds(@Nullable String text, ExpressionBudget budget) {
            if (exact != null) {
                return exact.equals(text);
            }
            if (prefix != null) {
                return text != null && text.startsWith(prefix);
            }
            if (regex != null) {
                return text != null && budget.matches(regex, text);
            }
            return present == (text != null);
        }

        /** Returns how specific it is: the less, the more. */
        private int rank() {
            if (exact != null) {
                return 0;
            }
            return prefix != null ? 1 : regex != null ? 2 : 3;
        }

        @Override
        public int compareTo(Text other) {
            int byRank = Integer.compare(rank(), other.rank());
            if (byRank != 0 || prefix == null || other.prefix == null) {
                return byRank;
            }
            return Integer.compare(other.prefix.length(), prefix.length());
        }
    }

    private record Pair(String name, Text value) {

        static Pair of(RpcCondition condition) {
            return new Pair(
                    condition.name(),
                    new Text(
                            condition.value(),
                            condition.prefix(),
                            condition.regex() == null ? null : Re2.compile(condition.regex()),
                            !Boolean.FALSE.equals(condition.present())));
        }
    }

    private record Rule<R>(
            Text service,
            Text method,
            List<Pair> headers,
            @Nullable AddressRange client,
            R router) {

        int prefixBits() {
            return client == null ? -1 : client.prefixBits();
        }

        boolean takes(RpcSubject request, @Nullable InetAddress address, ExpressionBudget budget) {
            return (client == null || (address != null && client.contains(address)))
                    && (service.isAny() || service.holds(request.service(), budget))
                    && (method.isAny() || method.holds(request.method(), budget))
                    && takesHeaders(request, budget);
        }

        private boolean takesHeaders(RpcSubject request, ExpressionBudget budget) {
            for (int i = 0; i < headers.size(); i++) {
                Pair pair = headers.get(i);
                if (!pair.value.holds(request.header(pair.name), budget)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<StreamTable.Entry<R>> entries;
    private final Map<String, List<Rule<R>>> exact = new HashMap<>();
    private final List<Rule<R>> others = new ArrayList<>();

    private RpcTable(List<StreamTable.Entry<R>> entries) {
        this.entries = List.copyOf(entries);
        for (StreamTable.Entry<R> entry : entries) {
            for (Rule<R> rule : rules(entry)) {
                String service = rule.service.exact;
                (service == null ? others : exact.computeIfAbsent(service, name -> new ArrayList<>())).add(rule);
            }
        }
        exact.values().forEach(rules -> rules.sort(MOST_SPECIFIC_FIRST));
        others.sort(MOST_SPECIFIC_FIRST);
    }

    private static <R> List<Rule<R>> rules(StreamTable.Entry<R> entry) {
        RpcMatch match = entry.match() == null ? null : entry.match().rpc();
        List<String> clients = entry.match() == null ? List.of() : entry.match().clientAddresses();
        Text service = Text.of(match == null ? null : match.service());
        Text method = Text.of(match == null ? null : match.method());
        List<Pair> headers = match == null
                ? List.of()
                : match.headers().stream().map(Pair::of).toList();
        if (clients.isEmpty()) {
            return List.of(new Rule<>(service, method, headers, null, entry.router()));
        }
        return clients.stream()
                .map(client -> new Rule<>(service, method, headers, AddressRange.parse(client), entry.router()))
                .toList();
    }

    /** Returns the table of {@code entries}, in the order in which they win if nothing else decides. */
    @SuppressWarnings("unchecked") // The empty one has none of any type.
    public static <R> RpcTable<R> of(List<StreamTable.Entry<R>> entries) {
        return entries.isEmpty() ? (RpcTable<R>) NONE : new RpcTable<>(entries);
    }

    /** Returns what it was made of. */
    public List<StreamTable.Entry<R>> entries() {
        return entries;
    }

    /**
     * Returns the router that takes a request; null when none does.
     *
     * @param client null when unknown
     * @throws io.sigma.dataplane.exchange.InvalidRequest when expressions take too long on it
     */
    public @Nullable R find(RpcSubject request, @Nullable InetAddress client) {
        ExpressionBudget budget = new ExpressionBudget();
        List<Rule<R>> rules = exact.isEmpty() ? null : exact.get(request.service());
        R found = rules == null ? null : first(rules, request, client, budget);
        return found == null ? first(others, request, client, budget) : found;
    }

    private static <R> @Nullable R first(
            List<Rule<R>> rules, RpcSubject request, @Nullable InetAddress client, ExpressionBudget budget) {
        for (int i = 0; i < rules.size(); i++) {
            Rule<R> rule = rules.get(i);
            if (rule.takes(request, client, budget)) {
                return rule.router;
            }
        }
        return null;
    }
}
