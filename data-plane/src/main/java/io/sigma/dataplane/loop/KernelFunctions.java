package io.sigma.dataplane.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library of 64-bit Linux for which Java has none. All have one type, so that the JVM makes one stub
 * and one chain of method handles for them in each start. A function does not read the registers of the words that it
 * does not have (System V ABI of AMD64, AAPCS64). Thread-safe.
 *
 * <p>A function is called as {@code (long) handle.invokeExact(state, w1, w2, w3, w4, w5, w6)}. The type of each word is
 * {@code long}; a function whose result is an {@code int} leaves the upper half undefined.
 */
public final class KernelFunctions {

    /** The number of words that each call gives. Words that a function does not have are 0. */
    public static final int WORDS = 6;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final FunctionDescriptor TYPE = FunctionDescriptor.of(WORD, WORD, WORD, WORD, WORD, WORD, WORD);
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_AT = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private KernelFunctions() {}

    /** Returns the function of that name; null when the C library has none. Its callers keep what it is given. */
    @SuppressWarnings("restricted") // Addresses of memory of those that call, which outlives the call.
    public static @Nullable MethodHandle find(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(symbol -> linker.downcallHandle(symbol, TYPE, Linker.Option.captureCallState("errno")))
                .orElse(null);
    }

    /** Returns memory for the state of calls of one thread at a time. */
    public static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    /** Returns the error of the last call that failed with {@code state}. */
    public static int errno(MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, ERRNO_AT);
    }
}
