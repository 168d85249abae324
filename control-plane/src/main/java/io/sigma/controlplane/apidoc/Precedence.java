package io.sigma.controlplane.apidoc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds operations whose requests another operation takes: gateways try patterns of segments before expressions, so
 * {@code POST /a/{id}:run} comes after {@code POST /a/{id}}. Pure.
 */
final class Precedence {

    static final String PARAMETER = ":";
    static final String TEXT = "[^/]+";

    /** Stands for {@link #TEXT} while a path is split at its slashes; no path has it. */
    static final char PLACE = '\0';

    private Precedence() {}

    /** Warns of the operations whose requests another one takes. */
    static void check(List<OpenApiOperation> operations, Warnings warnings) {
        Map<String, List<OpenApiOperation>> bySegments = new HashMap<>();
        for (OpenApiOperation operation : operations) {
            if (operation.path().contains("/" + PARAMETER) && !isExpression(operation)) {
                bySegments
                        .computeIfAbsent(key(operation, operation.path()), key -> new ArrayList<>())
                        .add(operation);
            }
        }
        for (OpenApiOperation operation : operations) {
            OpenApiOperation first = isExpression(operation) ? first(operation, bySegments) : null;
            if (first != null) {
                warnings.add(
                        operation.pointer(),
                        "its requests are taken by " + first.pointer()
                                + ", as patterns of whole segments come first (give its route a higher priority)");
            }
        }
    }

    private static boolean isExpression(OpenApiOperation operation) {
        return operation.path().startsWith("~");
    }

    private static String key(OpenApiOperation operation, String path) {
        return operation.methods() + " " + path.chars().filter(c -> c == '/').count();
    }

    private static @Nullable OpenApiOperation first(
            OpenApiOperation operation, Map<String, List<OpenApiOperation>> bySegments) {
        String bare = operation.path().substring(1).replace(TEXT, String.valueOf(PLACE));
        List<OpenApiOperation> others = bySegments.getOrDefault(key(operation, bare), List.of());
        if (others.isEmpty()) {
            return null;
        }
        List<SegmentGlob> segments = segments(bare);
        return others.stream()
                .filter(other -> meets(segments, other.path().split("/", -1)))
                .findFirst()
                .orElse(null);
    }

    /** Returns the segments of an expression in which {@link #PLACE} stands for {@link #TEXT}. */
    static List<SegmentGlob> segments(String bare) {
        List<SegmentGlob> segments = new ArrayList<>();
        for (String segment : bare.split("/", -1)) {
            segments.add(SegmentGlob.of(segment, PLACE));
        }
        return segments;
    }

    /** Returns whether some path has all segments of an expression and of {@code path}, which has as many. */
    static boolean meets(List<SegmentGlob> segments, String[] path) {
        for (int i = 0; i < path.length; i++) {
            if (!path[i].startsWith(PARAMETER) && !segments.get(i).matches(path[i])) {
                return false;
            }
        }
        return true;
    }
}
