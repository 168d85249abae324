package io.sigma.dataplane.tail;

import io.sigma.dataplane.loop.WallClock;
import io.sigma.model.LastRequest;
import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The last requests of a gateway. A small sample of all of them is always kept. While somebody asks for some of them
 * again and again, more of these are kept; that ends by itself. Event loops write without locks and, once they run,
 * without garbage. {@link #answer} may be called from any thread that may block.
 */
public final class RequestTail {

    /** Filters for which more is kept at a time; a further one gets of the small sample only. */
    static final int WATCHES_MAX = 8;

    private static final TailWatch.Size ALWAYS = new TailWatch.Size(256, 10, 10);
    private static final TailWatch.Size WATCHED = new TailWatch.Size(256, 50, 30);
    private static final int RADIX = 36;
    private static final int RUN_SHIFT = 16;
    private static final TailWatch[] NONE = {};
    private static final VarHandle WATCHES = handle();

    /** Tells the requests of this process from those of every other one. */
    private final String run = Long.toString(UUID.randomUUID().getMostSignificantBits() >>> RUN_SHIFT, RADIX);

    private final LoopState[] loops;
    private final TailWatch always;
    /** Those that nobody renewed are removed by whoever finds them, event loops too. */
    private volatile TailWatch[] watches = NONE;

    private final AtomicLong names = new AtomicLong();

    /** The state of one event loop. */
    private static final class LoopState {
        private final TailEntry entry = new TailEntry();
        private final WallClock clock = new WallClock(InstantSource.system());
        private long serial;
        private boolean failed;
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(RequestTail.class, "watches", TailWatch[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** @param loops how many event loops there are */
    public RequestTail(int loops) {
        this.loops = new LoopState[loops];
        for (int i = 0; i < loops; i++) {
            this.loops[i] = new LoopState();
        }
        this.always = new TailWatch(RequestFilter.ALL, run, loops, ALWAYS);
    }

    /**
     * Returns whether a request that begins now would be kept if it ended well at once; on the event loop {@code loop}.
     */
    public boolean mayKeep(int loop, long now) {
        return watches.length > 0 || always.takesAt(loop, false, now);
    }

    /**
     * Notes that a request is over. To be called once for each on the event loop {@code loop}.
     *
     * @param failed whether it was answered 5xx, not at all, or broken off by a failure
     * @return what is to be filled and handed to {@link #keep}; null when the request is not kept
     */
    public @Nullable TailEntry ended(int loop, boolean failed, long now) {
        LoopState state = loops[loop];
        state.serial++;
        state.failed = failed;
        return watches.length == 0 && !always.takesAt(loop, failed, now) ? null : state.entry;
    }

    /**
     * Keeps what {@link #ended} returned, once it is filled.
     *
     * @param start when the request began, by {@link System#nanoTime()}
     */
    public void keep(int loop, long start, long now) {
        LoopState state = loops[loop];
        state.entry.over(state.failed, state.serial, state.clock, start, now);
        always.offer(loop, state.entry, now);
        TailWatch[] all = watches;
        for (TailWatch watch : all) {
            if (watch.isOver(now)) {
                // If somebody changes them at the same time, the next request does it.
                WATCHES.compareAndSet(this, all, running(all, now));
            } else {
                watch.offer(loop, state.entry, now);
            }
        }
    }

    private static TailWatch[] running(TailWatch[] all, long now) {
        TailWatch[] running =
                Arrays.stream(all).filter(watch -> !watch.isOver(now)).toArray(TailWatch[]::new);
        return running.length == 0 ? NONE : running;
    }

    /** Returns what the gateway has of the requests that are asked for, the newest first. */
    public RequestsAnswer answer(RequestsQuestion question) {
        TailWatch watch = question.watch() ? watch(question.requests()) : known(question.requests());
        List<LastRequest> items = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        TailWatch source = watch == null ? always : watch;
        long[] to = source.places();
        long @Nullable [] from = watch == null ? null : TailPlace.of(question.after(), watch);
        BiConsumer<Integer, TailEntry> reader = (loop, entry) -> {
            LastRequest item = entry.view(question.gatewayId(), run, loop);
            if (ids.add(item.id())) {
                items.add(item);
            }
        };
        if (from == null) {
            readSample(question, reader);
            from = watch == null ? to : new long[to.length];
        }
        source.read(from, to, reader);
        items.sort(Comparator.comparing(LastRequest::at).reversed());
        int count = Math.clamp(question.limit(), 1, RequestsQuestion.LIMIT_MAX);
        return new RequestsAnswer(
                question.gatewayId(),
                question.id(),
                items.subList(0, Math.min(count, items.size())),
                watch == null ? 0 : watch.matched(),
                TailPlace.text(source, to),
                question.watch() && watch == null);
    }

    /** Reads of the small sample what matches. */
    private void readSample(RequestsQuestion question, BiConsumer<Integer, TailEntry> reader) {
        TailFilter filter = new TailFilter(question.requests());
        long[] to = always.places();
        long[] known = TailPlace.of(question.after(), always);
        always.read(known == null ? new long[to.length] : known, to, (loop, entry) -> {
            if (filter.takes(entry)) {
                reader.accept(loop, entry);
            }
        });
    }

    private @Nullable TailWatch known(RequestFilter filter) {
        long now = System.nanoTime();
        for (TailWatch watch : watches) {
            if (watch.filter().equals(filter) && !watch.isOver(now)) {
                return watch;
            }
        }
        return null;
    }

    /** Returns the watch of a filter, which runs on for a while; null when there is no place for one more. */
    private @Nullable TailWatch watch(RequestFilter filter) {
        while (true) {
            TailWatch known = known(filter);
            if (known != null) {
                known.renew();
                return known;
            }
            TailWatch[] all = watches;
            TailWatch[] running = running(all, System.nanoTime());
            if (running.length >= WATCHES_MAX) {
                return null;
            }
            String name = run + "-" + Long.toString(names.incrementAndGet(), RADIX);
            TailWatch added = new TailWatch(filter, name, loops.length, WATCHED);
            TailWatch[] more = Arrays.copyOf(running, running.length + 1);
            more[running.length] = added;
            if (WATCHES.compareAndSet(this, all, more)) {
                return added;
            }
        }
    }

    /** Returns for how many filters more is kept. */
    int watched() {
        return running(watches, System.nanoTime()).length;
    }
}
