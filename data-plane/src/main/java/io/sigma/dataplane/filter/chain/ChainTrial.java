package io.sigma.dataplane.filter.chain;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.FilterEffect;
import io.sigma.model.FilterTrial;
import io.sigma.model.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows a request that is only tried out to those filters of a chain that depend on nothing else, and tells of the
 * others that they are there. Nothing is counted. Confined to one call.
 */
public final class ChainTrial implements Replies {

    /**
     * The plugins of one resource.
     *
     * @param pointer of the resource, such as {@code /routes/shop-api}
     * @param plugins null for none
     */
    public record Level(String pointer, @Nullable Plugins plugins) {}

    /**
     * The outcome of the request.
     *
     * @param filters in the order in which they see requests
     * @param status of the filter that answered it; 0 when none did
     * @param refused whether that answer is an error
     */
    public record Result(List<FilterTrial> filters, int status, boolean refused) {

        public Result {
            filters = List.copyOf(filters);
        }
    }

    private final List<Level> levels;
    private int status;
    private boolean refused;

    private ChainTrial(List<Level> levels) {
        this.levels = levels;
    }

    /**
     * Returns what {@code chain} does with the request of {@code exchange}, which is changed as the filters change it.
     *
     * @param levels from the most general on
     */
    public static Result run(FilterChain chain, List<Level> levels, Exchange exchange) {
        ChainTrial trial = new ChainTrial(levels);
        List<FilterTrial> filters = new ArrayList<>();
        for (FilterPool.Entry entry : chain.entries()) {
            boolean reached = trial.status == 0;
            FilterEffect effect = reached ? trial.effect(entry.filter(), exchange) : FilterEffect.NOT_REACHED;
            filters.add(FilterTrial.builder()
                    .plugin(entry.key().name())
                    .phase(entry.phase().name())
                    .origins(trial.origins(entry.key().name()))
                    .effect(effect)
                    .status(effect == FilterEffect.ANSWERS ? trial.status : null)
                    .build());
        }
        return new Result(filters, trial.status, trial.refused);
    }

    private FilterEffect effect(Filter filter, Exchange exchange) {
        if (!FilterChain.overrides(filter, "onRequest", Exchange.class, Replies.class)) {
            return FilterEffect.RESPONSES_ONLY;
        }
        if (!filter.isPure()) {
            return FilterEffect.NOT_TRIED;
        }
        filter.onRequest(exchange, this);
        return status == 0 ? FilterEffect.PASSES : FilterEffect.ANSWERS;
    }

    /** Returns what configures a plugin: the most specific level, or each of which it takes something. */
    private List<String> origins(String name) {
        List<String> origins = new ArrayList<>();
        boolean several = name.equals("compression");
        for (Level level : levels) {
            if (level.plugins() != null && PluginTypes.isConfigured(name, level.plugins())) {
                if (!several) {
                    origins.clear();
                }
                origins.add(level.pointer());
            }
        }
        return origins;
    }

    @Override
    public void answer(ResponseHead head, byte[] body) {
        status = head.status();
    }

    @Override
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        status = head.status();
    }

    @Override
    public void fail(ErrorKind kind, Map<String, String> fields) {
        status = kind.status();
        refused = true;
    }

    @Override
    public void proceed() {
        throw new IllegalStateException("a pure filter decides at once");
    }

    @Override
    public void after(long millis, Runnable task) {
        throw new IllegalStateException("a pure filter decides at once");
    }

    @Override
    public void offLoop(Runnable task, Runnable done) {
        throw new IllegalStateException("a pure filter decides at once");
    }
}
