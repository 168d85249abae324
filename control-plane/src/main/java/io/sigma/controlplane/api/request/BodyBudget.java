package io.sigma.controlplane.api.request;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes of request bodies that are held at once, over all requests. Where there is no room, an
 * unfinished body is dropped: of the account that holds most, the one that has been silent for longest. So unfinished
 * bodies keep nobody out, and those of one account cost that account. Confined to the server's verticle.
 */
public final class BodyBudget {

    /** A body that is held. */
    final class Share {

        private final String who;
        private final Runnable end;
        private long bytes;
        private boolean released;

        private Share(String who, Runnable end) {
            this.who = who;
            this.end = end;
        }

        /**
         * Takes room for more of the body.
         *
         * @return false when there is none
         */
        boolean take(int more) {
            if (released) {
                return false;
            }
            // The one that was heard of last comes last.
            Holder holder = Objects.requireNonNull(holders.get(who));
            holder.arriving.remove(this);
            holder.arriving.add(this);
            while (held + more > max) {
                Share victim = victim();
                if (victim == null || victim == this) {
                    return false;
                }
                victim.release();
                victim.end.run();
            }
            bytes += more;
            holder.bytes += more;
            held += more;
            return true;
        }

        /** The body is complete: it makes room for others no more. */
        void complete() {
            Holder holder = holders.get(who);
            if (holder != null) {
                holder.arriving.remove(this);
            }
        }

        /** Gives the room back. */
        void release() {
            if (released) {
                return;
            }
            released = true;
            Holder holder = Objects.requireNonNull(holders.get(who));
            holder.arriving.remove(this);
            holder.bytes -= bytes;
            held -= bytes;
            if (--holder.shares == 0) {
                holders.remove(who);
            }
        }
    }

    private static final class Holder {

        private final Set<Share> arriving = new LinkedHashSet<>();
        private long bytes;
        private int shares;
    }

    private final long max;
    private final Map<String, Holder> holders = new HashMap<>();
    private long held;

    /** @param max bytes */
    public BodyBudget(long max) {
        this.max = max;
    }

    /**
     * Begins a body.
     *
     * @param who the account or address that the body counts for
     * @param end ends the request when its body makes room for another
     */
    Share begin(String who, Runnable end) {
        Holder holder = holders.computeIfAbsent(who, any -> new Holder());
        holder.shares++;
        return new Share(who, end);
    }

    private @Nullable Share victim() {
        Holder most = null;
        for (Holder holder : holders.values()) {
            if (!holder.arriving.isEmpty() && (most == null || holder.bytes > most.bytes)) {
                most = holder;
            }
        }
        return most == null ? null : most.arriving.iterator().next();
    }

    /** Returns the bytes that are held. */
    long held() {
        return held;
    }

    /** Returns the most that may be held. */
    long max() {
        return max;
    }
}
