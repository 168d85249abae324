package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.StreamMatch;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Checks the conditions of one router without HTTP by themselves. */
final class StreamMatchCheck {

    private StreamMatchCheck() {}

    static void check(Findings findings, StreamMatch match) {
        each(findings, match.sni(), "sni", StreamMatchCheck::serverName);
        each(findings, match.alpn(), "alpn", StreamMatchCheck::protocol);
        each(
                findings,
                match.clientAddresses(),
                "clientAddresses",
                text -> AddressRange.parse(text).normal());
        if (match.rpc() != null) {
            RpcMatchCheck.check(findings.at("rpc"), match.rpc());
        }
        long combinations = StreamConditions.combinations(match);
        findings.require(
                combinations <= StreamConditions.COMBINATIONS_MAX,
                Mismatch.of(
                        combinations + " combinations",
                        "at most " + StreamConditions.COMBINATIONS_MAX + "; several routers can share a proxy pass"));
    }

    private static void each(Findings findings, List<String> values, String field, Function<String, Object> parse) {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < values.size(); i++) {
            String text = values.get(i);
            String place = JsonPointer.of(field, i);
            findings.parse(
                    () -> {
                        if (!seen.add(parse.apply(text))) {
                            findings.add(Faults.duplicate(place, "\"" + text + "\"", "each value once"));
                        }
                    },
                    field,
                    i);
        }
    }

    /** RFC 6066 §3: a server name is no address. */
    private static Object serverName(String text) {
        HostPattern pattern = HostPattern.parse(text);
        if (text.startsWith("[") || Addresses.isIpv4(pattern.name())) {
            throw new InvalidValue(Mismatch.quoted(text, "a server name such as mail.example.com, or *. and a name"));
        }
        return pattern;
    }

    /** A name is any octets (RFC 7301 §3.1). All registered names are visible ASCII, and only those are taken. */
    private static Object protocol(String text) {
        if (!text.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw new InvalidValue(Mismatch.quoted(text, "the name of a protocol such as h2, in visible ASCII"));
        }
        return text;
    }
}
