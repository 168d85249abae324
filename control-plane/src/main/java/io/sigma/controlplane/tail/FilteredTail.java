package io.sigma.controlplane.tail;

import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.sigma.model.MissingRequests;
import io.sigma.model.MissingRequestsReason;
import io.sigma.snapshot.RequestsQuestion;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that match one filter, of all gateways. Each gateway is asked again about a second after it was asked
 * before, so it keeps more of them as long as {@link #tick} is called. Confined to one context, on which {@code hears}
 * is called too.
 */
public final class FilteredTail {

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
    /** An answer cannot make anybody believe in more. */
    private static final long MATCHED_MAX = 1_000_000_000;

    private final TailKey key;
    private final TailQuestions questions;
    private final Consumer<Runnable> context;
    private final Consumer<LastRequests> hears;
    private final SortedMap<String, Source> sources = new TreeMap<>();
    /** A gateway. */
    private static final class Source {
        private @Nullable String next;
        /** -1 before its first answer. */
        private long matched = -1;

        /** The newest first. */
        private final Deque<LastRequest> recent = new ArrayDeque<>();

        private boolean asking;
        private boolean everAsked;
        private long askedNanos;
        private @Nullable MissingRequestsReason missing;
    }

    /**
     * @param context runs what follows an answer
     * @param hears is given what is new
     */
    public FilteredTail(
            TailKey key, TailQuestions questions, Consumer<Runnable> context, Consumer<LastRequests> hears) {
        this.key = key;
        this.questions = questions;
        this.context = context;
        this.hears = hears;
    }

    /** Returns what is known so far, newest first. */
    public LastRequests known() {
        List<List<LastRequest>> said = sources.values().stream()
                .map(source -> List.copyOf(source.recent))
                .toList();
        return new LastRequests(TailQuestions.shared(said, RequestsQuestion.LIMIT_MAX), 0L, missing());
    }

    /** Asks the gateways whose turn it is. */
    public void tick() {
        List<String> ids = new ArrayList<>(questions.gateways(key.gatewayId()));
        sources.keySet().retainAll(ids);
        // When there is no room for all, those that come last get it the next time.
        Collections.shuffle(ids);
        long now = System.nanoTime();
        for (String id : ids) {
            Source source = sources.computeIfAbsent(id, added -> new Source());
            boolean due = !source.everAsked || now - source.askedNanos > AGAIN_NANOS;
            if (due && !source.asking && questions.hasRoom()) {
                source.asking = true;
                source.everAsked = true;
                source.askedNanos = now;
                Future<TailQuestions.Said> answer =
                        questions.ask(key, id, true, source.next, RequestsQuestion.LIMIT_MAX);
                answer.onComplete(done -> context.accept(() -> {
                    source.asking = false;
                    if (done.succeeded()) {
                        said(source, done.result());
                    } else {
                        missing(source, MissingRequestsReason.SILENT, List.of(), 0);
                    }
                }));
            }
        }
    }

    private void said(Source source, TailQuestions.Said said) {
        long before = source.matched;
        long more = before < 0 ? 0 : said.matched() >= before ? said.matched() - before : said.matched();
        source.matched = said.matched();
        source.next = said.next();
        said.items().reversed().forEach(item -> {
            source.recent.addFirst(item);
            if (source.recent.size() > RequestsQuestion.LIMIT_MAX) {
                source.recent.removeLast();
            }
        });
        missing(source, said.busy() ? MissingRequestsReason.BUSY : null, said.items(), Math.min(more, MATCHED_MAX));
    }

    private void missing(Source source, @Nullable MissingRequestsReason reason, List<LastRequest> items, long matched) {
        boolean changed = source.missing != reason;
        source.missing = reason;
        if (changed || matched > 0 || !items.isEmpty()) {
            hears.accept(new LastRequests(items, matched, missing()));
        }
    }

    private List<MissingRequests> missing() {
        List<MissingRequests> missing = new ArrayList<>();
        sources.forEach((id, source) -> {
            if (source.missing != null) {
                missing.add(new MissingRequests(id, source.missing));
            }
        });
        return missing;
    }

    /** Returns whether each gateway has answered or cannot, so that {@link #known} is not just the beginning. */
    public boolean isSettled() {
        return sources.values().stream().allMatch(source -> source.matched >= 0 || source.missing != null);
    }
}
