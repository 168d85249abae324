package io.sigma.dataplane.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks Linux to run a thread in short slices: since 6.12 a thread that wakes runs before one with longer slices at once,
 * instead of when that has used its own up (sched_setattr(2), the kernel's sched-eevdf.rst). The share of the processor that it
 * gets stays the same. Older kernels take no notice.
 */
public final class ShortSlices {

    /** The shortest that Linux grants; its default is 0.7 to 4 ms, by the number of processors. */
    private static final long SLICE_NANOS = 100_000;

    /** {@code struct sched_attr} of the first version, in octets: size, policy, flags, nice, priority, runtime, and two more. */
    private static final int ATTRIBUTES = 48;

    private static final long RUNTIME_AT = 24;

    /** Numbers of sched_setattr, for which not every C library has a function; that of sched_getattr is the next one. */
    private static final Map<String, Long> SETATTR = Map.of("amd64", 314L, "aarch64", 274L);

    private static final @Nullable Long NUMBER = SETATTR.get(System.getProperty("os.arch"));
    private static final @Nullable MethodHandle SYSCALL = syscall();

    private ShortSlices() {}

    /**
     * Asks for the thread that calls, whose policy and niceness stay as they are.
     *
     * @return whether the kernel took it; where it did not, nothing has changed
     */
    public static boolean ask() {
        if (SYSCALL == null || NUMBER == null || !System.getProperty("os.name").equals("Linux")) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            if (!read(attributes)) {
                return false;
            }
            attributes.set(ValueLayout.JAVA_LONG, RUNTIME_AT, SLICE_NANOS);
            return call(NUMBER, attributes, 0) == 0;
        }
    }

    /** Returns the slice of the thread that calls, in nanoseconds; empty where Linux does not tell. */
    static OptionalLong current() {
        if (SYSCALL == null || NUMBER == null) {
            return OptionalLong.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            return read(attributes)
                    ? OptionalLong.of(attributes.get(ValueLayout.JAVA_LONG, RUNTIME_AT))
                    : OptionalLong.empty();
        }
    }

    @SuppressWarnings("NullAway") // Those that call have asked.
    private static boolean read(MemorySegment attributes) {
        return call(NUMBER + 1, attributes, ATTRIBUTES) == 0;
    }

    /** @param size of the attributes, for sched_getattr, whose last argument are flags then; else flags */
    @SuppressWarnings("NullAway") // Those that call have asked.
    private static long call(long number, MemorySegment attributes, int size) {
        try {
            return (long) SYSCALL.invokeExact(number, 0L, attributes, (long) size, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("syscall throws nothing", e);
        }
    }

    @SuppressWarnings("restricted") // Numbers, and memory of the call.
    private static @Nullable MethodHandle syscall() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type = FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG);
        return linker.defaultLookup()
                .find("syscall")
                .map(symbol -> linker.downcallHandle(symbol, type, Linker.Option.firstVariadicArg(1)))
                .orElse(null);
    }
}
