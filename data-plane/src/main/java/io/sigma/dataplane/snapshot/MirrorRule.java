package io.sigma.dataplane.snapshot;

import io.sigma.model.Mirror;
import java.util.concurrent.ThreadLocalRandom;

/** Where copies of requests go, and of which. Immutable; used on any event loop. */
public record MirrorRule(PassTarget target, Mirror source) {

    /** Returns whether the next request is one that is copied. */
    public boolean takes() {
        return source.percent() == 100 || ThreadLocalRandom.current().nextInt(100) < source.percent();
    }
}
