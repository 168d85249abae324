package io.sigma.dataplane;

import io.sigma.dataplane.loop.LiveConnections;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.GatewayConnection;
import io.sigma.model.GatewayConnectionList;
import io.sigma.snapshot.ConnectionQuestion;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists the connections of all event loops that operators can see, and closes one. Thread-safe. */
final class OpenConnections {

    private final List<Loop> loops;

    OpenConnections(List<Loop> loops) {
        this.loops = List.copyOf(loops);
    }

    /**
     * Returns the connections that {@code question} means, the oldest first, or the one that is closed.
     *
     * @return fails with {@link InvalidValue} when the address of clients is none
     */
    Future<GatewayConnectionList> answer(ConnectionQuestion question) {
        String id = question.id();
        try {
            return id == null ? list(wanted(question), question.limit()) : close(id);
        } catch (InvalidValue e) {
            return Future.failedFuture(e);
        }
    }

    private Future<GatewayConnectionList> list(Predicate<GatewayConnection> wanted, int limit) {
        List<Future<LiveConnections.Found>> parts = loops.stream()
                .map(loop -> OpenConnections.<LiveConnections.Found>on(
                        loop, part -> loop.connections().find(wanted, limit, part::complete)))
                .toList();
        return Future.all(parts)
                .map(done -> GatewayConnectionList.builder()
                        .items(parts.stream()
                                .flatMap(part -> part.result().connections().stream())
                                .sorted(Comparator.comparing(GatewayConnection::startedAt))
                                .limit(limit)
                                .toList())
                        .matching(parts.stream()
                                .mapToLong(part -> part.result().matching())
                                .sum())
                        .build());
    }

    private Future<GatewayConnectionList> close(String id) {
        List<Future<@Nullable GatewayConnection>> parts = loops.stream()
                .map(loop -> OpenConnections.<@Nullable GatewayConnection>on(
                        loop, part -> part.complete(loop.connections().close(id))))
                .toList();
        return Future.all(parts).map(done -> {
            List<GatewayConnection> closed =
                    parts.stream().map(Future::result).filter(Objects::nonNull).toList();
            return GatewayConnectionList.builder()
                    .items(closed)
                    .matching((long) closed.size())
                    .build();
        });
    }

    private static <T extends @Nullable Object> Future<T> on(Loop loop, Consumer<Promise<T>> task) {
        Promise<T> promise = Promise.promise();
        loop.scheduler().execute(() -> {
            try {
                task.accept(promise);
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }

    private static Predicate<GatewayConnection> wanted(ConnectionQuestion question) {
        String text = question.clientAddress();
        AddressRange clients = text == null ? null : AddressRange.parse(text);
        return connection -> is(question.proxyServerId(), connection.proxyServerId())
                && is(question.upstreamId(), connection.upstreamId())
                && is(question.node(), connection.node())
                && is(question.protocol(), connection.protocol())
                && (clients == null || isFrom(clients, connection.clientAddress()));
    }

    private static boolean is(@Nullable Object wanted, @Nullable Object is) {
        return wanted == null || wanted.equals(is);
    }

    private static boolean isFrom(AddressRange clients, @Nullable String address) {
        return address != null && clients.contains(Addresses.parse(address));
    }
}
