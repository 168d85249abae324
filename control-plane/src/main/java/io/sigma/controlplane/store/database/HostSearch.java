package io.sigma.controlplane.store.database;

import io.sigma.controlplane.store.database.Primary.Role;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to all hosts: which of them takes writes. Of two that do, such as a promoted standby and an old primary
 * that still runs, the one with the newer history is chosen. Used once; thread-safe.
 */
final class HostSearch {

    /** How long hosts are waited for once one takes writes, in milliseconds. */
    static final long OTHERS_MILLIS = 500;

    /** What a host says of itself. */
    record Answer(Role role, Lineage lineage) {}

    /**
     * The host to use.
     *
     * @param host its index, -1 when there is none
     * @param answer what it said; null when there is none
     * @param older whether there is none, and one with an older history takes writes
     */
    record Found(int host, @Nullable Answer answer, boolean older) {}

    private final int used;
    private final Lineage seen;
    private final @Nullable Answer[] answers;
    private final Promise<Found> promise = Promise.promise();

    // Guarded by this.
    private int left;
    private boolean waiting;

    private HostSearch(int used, Lineage seen, int hosts) {
        this.used = used;
        this.seen = seen;
        this.answers = new Answer[hosts];
        this.left = hosts;
    }

    /**
     * Returns the host to use, once enough of them answered.
     *
     * @param asked the answers of the hosts, each of which ends
     * @param used the host that is kept where another one is as good
     * @param seen the newest history so far: a host with an older one is not used
     */
    static Future<Found> among(Vertx vertx, List<Future<Answer>> asked, int used, Lineage seen) {
        HostSearch search = new HostSearch(used, seen, asked.size());
        for (int i = 0; i < asked.size(); i++) {
            int host = i;
            asked.get(i).onComplete(done -> search.answered(vertx, host, done.succeeded() ? done.result() : null));
        }
        return search.promise.future();
    }

    private void answered(Vertx vertx, int host, @Nullable Answer answer) {
        boolean last;
        boolean wait;
        synchronized (this) {
            answers[host] = answer;
            left--;
            last = left == 0;
            wait = !last && !waiting && isUsable(answer, Role.TAKES_WRITES);
            waiting |= wait;
        }
        if (last) {
            promise.tryComplete(found());
        } else if (wait) {
            vertx.setTimer(OTHERS_MILLIS, id -> promise.tryComplete(found()));
        }
    }

    private synchronized Found found() {
        int writable = best(Role.TAKES_WRITES);
        int best = writable >= 0 ? writable : best(Role.READ_ONLY);
        if (best >= 0) {
            return new Found(best, answers[best], false);
        }
        for (Answer answer : answers) {
            if (answer != null && answer.role() == Role.TAKES_WRITES) {
                return new Found(-1, null, true);
            }
        }
        return new Found(-1, null, false);
    }

    private int best(Role role) {
        int best = isUsable(answers[used], role) ? used : -1;
        for (int i = 0; i < answers.length; i++) {
            if (isUsable(answers[i], role) && (best < 0 || lineage(best).isOlderThan(lineage(i)))) {
                best = i;
            }
        }
        return best;
    }

    private Lineage lineage(int host) {
        Answer answer = answers[host];
        return answer == null ? Lineage.UNKNOWN : answer.lineage();
    }

    private boolean isUsable(@Nullable Answer answer, Role role) {
        return answer != null && answer.role() == role && !answer.lineage().isOlderThan(seen);
    }
}
