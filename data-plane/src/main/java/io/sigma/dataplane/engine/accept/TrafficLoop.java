package io.sigma.dataplane.engine.accept;

import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.loop.Scheduling;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.transport.Transport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An event loop that carries traffic, with its listeners. {@code GatewayEngine} makes one for each event loop.
 *
 * @param context the one that listeners and connections of this loop run on
 * @param listeners whose connections it has
 */
public record TrafficLoop(Loop loop, ContextInternal context, LoopListeners listeners) {

    /** The largest number of contexts that are made to find different event loops. */
    private static final int TRIES_MAX = 1024;

    /** Returns as many loops as {@code vertx} has, at most {@code wanted}; each on a thread of its own. */
    public static List<TrafficLoop> pick(VertxInternal vertx, int wanted, MemoryBudget memory) {
        List<TrafficLoop> loops = new ArrayList<>();
        Set<Object> threads = new HashSet<>();
        for (int i = 0; i < TRIES_MAX && loops.size() < wanted; i++) {
            ContextInternal context = vertx.createEventLoopContext();
            if (threads.add(context.nettyEventLoop())) {
                context.nettyEventLoop().execute(Scheduling::forTraffic);
                loops.add(new TrafficLoop(
                        new Loop(loops.size(), new ContextScheduler(context), memory, wanted),
                        context,
                        new LoopListeners()));
            } else if (i >= wanted * 4) {
                break;
            }
        }
        return loops;
    }

    /** Returns a loop on the same thread, with listeners, deadlines and memory of its own. */
    public TrafficLoop beside(MemoryBudget memory, int loops) {
        return new TrafficLoop(
                new Loop(loop.index(), new ContextScheduler(context), memory, loops), context, new LoopListeners());
    }

    /**
     * Returns a context on a loop that is none of {@code taken}, and gives way to these; on one of them when there is
     * no other.
     */
    public static ContextInternal spare(VertxInternal vertx, List<TrafficLoop> taken) {
        ContextInternal context = vertx.createEventLoopContext();
        for (int i = 0; i < taken.size() && isOneOf(context, taken); i++) {
            context = vertx.createEventLoopContext();
        }
        if (!isOneOf(context, taken)) {
            context.nettyEventLoop().execute(Scheduling::forBackground);
        }
        return context;
    }

    /** Returns the transport of Vert.x that {@code transport} delegates to. */
    public static Transport real(Transport transport) {
        return DelegatingTransport.real(transport);
    }

    @SuppressWarnings("ReferenceEquality") // A loop is a thread.
    private static boolean isOneOf(ContextInternal context, List<TrafficLoop> taken) {
        return taken.stream().anyMatch(loop -> loop.context.nettyEventLoop() == context.nettyEventLoop());
    }

    private record ContextScheduler(ContextInternal context) implements Loop.Scheduler {

        @Override
        public void execute(Runnable task) {
            context.runOnContext(ignored -> task.run());
        }

        @Override
        public void afterTurn(Runnable task) {
            context.nettyEventLoop().execute(task);
        }

        @Override
        public void afterInput(Runnable task) {
            LateTimer.afterInput(context.nettyEventLoop(), task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            context.setTimer(Math.max(1, millis), ignored -> task.run());
        }
    }
}
