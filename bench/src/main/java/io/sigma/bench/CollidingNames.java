package io.sigma.bench;

import io.netty.util.AsciiString;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.vertx.core.http.HttpHeaders;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a head full of names that all have the hash of a field that the gateway looks for, against a head of as many
 * names with different hashes: filling the fields, dropping those of the connection, a match on a header field and a
 * query parameter, and telling the node who the client is.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CollidingNames {

    private static final Downstream NOBODY = new Nobody();

    private static final int NAMES = 8_000;

    private static final String LOOKED_FOR = "x-forwarded-for";

    /** The hash by which fields are found takes these letters for the characters below. */
    private static final String LETTERS = "xfwrade-";

    private static final String TWINS = "8&72!$%m";

    /** The hashes of the names. */
    public enum Hash {
        DIFFERENT,
        SAME
    }

    private record Found(RouteRule rule) implements Routed {}

    @Param
    Hash hash = Hash.SAME;

    private final TrustedProxies trusted = new TrustedProxies(List.of(), List.of(), false);
    private final ForwardedFields forwarded = new ForwardedFields(ForwardedHeaders.ALL);
    private List<String> names = List.of();
    private String query = "";
    private RouteTable<Found> table = RouteTable.of(List.of(), null);

    @Setup
    public void fill() {
        names = hash == Hash.SAME ? colliding() : distinct();
        query = String.join("=1&", hash == Hash.SAME ? collidingInJava() : distinct());
        RouteCondition absent =
                RouteCondition.builder().name("AaAaAaAaAaAaAb").present(false).build();
        RouteCondition field =
                RouteCondition.builder().name(LOOKED_FOR).present(false).build();
        Route route = Route.builder()
                .id("route")
                .routerId("router")
                .proxyPassId("pass")
                .path("/*")
                .headers(List.of(field))
                .queryParameters(List.of(absent))
                .build();
        table = RouteTable.of(List.of(RouterRoutes.of(List.of(), List.of(new Found(RouteRule.of(route, true))))), null);
    }

    /** Returns names that have the hash of the one that is looked for, as the fields are hashed. */
    private static List<String> colliding() {
        List<String> found = new ArrayList<>(List.of(LOOKED_FOR));
        for (int i = 0; i < LOOKED_FOR.length(); i++) {
            int letter = LETTERS.indexOf(LOOKED_FOR.charAt(i));
            List<String> names = letter < 0 ? List.of() : List.copyOf(found);
            for (String name : names) {
                found.add(name.substring(0, i) + TWINS.charAt(letter) + name.substring(i + 1));
            }
        }
        found.removeIf(name -> AsciiString.hashCode(name) != AsciiString.hashCode(LOOKED_FOR));
        found.remove(LOOKED_FOR);
        return check(found);
    }

    /** Returns names that have one hash as strings. */
    private static List<String> collidingInJava() {
        List<String> found = new ArrayList<>(List.of(""));
        for (int i = 0; i < 13; i++) {
            List<String> longer = new ArrayList<>();
            found.forEach(name -> {
                longer.add(name + "Aa");
                longer.add(name + "BB");
            });
            found = longer;
        }
        return check(found);
    }

    private static List<String> distinct() {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            found.add("x-name-" + (10_000_000 + i));
        }
        return found;
    }

    private static List<String> check(List<String> found) {
        Set<String> different = new HashSet<>(found);
        if (different.size() < NAMES) {
            throw new IllegalStateException(different.size() + " names (expected: " + NAMES + ")");
        }
        return List.copyOf(found.subList(0, NAMES));
    }

    /** Handles a head. */
    @Benchmark
    public @Nullable Object head() {
        MultiMapFields fields = new MultiMapFields(HttpHeaders.headers());
        for (int i = 0; i < names.size(); i++) {
            fields.add(names.get(i), "1");
        }
        ConnectionFields.stripRequest(fields, 2 * NAMES);
        InetAddress client = InetAddress.getLoopbackAddress();
        RequestHead head =
                new RequestHead("HTTP/1.1", false, "GET", "a", 80, "a", "/", query, fields, 0, client, 1, 80);
        trusted.strip(head);
        Object found = table.match(head, client);
        forwarded.apply(new Exchange(head, NOBODY, 0, 0), "");
        return found;
    }

    /** A client who is answered nothing. */
    private static final class Nobody implements Downstream {

        @Override
        public ResponseHead head(int status) {
            throw new IllegalStateException("nobody is answered");
        }

        @Override
        public @Nullable String clientSubject() {
            return null;
        }

        @Override
        public void answer(ResponseHead head, byte[] body) {
            throw new IllegalStateException("nobody is answered");
        }

        @Override
        public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
            throw new IllegalStateException("nobody is answered");
        }

        @Override
        public boolean isAnswered() {
            return false;
        }

        @Override
        public boolean isCommitted() {
            return false;
        }

        @Override
        public void abort() {
            throw new IllegalStateException("nobody is answered");
        }

        @Override
        public void closeAfterAnswer() {
            throw new IllegalStateException("nobody is answered");
        }
    }
}
