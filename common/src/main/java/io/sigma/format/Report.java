package io.sigma.format;

import io.sigma.check.Faults;
import io.sigma.check.ResourceCheck;
import io.sigma.check.StateCheck;
import io.sigma.check.StreamCheck;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import io.sigma.value.ResourceId;
import io.sigma.value.Sha256;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects resources, errors and warnings while one file is read, and checks the whole. Confined to one reading. */
final class Report {

    private static final int ID_LENGTH_MAX = 64;
    private static final int HASH_DIGITS = 8;

    /** Errors, and warnings, that are told. */
    private static final int TOLD_MAX = 1_000;

    private static final int DETAIL_LENGTH_MAX = 4_096;

    /** A resource and where the file has it. */
    private record Placed(Object resource, String pointer) {}

    private final @Nullable Path folder;
    private final List<FieldError> errors = new ArrayList<>();
    private final List<FieldError> warnings = new ArrayList<>();
    private final Map<Kind, Map<String, Placed>> resources = new LinkedHashMap<>();

    /** By the first id that a route was to be given instead of its own, which number the last one has. */
    private final Map<String, Integer> lastCounts = new HashMap<>();

    Report(@Nullable Path folder) {
        this.folder = folder;
        ResourceType.ALL.forEach(type -> resources.put(type.kind(), new LinkedHashMap<>()));
    }

    void error(String pointer, Mismatch mismatch) {
        add(errors, Faults.of(pointer, mismatch));
    }

    void warning(String pointer, String detail) {
        add(warnings, Faults.warning(pointer, detail));
    }

    private void error(String pointer, FieldError error) {
        add(errors, Faults.at(pointer, error));
    }

    /** A file may have a million of them, and each may repeat a long value. */
    private static void add(List<FieldError> some, FieldError error) {
        if (some.size() < TOLD_MAX) {
            some.add(Faults.shortened(error, Report::cut));
        }
    }

    /** Returns a text without its middle where it is too long: what was expected stands at the end. */
    private static String cut(String detail) {
        if (detail.length() <= DETAIL_LENGTH_MAX) {
            return detail;
        }
        int head = DETAIL_LENGTH_MAX / 2;
        int tail = detail.length() - DETAIL_LENGTH_MAX / 2;
        // No half of a surrogate pair is left.
        return detail.substring(0, Character.isHighSurrogate(detail.charAt(head - 1)) ? head - 1 : head)
                + "…"
                + detail.substring(Character.isLowSurrogate(detail.charAt(tail)) ? tail + 1 : tail);
    }

    /** Returns whether further errors are not told. */
    boolean isFull() {
        return errors.size() >= TOLD_MAX;
    }

    List<FieldError> errors() {
        return List.copyOf(errors);
    }

    /**
     * Returns {@code path} resolved against the folder of the file; as it is where it is no path, which is refused
     * later.
     */
    String resolve(String path) {
        try {
            return folder == null ? path : folder.resolve(path).normalize().toString();
        } catch (InvalidPathException e) {
            return path;
        }
    }

    /** Notes a resource that stands at {@code pointer}; its id must be new. */
    void add(Kind kind, @Nullable String id, String pointer, Object resource) {
        if (id == null) {
            return;
        }
        if (!ResourceId.isValid(id)) {
            error(pointer + "/id", Mismatch.quoted(id, ResourceId.EXPECTATION));
            return;
        }
        Placed before = placed(kind).putIfAbsent(id, new Placed(resource, pointer));
        if (before != null) {
            String expected = "an id other than that of " + before.pointer;
            error(pointer + "/id", Faults.duplicate("", "\"" + id + "\"", expected));
        }
    }

    /**
     * Returns {@code id}, or one of its router when a route before has it: nothing in a file names a route, so that
     * files in the wild have ids twice.
     */
    String freeRouteId(String id, String routerId, String pointer) {
        Map<String, Placed> routes = placed(Kind.ROUTE);
        Placed before = routes.get(id);
        if (before == null || !ResourceId.isValid(id)) {
            return id;
        }
        // Those before are known to be taken: many routes of one id are not to be counted through for each.
        String plain = ofRouter(id, routerId, 1);
        int count = lastCounts.getOrDefault(plain, 0) + 1;
        while (routes.containsKey(ofRouter(id, routerId, count))) {
            count++;
        }
        lastCounts.put(plain, count);
        String free = ofRouter(id, routerId, count);
        warning(pointer + "/id", "\"" + id + "\" is that of " + before.pointer + " too: taken as \"" + free + "\"");
        return free;
    }

    private static String ofRouter(String id, String routerId, int count) {
        String plain = routerId + "." + id + (count == 1 ? "" : "-" + count);
        return plain.length() <= ID_LENGTH_MAX
                ? plain
                : id.substring(0, Math.min(id.length(), ID_LENGTH_MAX - HASH_DIGITS - 1)) + "-"
                        + Sha256.hex(plain).substring(0, HASH_DIGITS);
    }

    /** Returns the file's resources when nothing is wrong with them. */
    SigmaJson finish() {
        ResourceType.ALL.forEach(this::check);
        checkListeners();
        checkStreams();
        if (!errors.isEmpty()) {
            throw new SigmaJsonRefused(errors);
        }
        List<EntityChange> changes = new ArrayList<>();
        Map<Kind, Map<String, String>> places = new LinkedHashMap<>();
        resources.forEach((kind, ofKind) -> ofKind.forEach((id, placed) -> {
            changes.add(new EntityChange(kind, id, placed.resource));
            places.computeIfAbsent(kind, any -> new LinkedHashMap<>()).put(id, placed.pointer);
        }));
        return new SigmaJson(changes, warnings, places);
    }

    private <T> void check(ResourceType<T> type) {
        for (Placed placed : placed(type.kind()).values()) {
            for (FieldError error : ResourceCheck.check(placed.resource)) {
                error(FilePointers.of(placed.pointer, error.pointer()), error);
            }
            for (ResourceType.Reference<T> reference : type.references()) {
                for (ResourceType.Target target : reference.targets().apply(type.cast(placed.resource))) {
                    if (!target.id().isEmpty() && !placed(reference.target()).containsKey(target.id())) {
                        FieldError error = StateCheck.missing(reference, target);
                        error(FilePointers.of(placed.pointer, error.pointer()), error);
                    }
                }
            }
        }
    }

    private void checkListeners() {
        List<ProxyServer> servers = placed(Kind.PROXY_SERVER).values().stream()
                .map(placed -> (ProxyServer) placed.resource)
                .toList();
        StateCheck.listeners(servers).forEach((id, error) -> {
            Placed placed = placed(Kind.PROXY_SERVER).get(id);
            if (placed != null) {
                error(placed.pointer + error.pointer(), error);
            }
        });
    }

    private void checkStreams() {
        List<EntityChange> changes = new ArrayList<>();
        resources.forEach((kind, ofKind) ->
                ofKind.forEach((id, placed) -> changes.add(new EntityChange(kind, id, placed.resource))));
        for (StreamCheck.Clash clash : StreamCheck.check(ConfigState.empty().with(changes))) {
            Placed placed = placed(clash.kind()).get(clash.id());
            if (placed != null) {
                error(FilePointers.of(placed.pointer, clash.error().pointer()), clash.error());
            }
        }
    }

    private Map<String, Placed> placed(Kind kind) {
        return resources.getOrDefault(kind, Map.of());
    }
}
