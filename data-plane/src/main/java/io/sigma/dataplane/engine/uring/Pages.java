package io.sigma.dataplane.engine.uring;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory of the process, in pages of the machine (madvise(2)). Thread-safe. */
final class Pages {

    /** Of {@code asm-generic/mman-common.h}: the pages go, and are zero when they are used again. */
    private static final int MADV_DONTNEED = 4;

    private static final int BYTES = 4096;
    private static final @Nullable MethodHandle MADVISE = function();

    private Pages() {}

    @SuppressWarnings("restricted") // The address and length of a buffer.
    private static @Nullable MethodHandle function() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("madvise")
                .map(symbol -> linker.downcallHandle(
                        symbol,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT)))
                .orElse(null);
    }

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
        try {
            int ignored = (int) MADVISE.invokeExact(memory.asSlice(before, length), length, MADV_DONTNEED);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise throws nothing", e);
        }
    }
}
