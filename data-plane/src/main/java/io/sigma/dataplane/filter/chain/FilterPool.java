package io.sigma.dataplane.filter.chain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.dataplane.filter.ConsumerDirectory;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.PluginType;
import io.sigma.dataplane.filter.auth.AuthenticationGate;
import io.sigma.dataplane.filter.extension.ExtensionFilter;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.json.JsonPointer;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.Consumer;
import io.sigma.model.Plugins;
import io.sigma.plugin.InvalidExtension;
import io.sigma.plugin.Phase;
import io.sigma.plugin.PluginProvider;
import io.sigma.value.InvalidValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters of one snapshot. A filter whose plugin did not change is that of the snapshot before, with all that it
 * remembers. Confined to the thread that compiles until it is complete, then unchanged.
 */
public final class FilterPool {

    private static final Logger LOG = LoggerFactory.getLogger(FilterPool.class);

    /**
     * The identity of a filter: equal keys share one filter.
     *
     * @param origin the resource that configures the plugin; empty when the filter remembers nothing
     */
    record Key(String name, String origin, Object configuration) {}

    /** A filter with its key, in a chain. */
    record Entry(Key key, Phase phase, Filter filter) {}

    private final FilterServices services;
    /** This one itself once it is complete: else every pool that there ever was would be kept. */
    private FilterPool before;

    private final ConsumerDirectory consumers;
    private final UseCounts<PluginSet, FilterChain> chains;
    /** The number of chains that use each filter. */
    private final UseCounts<Key, Filter> filters;
    /** Made by {@link #check} and in no chain yet. */
    private final Map<Key, Filter> tried = new HashMap<>();

    /** Begins without any use of a chain; a chain that {@code before} has is the same one. */
    public FilterPool(FilterServices services, @Nullable FilterPool before, Map<String, Consumer> consumers) {
        this.services = services;
        this.before = before == null ? this : before;
        this.chains = new UseCounts<>();
        this.filters = new UseCounts<>();
        ConsumerDirectory known = before == null ? ConsumerDirectory.EMPTY : before.consumers;
        this.consumers = known.isOf(consumers) ? known : new ConsumerDirectory(consumers);
    }

    /** Begins with all that {@code before} has; the consumers are the same. */
    private FilterPool(FilterPool before) {
        this.services = before.services;
        this.before = before;
        this.chains = new UseCounts<>(before.chains);
        this.filters = new UseCounts<>(before.filters);
        this.consumers = before.consumers;
    }

    /** Returns a pool that begins with every use that this one has. */
    public FilterPool next() {
        return new FilterPool(this);
    }

    /** To be called once there is nothing more to add. */
    public void complete() {
        before = this;
        chains.complete();
        filters.complete();
        tried.forEach((key, filter) -> {
            if (filters.get(key) == null) {
                close(key, filter);
            }
        });
        tried.clear();
    }

    /**
     * Makes the filters of one resource, whether or not a chain will have them: what is wrong is told where it is
     * configured, also when nothing refers to the resource.
     *
     * @param pointer of the resource, such as {@code /proxyPasses/to-shop}
     * @throws InvalidExtension with a pointer into the whole state, when a plugin cannot be made
     */
    public void check(@Nullable Plugins plugins, String pointer) {
        if (plugins == null) {
            return;
        }
        PluginSet own = PluginSet.NONE.with(plugins, pointer);
        for (PluginType<?> type : PluginTypes.ALL) {
            check(type, own, pointer);
        }
        for (String name : plugins.extensions().keySet()) {
            Entry extension = extension(own, name);
            if (extension != null && known(extension.key()) == null) {
                tried.put(extension.key(), extension.filter());
            }
        }
        log(plugins.accessLog(), pointer);
    }

    private <P> void check(PluginType<P> type, PluginSet own, String pointer) {
        P plugin = type.active(own.plugins());
        if (plugin != null) {
            Key key = new Key(type.name(), own.origin(type.name()), plugin);
            if (known(key) == null) {
                tried.put(key, make(type, plugin, pointer));
            }
        }
    }

    private static LogTarget log(@Nullable AccessLogPlugin log, String pointer) {
        try {
            return log == null ? LogTarget.DEFAULT : LogTarget.of(log);
        } catch (RuntimeException e) {
            throw new InvalidExtension(
                    pointer + JsonPointer.of("plugins", "accessLog"), String.valueOf(e.getMessage()));
        }
    }

    /** Makes the consumers known to all filters; to be called when the snapshot is served. */
    public void serve() {
        services.consumers().serve(consumers);
    }

    /**
     * Returns the chain of {@code plugins}, used once more.
     *
     * @throws InvalidExtension with a pointer into the whole state, when the configuration of an extension is not right
     * @throws io.sigma.value.InvalidValue when they were not checked before
     */
    public FilterChain chain(PluginSet plugins) {
        FilterChain known = chains.get(plugins);
        if (known != null) {
            chains.add(plugins, known);
            return known;
        }
        FilterChain last = before.chains.get(plugins);
        FilterChain chain = last != null ? last : build(plugins);
        if (last != null) {
            chain.entries().forEach(entry -> filters.add(entry.key(), entry.filter()));
        }
        chains.add(plugins, chain);
        return chain;
    }

