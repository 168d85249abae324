package io.sigma.check;

import io.sigma.model.Protocol;
import io.sigma.model.RpcCondition;
import io.sigma.model.RpcMatch;
import io.sigma.model.StreamMatch;
import io.sigma.model.TextMatch;
import io.sigma.value.Mismatch;
import io.sigma.value.Re2;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks which requests a router of BOLT, DUBBO or THRIFT takes. */
final class RpcMatchCheck {

    private RpcMatchCheck() {}

    static void check(Findings findings, RpcMatch match) {
        text(findings, match.service(), "service");
        text(findings, match.method(), "method");
        Set<String> exact = new HashSet<>();
        for (int i = 0; i < match.headers().size(); i++) {
            RpcCondition condition = match.headers().get(i);
            int said = count(condition.value(), condition.prefix(), condition.regex(), condition.present());
            findings.require(
                    said == 1,
                    Mismatch.of(said + " of them", "exactly one of value, prefix, regex and present"),
                    "headers",
                    i);
            regex(findings, condition.regex(), "headers", i, "regex");
            findings.require(
                    condition.value() == null || exact.add(condition.name()),
                    Mismatch.quoted(condition.name(), "one condition for each name"),
                    "headers",
                    i,
                    "name");
        }
    }

    private static void text(Findings findings, @Nullable TextMatch text, String field) {
        if (text != null) {
            int said = count(text.value(), text.prefix(), text.regex());
            findings.require(
                    said == 1, Mismatch.of(said + " of them", "exactly one of value, prefix and regex"), field);
            regex(findings, text.regex(), field, "regex");
        }
    }

    private static void regex(Findings findings, @Nullable String regex, Object... pointer) {
        if (regex != null) {
            findings.parse(() -> Re2.compile(regex), pointer);
        }
    }

    private static int count(@Nullable Object... values) {
        int set = 0;
        for (Object value : values) {
            set += value == null ? 0 : 1;
        }
        return set;
    }

    /** Checks that requests of {@code protocol} have what {@code match} asks for; pointers are those of the router. */
    static void fits(Findings findings, @Nullable StreamMatch match, Protocol protocol) {
        if (match == null) {
            return;
        }
        Mismatch stream = Mismatch.present("only with protocol TCP or TLS");
        findings.require(match.sni().isEmpty(), stream, "match", "sni");
        findings.require(match.alpn().isEmpty(), stream, "match", "alpn");
        RpcMatch rpc = match.rpc();
        if (rpc != null) {
            boolean bolt = protocol == Protocol.BOLT;
            findings.require(
                    !bolt || rpc.method() == null,
                    Mismatch.present("only with protocol DUBBO or THRIFT"),
                    "match",
                    "rpc",
                    "method");
            findings.require(
                    bolt || rpc.headers().isEmpty(),
                    Mismatch.present("only with protocol BOLT"),
                    "match",
                    "rpc",
                    "headers");
        }
    }

    /** Returns the same conditions in the same order for all that ask for the same; null for none. */
    static @Nullable RpcMatch normal(@Nullable RpcMatch match) {
        if (match == null || match.equals(RpcMatch.builder().build())) {
            return null;
        }
        List<RpcCondition> headers = new ArrayList<>(match.headers());
        headers.sort(Comparator.comparing(RpcCondition::name).thenComparing(RpcCondition::toString));
        return match.toBuilder().headers(headers).build();
    }

    /** Returns the conditions as people read them. */
    static String text(RpcMatch match) {
        List<String> parts = new ArrayList<>();
        if (match.service() != null) {
            parts.add("service " + text(match.service()));
        }
        if (match.method() != null) {
            parts.add("method " + text(match.method()));
        }
        match.headers().forEach(header -> parts.add("header " + header.name()));
        return String.join(", ", parts);
    }

    private static String text(TextMatch match) {
        return match.value() != null
                ? match.value()
                : match.prefix() != null ? match.prefix() + "*" : "~" + match.regex();
    }
}
