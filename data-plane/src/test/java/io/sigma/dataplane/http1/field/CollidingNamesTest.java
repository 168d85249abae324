package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.RouteCondition;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Heads and queries full of names that have one hash. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class CollidingNamesTest extends EngineContract {

    private static final int NAMES = 9_990;
    private static final int PARAMETERS = 2_000;
    private static final int ROUNDS = 12;
    /** The benchmark holds the gateway to 2; here the machine may be busy with something else. */
    private static final int RATIO_MAX = 6;

    /** Netty's hash of a field name takes these characters for those below them. */
    private static final String LETTERS = "xfwradexfwrade";

    private static final String TWINS = "8&72!$%8&72!$%";

    /** Returns names that have one hash as names of fields. */
    private static List<String> collidingFields() {
        List<String> found = new ArrayList<>();
        for (int bits = 0; bits < NAMES; bits++) {
            StringBuilder name = new StringBuilder(LETTERS);
            for (int i = 0; i < LETTERS.length(); i++) {
                if ((bits >> i & 1) != 0) {
                    name.setCharAt(i, TWINS.charAt(i));
                }
            }
            found.add(name.toString());
        }
        return found;
    }

    /** Returns names that have one hash as strings. */
    private static List<String> collidingStrings() {
        List<String> found = new ArrayList<>();
        for (int bits = 0; bits < PARAMETERS; bits++) {
            StringBuilder name = new StringBuilder();
            for (int i = 0; i < 12; i++) {
                name.append((bits >> i & 1) == 0 ? "Aa" : "BB");
            }
            found.add(name.toString());
        }
        return found;
    }

    private static List<String> distinct(int count, int length) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String digits = String.valueOf(i);
            found.add("n".repeat(length - digits.length()) + digits);
        }
        return found;
    }

    private Config roomy(String node) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .limits(ServerLimits.builder()
                                        .headBytesMax(1024 * 1024)
                                        .targetBytesMax(65_536)
                                        .fieldsMax(10_000)
                                        .build())
                                .build())
                .with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder()
                                .headers(List.of(RouteCondition.builder()
                                        .name("absent")
                                        .present(false)
                                        .build()))
                                .queryParameters(List.of(RouteCondition.builder()
                                        .name("absent")
                                        .present(false)
                                        .build()))
                                .build());
    }

    private static String request(List<String> names, List<String> parameters) {
        StringBuilder head = new StringBuilder("GET /?")
                .append(String.join("=1&", parameters))
                .append(" HTTP/1.1\r\nHost: a\r\n");
        names.forEach(name -> head.append(name).append(": 1\r\n"));
        return head.append("\r\n").toString();
    }

    @Test
    void namesThatCollideCostAboutWhatOthersDo() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(roomy(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .upstreamId(null)
                                            .fixedResponse(io.sigma.model.FixedResponse.builder()
                                                    .body("ok")
                                                    .build())
                                            .build()));
            String same = request(collidingFields(), collidingStrings());
            String different = request(distinct(NAMES, LETTERS.length()), distinct(PARAMETERS, 24));
            long sameNanos = Long.MAX_VALUE;
            long differentNanos = Long.MAX_VALUE;
            for (int i = 0; i < ROUNDS; i++) {
                sameNanos = Math.min(sameNanos, nanos(same));
                differentNanos = Math.min(differentNanos, nanos(different));
            }
            assertThat((double) sameNanos / differentNanos).isLessThan(RATIO_MAX);
        }
    }

    private long nanos(String request) throws Exception {
        long start = System.nanoTime();
        assertThat(exchange(request).text()).isEqualTo("ok");
        return System.nanoTime() - start;
    }

    @Test
    void moreNamesThanTheLimitAreRefusedWhateverTheyAre() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(roomy(node.url()));
            for (List<String> names : List.of(collidingFields(), distinct(NAMES, LETTERS.length()))) {
                List<String> more = new ArrayList<>(names);
                for (int i = 0; i < 20; i++) {
                    more.add("x-more-" + i);
                }
                assertThat(exchange(request(more, List.of("a"))).status()).isEqualTo(431);
            }
            assertThat(node.accepted()).isZero();
        }
    }
}
