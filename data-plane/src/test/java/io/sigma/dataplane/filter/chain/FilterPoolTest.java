package io.sigma.dataplane.filter.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.Plugins;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FilterPoolTest {

    private static final PluginSet SILENT = PluginSet.NONE.with(
            Plugins.builder()
                    .accessLog(AccessLogPlugin.builder().enabled(false).build())
                    .build(),
            "/routes/silent");

    private static FilterPool pool() {
        return new FilterPool(FilterServices.NONE, null, Map.of());
    }

    @Test
    void aChainIsTheSameAsLongAsAnythingUsesIt() {
        FilterPool first = pool();
        FilterChain chain = first.chain(SILENT);
        assertThat(first.chain(SILENT)).isSameAs(chain);
        first.complete();

        FilterPool second = first.next();
        second.release(SILENT);
        second.complete();
        FilterPool third = second.next();
        assertThat(third.chain(SILENT)).isSameAs(chain);
        third.release(SILENT);
        third.release(SILENT);
        third.complete();

        assertThat(third.next().chain(SILENT)).isNotSameAs(chain);
        // What was complete stays as it was.
        assertThat(first.next().chain(SILENT)).isSameAs(chain);
    }

    @Test
    void whatIsReleasedAndUsedAgainInOneCompilationIsTheSame() {
        FilterPool first = pool();
        FilterChain chain = first.chain(SILENT);
        first.complete();

        FilterPool second = first.next();
        second.release(SILENT);

        assertThat(second.chain(SILENT)).isSameAs(chain);
    }
}
