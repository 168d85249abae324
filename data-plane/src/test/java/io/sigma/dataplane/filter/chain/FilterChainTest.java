package io.sigma.dataplane.filter.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.plugin.Phase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filters may be code of others, which can throw anything. */
@SuppressWarnings("NullAway") // None of these looks at the exchange.
final class FilterChainTest {

    private final List<String> heard = new ArrayList<>();
    private final FilterChain chain = new FilterChain(
            List.of(entry("failing", new Failing()), entry("noting", new Noting())), false, LogTarget.DEFAULT);

    private static FilterPool.Entry entry(String name, Filter filter) {
        return new FilterPool.Entry(new FilterPool.Key(name, "", name), Phase.AUTHENTICATION, filter);
    }

    /** As one whose class path lacks something, or that recurses without end. */
    public static final class Failing implements Filter {

        @Override
        public void onResponse(Exchange exchange, ResponseHead head) {
            throw new StackOverflowError("on purpose");
        }

        @Override
        public void onEnd(Exchange exchange) {
            throw new NoClassDefFoundError("on purpose");
        }
    }

    /** As one that bounds how many requests run. */
    public final class Noting implements Filter {

        @Override
        public void onResponse(Exchange exchange, ResponseHead head) {
            heard.add("response");
        }

        @Override
        public void onEnd(Exchange exchange) {
            heard.add("end");
        }
    }

    @Test
    void anErrorOfOneFilterKeepsNoOtherFromHearingOfTheResponseAndOfTheEnd() {
        assertThat(chain.onResponse(null, null)).isFalse();
        chain.onEnd(null);
        assertThat(heard).containsExactly("response", "end");
    }
}
