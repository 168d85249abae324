package io.sigma.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and makes records by reflection. */
final class Records {

    private Records() {}

    /** Returns the components of {@code type}, and those of the records that it groups settings in. */
    static List<RecordComponent> settings(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(component -> component.getType().isRecord()
                        ? settings(component.getType().asSubclass(Record.class)).stream()
                        : Stream.of(component))
                .toList();
    }

    /** @throws InvalidSettings when the record's constructor refuses the values together */
    static <R extends Record> R create(Class<R> type, @Nullable Object[] values) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new InvalidSettings(
                    List.of(String.valueOf(e.getTargetException().getMessage())));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a settings record is public: " + type, e);
        }
    }
}
