package io.sigma.dataplane.engine.uring;

import io.sigma.dataplane.loop.KernelFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory of the process, in pages of the machine (madvise(2)). Thread-safe. */
final class Pages {

    /** Of {@code asm-generic/mman-common.h}: the pages go, and are zero when they are used again. */
    private static final int MADV_DONTNEED = 4;

    private static final int BYTES = 4096;
    private static final @Nullable MethodHandle MADVISE = KernelFunctions.find("madvise");

    private Pages() {}

    /**
     * Gives the memory of a new buffer back to the machine until it is used. The JVM has filled it with zeros, so all
     * of it is resident. Where pages are larger than 4 KiB the machine refuses, and nothing changes.
     *
     * @param buffer direct, with nothing in it
     */
    static void release(ByteBuffer buffer) {
        MemorySegment memory = MemorySegment.ofBuffer(buffer);
        long before = -memory.address() & BYTES - 1;
        long length = memory.byteSize() - before & -BYTES;
        if (MADVISE == null || length <= 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = KernelFunctions.state(arena);
            long ignored = (long)
                    MADVISE.invokeExact(state, memory.address() + before, length, (long) MADV_DONTNEED, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise throws nothing", e);
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }
}
