package io.sigma.controlplane.apidoc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds new operations that may take the requests of earlier routes. Confined to one import. */
public final class Overlap {

    /** The bound of all comparisons together, in characters: a thousand paths of 100 with a thousand others. */
    private static final long CHARACTERS_MAX = 200_000_000;

    private final List<OpenApiOperation> fresh;
    private final List<ComparedPath> paths = new ArrayList<>();
    private long charactersLeft = CHARACTERS_MAX;

    public Overlap(List<OpenApiOperation> fresh) {
        this.fresh = List.copyOf(fresh);
        fresh.forEach(operation -> paths.add(new ComparedPath(operation.path())));
    }

    /**
     * Returns the first operation that gateways try before a route of equal priority, for some requests that meet both;
     * null if there is none, or if so much was compared that nothing more is.
     *
     * @param methods of the route; none for all
     * @param path of the route
     */
    public @Nullable OpenApiOperation first(List<String> methods, String path) {
        ComparedPath form = new ComparedPath(path);
        for (int i = 0; i < fresh.size() && charactersLeft > 0; i++) {
            charactersLeft -= (long) form.length() + paths.get(i).length();
            List<String> own = fresh.get(i).methods();
            boolean common = methods.isEmpty() || own.isEmpty() || !Collections.disjoint(methods, own);
            boolean named = methods.isEmpty() && !own.isEmpty();
            ComparedPath other = paths.get(i);
            if (common && (other.isSame(form) ? named : other.goesBefore(form))) {
                return fresh.get(i);
            }
        }
        return null;
    }
}
