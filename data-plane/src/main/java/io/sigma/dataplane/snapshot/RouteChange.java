package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The changes of one router's compiled routes. Confined to the thread that compiles. */
final class RouteChange {

    private final Set<RuntimeRoute> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<RuntimeRoute> more = new ArrayList<>();

    /**
     * Returns whether nothing but routes is different from what {@code before} was compiled of, and all of that is
     * there.
     */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    static boolean isAll(ConfigState state, RuntimeSnapshot before) {
        ConfigState last = before.source().state();
        // A trial begins without upstreams and proxy passes.
        return last.size() > 0
                && before.parts().passes().size() == last.proxyPasses().size()
                && ResourceType.ALL.stream()
                        .allMatch(type -> type.kind() == Kind.ROUTE || state.of(type) == last.of(type));
    }

    void remove(RuntimeRoute route) {
        gone.add(route);
    }

    void add(RuntimeRoute route) {
        more.add(route);
    }

    RouterRoutes<RuntimeRoute> applied(RouterRoutes<RuntimeRoute> table) {
        return table.with(gone, more);
    }
}
