package io.sigma.settings;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The reference table of settings, made from the records themselves so that it cannot lag behind them. */
public final class SettingsReference {

    private SettingsReference() {}

    /** Returns a Markdown table of every setting; {@code processes} maps the name of a process to its record. */
    public static String markdown(Map<String, Class<? extends Record>> processes) {
        Map<String, List<String>> users = new TreeMap<>();
        Map<String, RecordComponent> components = new TreeMap<>();
        processes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .forEach(process -> {
                    for (RecordComponent component : Records.settings(process.getValue())) {
                        components.putIfAbsent(component.getName(), component);
                        users.computeIfAbsent(component.getName(), name -> new ArrayList<>())
                                .add(process.getKey());
                    }
                });
        StringBuilder table = new StringBuilder(
                "| key | variable | default | used by | meaning |\n| --- | --- | --- | --- | --- |\n");
        components.forEach((key, component) -> table.append(row(key, component, users.getOrDefault(key, List.of()))));
        return table.toString();
    }

    private static String row(String key, RecordComponent component, List<String> users) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            throw new IllegalStateException("setting " + key + " lacks its description");
        }
        return "| `%s` | `%s` | %s | %s | %s |\n"
                .formatted(
                        key,
                        SettingsReader.variable(key),
                        defaultOf(setting),
                        String.join(", ", users),
                        setting.value() + range(setting, component.getType()));
    }

    private static String defaultOf(Setting setting) {
        return switch (setting.defaultValue()) {
            case Setting.ABSENT -> "absent";
            case "" -> "empty";
            default -> "`" + setting.defaultValue() + "`";
        };
    }

    private static String range(Setting setting, Class<?> type) {
        if (type.isEnum()) {
            List<String> names = new ArrayList<>();
            for (Object constant : type.getEnumConstants()) {
                names.add("`" + constant.toString().toLowerCase(Locale.ROOT) + "`");
            }
            return " One of " + String.join(", ", names) + ".";
        }
        boolean bounded = setting.min() != Long.MIN_VALUE && setting.max() != Long.MAX_VALUE;
        return bounded ? " " + setting.min() + ".." + setting.max() + "." : "";
    }
}
