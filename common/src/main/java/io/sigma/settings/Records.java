package io.sigma.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes records by reflection. */
final class Records {

    private Records() {}

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
