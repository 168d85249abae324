package io.sigma.dataplane.filter.chain;

import io.sigma.model.Plugins;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges plugins over the components of the record, whatever the contract has. Pure; used when a snapshot is compiled.
 */
final class PluginLevels {

    static final Plugins NONE = Plugins.builder().build();

    private static final MethodHandle[] ACCESSORS;
    private static final MethodHandle CONSTRUCTOR;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            RecordComponent[] components = Plugins.class.getRecordComponents();
            ACCESSORS = new MethodHandle[components.length];
            for (int i = 0; i < components.length; i++) {
                ACCESSORS[i] = lookup.unreflect(components[i].getAccessor());
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            CONSTRUCTOR = lookup.findConstructor(Plugins.class, MethodType.methodType(void.class, types));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private PluginLevels() {}

    /** Returns {@code general} with each plugin replaced by that of {@code specific} where it has one. */
    static Plugins merge(Plugins general, Plugins specific) {
        try {
            @Nullable Object[] merged = new @Nullable Object[ACCESSORS.length];
            for (int i = 0; i < merged.length; i++) {
                merged[i] = or(ACCESSORS[i].invoke(specific), ACCESSORS[i].invoke(general));
            }
            return (Plugins) CONSTRUCTOR.invokeWithArguments(merged);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object or(@Nullable Object specific, @Nullable Object general) {
        if (specific instanceof Map<?, ?> some && general instanceof Map<?, ?> others) {
            Map<Object, Object> all = new LinkedHashMap<>(others);
            all.putAll(some);
            return all;
        }
        return specific != null ? specific : general;
    }
}
