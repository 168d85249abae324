package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.loop.HeldMemory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The memory that a connection holds for its peers. Confined to the event loop. */
final class FramedMemory extends HeldMemory.Holder {

    private final LongSupplier held;
    private final LongSupplier taken;
    private final Supplier<@Nullable Object> owner;
    private final Runnable end;

    /**
     * @param held returns how much it holds, in bytes
     * @param taken returns how much its peers have taken so far, in bytes
     * @param owner returns for whom; null for many
     * @param end closes the connection when the budget needs its memory
     */
    FramedMemory(LongSupplier held, LongSupplier taken, Supplier<@Nullable Object> owner, Runnable end) {
        this.held = held;
        this.taken = taken;
        this.owner = owner;
        this.end = end;
    }

    @Override
    protected long held() {
        return held.getAsLong();
    }

    @Override
    protected long taken() {
        return taken.getAsLong();
    }

    @Override
    protected @Nullable Object owner() {
        return owner.get();
    }

    @Override
    protected void end() {
        end.run();
    }
}
