package io.sigma.settings;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Turns the text of one setting into the type of its component. Pure. */
final class SettingValue {

    private SettingValue() {}

    /** @throws IllegalArgumentException naming the setting, the value (unless secret) and what was expected */
    static Object parse(String origin, String text, RecordComponent component, Setting setting) {
        Class<?> type = component.getType();
        String shown = setting.secret() ? "[redacted]" : "\"" + text + "\"";
        if (type == int.class || type == long.class) {
            long number = number(origin, text, shown, setting, type);
            return type == int.class ? (Object) (int) number : (Object) number;
        }
        if (type == boolean.class) {
            return bool(origin, text, shown);
        }
        if (type == List.class) {
            return Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(s -> !s.isEmpty())
                    .toList();
        }
        if (type.isEnum()) {
            return constant(origin, text, shown, type);
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException(origin + ": " + shown + " (expected: a value, or no such setting)");
        }
        if (type == Path.class) {
            return Path.of(text);
        }
        if (type == String.class) {
            return text;
        }
        throw new IllegalStateException("component " + component + " has a type that settings cannot have");
    }

    private static long number(String origin, String text, String shown, Setting setting, Class<?> type) {
        long min = Math.max(setting.min(), type == int.class ? Integer.MIN_VALUE : Long.MIN_VALUE);
        long max = Math.min(setting.max(), type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE);
        try {
            long number = Long.parseLong(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: text and numbers out of range are refused in the same words.
        }
        throw new IllegalArgumentException(origin + ": " + shown + " (expected: a number " + min + ".." + max + ")");
    }

    private static boolean bool(String origin, String text, String shown) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(origin + ": " + shown + " (expected: true or false)");
        };
    }

    private static Object constant(String origin, String text, String shown, Class<?> type) {
        Object[] constants = type.getEnumConstants();
        for (Object constant : constants) {
            if (constant.toString().equalsIgnoreCase(text.strip())) {
                return constant;
            }
        }
        String names = Arrays.stream(constants)
                .map(c -> c.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException(origin + ": " + shown + " (expected: one of " + names + ")");
    }
}