    /** Notes that the chain of {@code plugins} is used once less. */
    public void release(PluginSet plugins) {
        FilterChain unused = chains.remove(plugins);
        if (unused != null) {
            unused.entries().forEach(entry -> filters.remove(entry.key()));
        }
    }

    private FilterChain build(PluginSet set) {
        List<Entry> entries = new ArrayList<>();
        for (PluginType<?> type : PluginTypes.ALL) {
            add(entries, type, set);
        }
        for (String name : new TreeSet<>(set.plugins().extensions().keySet())) {
            Entry extension = extension(set, name);
            if (extension != null) {
                filters.add(extension.key(), extension.filter());
                entries.add(extension);
            }
        }
        if (entries.stream()
                .anyMatch(
                        entry -> PluginTypes.AUTHENTICATORS.contains(entry.key().name()))) {
            Key gate = new Key("authentication", "", "");
            filters.add(gate, AuthenticationGate.INSTANCE);
            entries.add(new Entry(gate, Phase.AUTHENTICATION, AuthenticationGate.INSTANCE));
        }
        // Stable, so within a phase the order above stays.
        entries.sort(Comparator.comparing(Entry::phase));
        AccessLogPlugin log = set.plugins().accessLog();
        return new FilterChain(entries, log == null || log.enabled(), log(log, ""));
    }

    private <P> void add(List<Entry> entries, PluginType<P> type, PluginSet set) {
        P plugin = type.active(set.plugins());
        if (plugin != null) {
            Key key = new Key(type.name(), set.origin(type.name()), plugin);
            Filter known = known(key);
            Filter filter = known != null ? known : make(type, plugin, key.origin());
            filters.add(key, filter);
            entries.add(new Entry(key, type.phase(), filter));
        }
    }

    /** Makes a filter. Errors that only a gateway can find, such as a missing file on its disk, have a pointer too. */
    private <P> Filter make(PluginType<P> type, P plugin, String pointer) {
        String at = pointer + JsonPointer.of("plugins", type.name());
        try {
            return type.factory().apply(plugin, services);
        } catch (InvalidValue e) {
            throw new InvalidExtension(at, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            throw new InvalidExtension(at, "the gateway failed to make it: " + e);
        }
    }

    private @Nullable Entry extension(PluginSet set, String name) {
        String origin = set.origin(PluginSet.extension(name));
        String pointer = origin + JsonPointer.of("plugins", "extensions", name);
        PluginProvider provider = services.extensions().get(name);
        if (provider == null) {
            throw new InvalidExtension(
                    pointer,
                    "\"" + name + "\" (expected: a plugin on the gateway's class path, one of "
                            + new TreeSet<>(services.extensions().keySet()) + ")");
        }
        JsonNode active = set.activeExtension(name);
        if (active == null) {
            return null;
        }
        JsonNode configuration = active.deepCopy();
        if (configuration instanceof ObjectNode object) {
            object.remove("enabled");
        }
        Key key = new Key(PluginSet.extension(name), origin, configuration);
        Filter known = known(key);
        return new Entry(key, provider.phase(), known != null ? known : extend(provider, configuration, pointer));
    }

    private Filter extend(PluginProvider provider, JsonNode configuration, String pointer) {
        try {
            return new ExtensionFilter(provider.name(), provider.filter(configuration, services.disk()::read));
        } catch (InvalidExtension e) {
            throw new InvalidExtension(pointer + e.pointer(), e.detail());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // Code that is not Sigma's must not make a snapshot fail without saying where.
            throw new InvalidExtension(pointer, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private @Nullable Filter known(Key key) {
        Filter here = filters.get(key);
        Filter made = here != null ? here : tried.get(key);
        return made != null ? made : before.filters.get(key);
    }

    /**
     * Calls {@code action} with each filter of a chain, and a name that the filter of the same plugin has in another
     * process, too. To be called once it is complete.
     */
    public void forEach(BiConsumer<String, Filter> action) {
        filters.forEachMissingIn(
                new UseCounts<>(), (key, filter) -> action.accept(key.name() + " " + key.origin(), filter));
    }

    /** Closes the filters that {@code kept} does not have. */
    public void closeExcept(FilterPool kept) {
        complete();
        filters.forEachMissingIn(kept.filters, FilterPool::close);
    }

    /** Code that is not Sigma's must not keep a snapshot from being served, nor the other filters from being closed. */
    private static void close(Key key, Filter filter) {
        try {
            filter.close();
        } catch (RuntimeException | Error e) {
            LOG.error("Filter {} of {} could not be closed", key.name(), key.origin(), e);
        }
    }
}
