package io.sigma.dataplane.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The counters of one route or upstream, by event loop; a loop that has nothing to count takes no memory. */
final class TrafficMeter {

    private final AtomicReferenceArray<LoopTraffic> loops;

    TrafficMeter(int loops) {
        this.loops = new AtomicReferenceArray<>(loops);
    }

    /** Returns where the event loop {@code loop} counts; to be called on that. */
    LoopTraffic on(int loop) {
        LoopTraffic known = loops.get(loop);
        if (known == null) {
            known = new LoopTraffic();
            loops.set(loop, known);
        }
        return known;
    }

    /** Returns whether anything was ever counted. */
    boolean isUsed() {
        for (int i = 0; i < loops.length(); i++) {
            if (loops.get(i) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns what was counted on all loops, ever. */
    TrafficSum sum() {
        TrafficSum sum = new TrafficSum();
        for (int i = 0; i < loops.length(); i++) {
            LoopTraffic loop = loops.get(i);
            if (loop != null) {
                loop.addTo(sum);
            }
        }
        return sum;
    }
}
