package io.sigma.check;

import io.sigma.model.RpcMatch;
import io.sigma.model.StreamMatch;
import io.sigma.value.AddressRange;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A combination of the conditions of a router without HTTP.
 *
 * @param sni null for any
 * @param alpn null for any
 * @param client null for any
 * @param rpc null for any; its conditions on headers are in order
 */
public record StreamConditions(
        @Nullable HostPattern sni,
        @Nullable String alpn,
        @Nullable AddressRange client,
        @Nullable RpcMatch rpc) {

    /** Most combinations of one router. */
    static final int COMBINATIONS_MAX = 4096;

    /** Returns the combinations of {@code match}, null for no conditions; none when it is not valid. */
    public static List<StreamConditions> of(@Nullable StreamMatch match) {
        if (match == null) {
            return List.of(new StreamConditions(null, null, null, null));
        }
        List<StreamConditions> all = new ArrayList<>();
        RpcMatch rpc = RpcMatchCheck.normal(match.rpc());
        try {
            if (combinations(match) > COMBINATIONS_MAX) {
                return List.of();
            }
            for (HostPattern sni : orAny(match.sni().stream().map(HostPattern::parse))) {
                for (String alpn : orAny(match.alpn().stream())) {
                    for (AddressRange client : orAny(match.clientAddresses().stream()
                            .map(AddressRange::parse)
                            .map(AddressRange::normal))) {
                        all.add(new StreamConditions(sni, alpn, client, rpc));
                    }
                }
            }
        } catch (InvalidValue e) {
            return List.of();
        }
        return all;
    }

    static long combinations(StreamMatch match) {
        return (long) Math.max(1, match.sni().size())
                * Math.max(1, match.alpn().size())
                * Math.max(1, match.clientAddresses().size());
    }

    @SuppressWarnings("NullAway") // The list has null for any.
    private static <T> List<T> orAny(Stream<T> given) {
        List<T> some = given.toList();
        return some.isEmpty() ? Arrays.asList((T) null) : some;
    }

    @Override
    public String toString() {
        String text = Stream.of(
                        sni == null ? "" : "sni " + sni,
                        alpn == null ? "" : "alpn " + alpn,
                        client == null ? "" : "client " + client.text(),
                        rpc == null ? "" : RpcMatchCheck.text(rpc))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "no conditions" : text;
    }
}
