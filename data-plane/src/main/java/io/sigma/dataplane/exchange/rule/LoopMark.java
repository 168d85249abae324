package io.sigma.dataplane.exchange.rule;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.Fields;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The mark that a route of this gateway adds to {@code CDN-Loop} (RFC 8586) of each forwarded request. The gateway
 * recognises requests that come back by it: the node may be a listener of the gateway, or a server that forwards to it.
 * Others learn nothing from the mark and cannot guess it. Immutable.
 */
public final class LoopMark {

    /**
     * A request may come this often by one route: a node may well send on what it got, as one that asks another part of
     * the site does, and only what goes round comes again and again.
     */
    private static final int VISITS_MAX = 2;

    private static final String FIELD = "cdn-loop";
    private static final long PROCESS = ThreadLocalRandom.current().nextLong();

    private final FieldLine line;

    /**
     * @param route the id of the route that the mark is for
     */
    public LoopMark(String route) {
        long hash = PROCESS;
        for (int i = 0; i < route.length(); i++) {
            // The step of FNV-1a, from a number that nobody else knows.
            hash = (hash ^ route.charAt(i)) * 0x100000001b3L;
        }
        line = new FieldLine(FIELD, "sigma-" + Long.toUnsignedString(hash ^ hash >>> 32, 36));
    }

    /** Marks a request; returns false, and does not, when it came by this route too often. */
    public boolean mark(Fields request) {
        if (!request.contains(FIELD)) {
            request.add(line);
            return true;
        }
        int visits = 0;
        for (String before : request.all(FIELD)) {
            for (String item : before.split(",", -1)) {
                visits += item.strip().equals(line.value()) ? 1 : 0;
            }
        }
        if (visits >= VISITS_MAX) {
            return false;
        }
        request.append(line);
        return true;
    }
}
