package io.sigma.dataplane.engine.uring;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of an event loop while it handles events. Netty runs them once the kernel has no more events, up to a
 * hundred thousand of them later. Confined to the event loop.
 */
final class LoopTasks {

    private static final @Nullable MethodHandle RUN = find();

    private LoopTasks() {}

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.privateLookupIn(SingleThreadEventExecutor.class, MethodHandles.lookup())
                    .findVirtual(
                            SingleThreadEventExecutor.class,
                            "runAllTasks",
                            MethodType.methodType(boolean.class, long.class))
                    .asType(MethodType.methodType(void.class, SingleThreadEventExecutor.class, long.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Runs the tasks that {@code loop} has, for about {@code nanosMax}. */
    static void run(EventLoop loop, long nanosMax) {
        if (RUN == null || !(loop instanceof SingleThreadEventExecutor executor)) {
            return;
        }
        try {
            RUN.invokeExact(executor, nanosMax);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("running tasks declares nothing", e);
        }
    }
}
