package io.sigma.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sigma.json.ParserMessage;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings records. A variable wins over the file, the file over the default. Component types: {@code String},
 * {@code int}, {@code long}, {@code boolean}, {@code Path}, an enum (any case), or {@code List<String>} (a YAML list,
 * or separated by commas). A component that is a record itself groups settings: its components are settings like the
 * others, and the names of groups are no part of keys.
 */
public final class SettingsReader {

    private static final String PREFIX = "SIGMA_";

    /** Variables that the launcher script reads and that are no settings. */
    private static final Set<String> OF_THE_LAUNCHER =
            Set.of("SIGMA_HOME", "SIGMA_JAVA_OPTS", "SIGMA_SETTINGS", "SIGMA_URL", "SIGMA_TOKEN", "SIGMA_TOKEN_FILE");

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final String fileName;

    private SettingsReader(Map<String, String> environment, Map<String, String> file, String fileName) {
        this.environment = environment;
        this.file = file;
        this.fileName = fileName;
    }

    /**
     * Returns a reader of {@code environment} and, unless null, of the YAML file. An empty variable counts as absent.
     *
     * @throws InvalidSettings when the file cannot be read or is not a mapping of scalars and lists of scalars
     */
    public static SettingsReader of(Map<String, String> environment, @Nullable Path file) {
        Map<String, String> variables = environment.entrySet().stream()
                .filter(e -> e.getKey().startsWith(PREFIX) && !OF_THE_LAUNCHER.contains(e.getKey()))
                .filter(e -> !e.getValue().isEmpty())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new SettingsReader(variables, file == null ? Map.of() : fileValues(file), String.valueOf(file));
    }

    /**
     * Refuses keys that are a component of none of {@code types}. A process names every record of the product, so that
     * one file and one environment can serve all processes and a misspelt key is still found.
     *
     * @throws InvalidSettings naming each unknown key and the closest known one
     */
    public void refuseUnknown(List<Class<? extends Record>> types) {
        Set<String> known = types.stream()
                .flatMap(type -> Records.settings(type).stream())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
        List<String> errors = new ArrayList<>();
        file.keySet().stream()
                .filter(key -> !known.contains(key))
                .sorted()
                .forEach(key -> errors.add(fileName + ": unknown key \"" + key + "\"" + Closest.hint(key, known)));
        Set<String> variables = known.stream().map(SettingsReader::variable).collect(Collectors.toSet());
        environment.keySet().stream()
                .filter(name -> !variables.contains(name))
                .sorted()
                .forEach(name -> errors.add("unknown variable " + name + Closest.hint(name, variables)));
        if (!errors.isEmpty()) {
            throw new InvalidSettings(errors);
        }
    }

    /**
     * Returns the record with every component filled.
     *
     * @throws InvalidSettings naming each setting whose value is missing or invalid, and what was expected
     */
    public <R extends Record> R read(Class<R> type) {
        List<String> errors = new ArrayList<>();
        R made = read(type, errors);
        if (made == null) {
            throw new InvalidSettings(errors);
        }
        return made;
    }

    /** Returns the record; null when something of it is wrong, which {@code errors} says then. */
    private <R extends Record> @Nullable R read(Class<R> type, List<String> errors) {
        int before = errors.size();
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Class<?> part = components[i].getType();
            try {
                values[i] = part.isRecord() ? read(part.asSubclass(Record.class), errors) : value(components[i]);
            } catch (IllegalArgumentException e) {
                errors.add(String.valueOf(e.getMessage()));
            }
        }
        if (errors.size() > before) {
            return null;
        }
        try {
            return Records.create(type, values);
        } catch (InvalidSettings e) {
            errors.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns the variable of a key: {@code SIGMA_ADMIN_PORT} for {@code adminPort}. */
    public static String variable(String key) {
        return PREFIX + key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    private @Nullable Object value(RecordComponent component) {
        Setting setting = Objects.requireNonNull(component.getAnnotation(Setting.class), component.getName());
        String key = component.getName();
        String fromVariable = environment.get(variable(key));
        String origin = fromVariable != null ? variable(key) : key;
        String text = fromVariable != null ? fromVariable : file.getOrDefault(key, setting.defaultValue());
        if (text.equals(Setting.ABSENT)) {
            return null;
        }
        return SettingValue.parse(origin, text, component, setting);
    }

    private static Map<String, String> fileValues(Path file) {
        JsonNode root;
        try {
            root = YAMLMapper.builder().build().readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            throw new InvalidSettings(List.of(file + ": " + ParserMessage.of(e) + " (expected: a YAML mapping)"));
        } catch (IOException e) {
            throw new InvalidSettings(List.of(file + ": cannot be read: " + e.getMessage()));
        }
        if (root.isMissingNode() || root.isNull()) {
            return Map.of();
        }
        if (!root.isObject()) {
            throw new InvalidSettings(List.of(file + ": (expected: a YAML mapping of keys to values)"));
        }
        Map<String, String> values = new LinkedHashMap<>();
        root.properties().forEach(entry -> values.put(entry.getKey(), text(file, entry.getKey(), entry.getValue())));
        return values;
    }

    private static String text(Path file, String key, JsonNode node) {
        if (node.isValueNode()) {
            return node.asText();
        }
        List<String> items = new ArrayList<>();
        node.forEach(item -> items.add(item.isValueNode() ? item.asText() : ""));
        if (node.isArray() && items.stream().noneMatch(String::isEmpty)) {
            return String.join(",", items);
        }
        throw new InvalidSettings(List.of(file + ": " + key + ": (expected: a value or a list of values)"));
    }
}
