package io.sigma.dataplane.tail;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sigma.model.LastRequest;
import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RequestTailTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final RequestTail tail = new RequestTail(2);
    private long now = System.nanoTime();

    private void request(int loop, String route, String path, int status) {
        request(tail, loop, route, path, status, now);
    }

    private static void request(RequestTail tail, int loop, @Nullable String route, String path, int status, long now) {
        TailEntry entry = tail.ended(loop, status >= 500 || status == 0, now);
        if (entry != null) {
            entry.chosen("web", route == null ? null : "router", route, null, null, "http://10.0.0.7:80");
            entry.request("HTTP/1.1", "GET", "shop.example.com", path, "203.0.113.9", 4);
            entry.response(status, 1, 3, 5, status == 503 ? "no_node" : null);
            tail.keep(loop, now - 2_000_000, now);
        }
    }

    private static RequestFilter of(
            @Nullable String route, RequestFilter.@Nullable Status status, @Nullable String text) {
        return new RequestFilter(route, null, status, text);
    }

    private RequestsAnswer ask(RequestFilter filter, boolean watch, @Nullable String after) {
        return tail.answer(new RequestsQuestion("q", "edge", filter, watch, after, 200));
    }

    private List<String> paths(RequestFilter filter) {
        return ask(filter, false, null).items().stream().map(LastRequest::path).toList();
    }

    @Test
    void theSampleIsThereBeforeAnybodyAsks() {
        request(0, "carts", "/a", 200);
        request(1, "carts", "/b", 503);

        RequestsAnswer answer = ask(RequestFilter.ALL, false, null);

        assertThat(answer.items()).extracting(LastRequest::path).containsExactlyInAnyOrder("/a", "/b");
        LastRequest failed = answer.items().stream()
                .filter(item -> item.status() == 503)
                .findFirst()
                .orElseThrow();
        assertThat(failed.error()).isEqualTo("no_node");
        assertThat(failed.gatewayId()).isEqualTo("edge");
        assertThat(failed.durationMicros()).isEqualTo(2_000);
        assertThat(failed.clientAddress()).isEqualTo("203.0.113.9");
        assertThat(tail.watched()).isZero();
    }

    @Test
    void manyRequestsPushOutNoFailure() {
        request(0, "carts", "/rare", 500);
        for (int i = 0; i < 100_000; i++) {
            now += SECOND / 10_000;
            request(0, "carts", "/often", 200);
        }

        assertThat(paths(RequestFilter.ALL)).contains("/rare", "/often").hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void aRareRequestThatIsWatchedIsKept() {
        RequestFilter rare = of("rare", null, null);
        String next = ask(rare, true, null).next();
        for (int i = 0; i < 1_000; i++) {
            request(0, "often", "/often", 200);
        }
        request(0, "rare", "/rare", 200);

        RequestsAnswer answer = ask(rare, true, next);

        assertThat(answer.items()).extracting(LastRequest::path).containsExactly("/rare");
        assertThat(answer.matched()).isEqualTo(1);
    }

    @Test
    void eachRequestComesOnceToWhoGoesOn() {
        String next = ask(RequestFilter.ALL, true, null).next();
        Set<String> ids = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 7; i++) {
                request(i % 2, "carts", "/", 200);
            }
            RequestsAnswer answer = ask(RequestFilter.ALL, true, next);
            assertThat(answer.items())
                    .hasSize(7)
                    .allSatisfy(item -> assertThat(ids.add(item.id())).isTrue());
            next = answer.next();
        }
        assertThat(ask(RequestFilter.ALL, true, next).items()).isEmpty();
    }

    @Test
    void itTakesSoManyASecondAndCountsAll() {
        String next = ask(RequestFilter.ALL, true, null).next();
        for (int i = 0; i < 100_000; i++) {
            now += SECOND / 10_000;
            request(0, "carts", "/", 200);
        }

        RequestsAnswer answer = ask(RequestFilter.ALL, true, next);

        assertThat(answer.items()).hasSizeBetween(100, 128);
        assertThat(answer.matched()).isEqualTo(100_000);
    }

    @Test
    void filtersTakeWhatTheySay() {
        request(0, "carts", "/cart/12", 200);
        request(0, "carts", "/cart/13", 404);
        request(0, "pay", "/pay", 503);
        request(0, "pay", "/pay/none", 0);
        request(tail, 0, null, "/nowhere", 404, now);

        assertThat(paths(of("carts", null, null))).containsExactlyInAnyOrder("/cart/12", "/cart/13");
        assertThat(paths(of(RequestFilter.NO_ROUTE, null, null))).containsExactly("/nowhere");
        assertThat(paths(of("carts", RequestFilter.Status.CLIENT_ERROR, null))).containsExactly("/cart/13");
        assertThat(paths(of(null, RequestFilter.Status.FAILED, null))).containsExactlyInAnyOrder("/pay", "/pay/none");
        assertThat(paths(of(null, RequestFilter.Status.SERVER_ERROR, null))).containsExactly("/pay");
        assertThat(paths(of(null, null, "CART/1"))).hasSize(2);
        assertThat(paths(of(null, null, "no_node"))).containsExactly("/pay");
        assertThat(paths(of(null, null, "example.com/cart/13"))).containsExactly("/cart/13");
        assertThat(paths(of(null, null, "example.org/cart"))).isEmpty();
        assertThat(paths(of(null, null, "203.0.113"))).isEmpty();
        assertThat(paths(new RequestFilter(null, "other", null, null))).isEmpty();
    }

    @Test
    void filtersBeyondTheBoundGetTheSample() {
        for (int i = 0; i < RequestTail.WATCHES_MAX; i++) {
            assertThat(ask(of("r" + i, null, null), true, null).busy()).isFalse();
        }
        RequestFilter further = of("further", null, null);
        request(0, "further", "/", 200);

        RequestsAnswer answer = ask(further, true, null);

        assertThat(answer.busy()).isTrue();
        assertThat(answer.items()).hasSize(1);
        assertThat(ask(further, true, answer.next()).items()).isEmpty();
        assertThat(ask(of("r0", null, null), true, null).busy()).isFalse();
        assertThat(tail.watched()).isEqualTo(RequestTail.WATCHES_MAX);
    }

    @Test
    void aWatchThatNobodyRenewsEnds() {
        String next = ask(RequestFilter.ALL, true, null).next();
        long later = System.nanoTime() + (RequestsQuestion.LEASE_SECONDS + 1) * SECOND;
        request(tail, 0, "carts", "/first", 200, later);
        request(tail, 0, "carts", "/second", 200, later);

        assertThat(tail.watched()).isZero();
        RequestsAnswer again = ask(RequestFilter.ALL, true, next);
        assertThat(again.items()).extracting(LastRequest::path).containsExactlyInAnyOrder("/first", "/second");
        assertThat(again.busy()).isFalse();
    }

    @Test
    void whatIsKeptOfARequestIsBounded() {
        request(0, "carts", "/" + "x".repeat(60_000), 200);

        assertThat(paths(RequestFilter.ALL))
                .singleElement()
                .satisfies(path -> assertThat(path).hasSize(TailEntry.PATH_MAX));
    }

    @Test
    void aPlaceThatIsOfNoWatchReadsEverything() {
        request(0, "carts", "/", 200);
        for (String after : List.of("", ":", "x:1.2", "\u0000", "1".repeat(5_000))) {
            assertThat(ask(RequestFilter.ALL, false, after).items()).hasSize(1);
        }
        String next = ask(RequestFilter.ALL, true, null).next();
        String name = next.substring(0, next.indexOf(':') + 1);
        for (String rest : List.of("", "-1.-1.-1.-1", "zzzzzzzzzz.0.0.0", "1.1", "!.0.0.0")) {
            assertThat(ask(RequestFilter.ALL, true, name + rest).items()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void nothingIsAllocatedOnTheLoop() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
        for (int watched = 0; watched < 2; watched++) {
            if (watched == 1) {
                ask(of("carts", null, "nothing has this"), true, null);
                ask(RequestFilter.ALL, true, null);
            }
            for (int round = 0; round < 10; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 20_000; i++) {
                    now += 10_000;
                    request(tail, 0, "carts", "/cart", 200, now);
                }
                best[watched] = Math.min(best[watched], threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        // The clock of the day is read ten times in a second of these requests.
        assertThat(best[0] / 20_000).isZero();
        assertThat(best[1] / 20_000).isZero();
    }

    @Test
    void readersSeeWholeRequestsWhileLoopsWrite() throws Exception {
        TailRing ring = new TailRing(16, 1e9);
        Thread writer = Thread.ofPlatform().start(() -> {
            TailEntry entry = new TailEntry();
            for (int i = 0; i < 2_000_000; i++) {
                entry.request("", "", "", String.valueOf(i % 1_000), "", i);
                entry.response(i, i, i, i, null);
                ring.add(entry, System.nanoTime());
            }
        });
        List<TailEntry> read = new ArrayList<>();
        while (writer.isAlive()) {
            long to = ring.written();
            ring.read(0, to, entry -> {
                if (read.size() < 1_000_000) {
                    read.add(entry);
                }
            });
        }
        writer.join();
        assertThat(read).isNotEmpty();
        for (TailEntry entry : read) {
            if (entry.revision != entry.bytesIn
                    || entry.revision != entry.status
                    || !entry.path.equals(String.valueOf(entry.revision % 1_000))) {
                assertThat(entry.revision).isEqualTo(entry.bytesIn).isEqualTo(entry.status);
                assertThat(entry.path).isEqualTo(String.valueOf(entry.revision % 1_000));
            }
        }
    }
}
