package io.sigma.controlplane.apidoc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds new operations that may take the requests of earlier routes. Confined to one import. */
public final class Overlap {

    private final List<OpenApiOperation> fresh;
    private final List<ComparedPath> paths = new ArrayList<>();
    private final Effort effort;

    public Overlap(List<OpenApiOperation> fresh) {
        this(fresh, Effort.STEPS_MAX);
    }

    /** @param stepsMax the bound of all comparisons together */
    Overlap(List<OpenApiOperation> fresh, long stepsMax) {
        this.fresh = List.copyOf(fresh);
        this.effort = new Effort(stepsMax);
        fresh.forEach(operation -> paths.add(new ComparedPath(operation.path())));
    }

    /**
     * Returns the first operation that gateways try before a route of equal priority, for some requests that meet both;
     * null if there is none among those that were compared: see {@link #isCut()}.
     *
     * @param methods of the route; none for all
     * @param path of the route
     */
    public @Nullable OpenApiOperation first(List<String> methods, String path) {
        ComparedPath form = new ComparedPath(path);
        for (int i = 0; i < fresh.size() && !effort.isSpent(); i++) {
            effort.step();
            ComparedPath other = paths.get(i);
            if (other.isSame(form) ? isNamed(methods, i) : other.goesBefore(form, effort) && isCommon(methods, i)) {
                return fresh.get(i);
            }
        }
        return null;
    }

    /** Returns whether so much was compared that nothing more is: then an operation may have been missed. */
    public boolean isCut() {
        return effort.isSpent();
    }

    private boolean isNamed(List<String> methods, int i) {
        return methods.isEmpty() && !fresh.get(i).methods().isEmpty();
    }

    private boolean isCommon(List<String> methods, int i) {
        List<String> own = fresh.get(i).methods();
        return methods.isEmpty() || own.isEmpty() || !Collections.disjoint(methods, own);
    }
}
