package io.sigma.dataplane.loop;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to Linux which threads carry traffic and which work beside it, so that a request need not wait for a revision or
 * for the JVM's compiler where they share a processor (sched_setattr(2), the kernel's sched-eevdf.rst). It needs no
 * privilege. Where it is refused, and on other systems, nothing changes. Thread-safe; measured in ADR 44.
 */
public final class Scheduling {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);

    /** The shortest that Linux grants; its default is 0.7 to 4 ms, by the number of processors. */
    static final long SLICE_NANOS = 100_000;

    /** A tenth of the weight of a thread that carries traffic (sched-nice-design.rst). */
    static final int BACKGROUND_NICE = 10;

    /** A third. */
    static final int OPTIMIZER_NICE = 5;

    /** A seventieth: the least that there is. */
    static final int LITTLE_NICE = 19;

    /**
     * {@code struct sched_attr} of the first version, in octets: size, policy, flags, nice, priority, runtime, and two
     * more.
     */
    private static final int ATTRIBUTES = 48;

    private static final long FLAGS_AT = 8;
    private static final long NICE_AT = 16;
    private static final long RUNTIME_AT = 24;

    /** Threads that one with these attributes starts do not inherit them. */
    private static final long RESET_ON_FORK = 1;

    /**
     * Numbers of sched_setattr, for which not every C library has a function; that of sched_getattr is the next one.
     */
    private static final Map<String, Long> SETATTR = Map.of("amd64", 314L, "aarch64", 274L);

    private static final long CALLER = 0;
    private static final Path THREADS = Path.of("/proc/self/task");

    /** The beginning of the names of threads of HotSpot's optimizing compiler (C2). */
    private static final String OPTIMIZER = "C2 CompilerThre";

    /**
     * The niceness of threads that other modules start, by the beginning of their name as far as Linux stores it:
     * HotSpot's optimizing compiler, its collector between pauses, and the writer of the log. Threads that these start
     * inherit it.
     */
    private static final Map<String, Integer> OF_OTHERS = Map.of(
            OPTIMIZER,
            LITTLE_NICE,
            "G1 Refine#",
            BACKGROUND_NICE,
            "G1 Conc#",
            BACKGROUND_NICE,
            "G1 Main Marker",
            BACKGROUND_NICE,
            "G1 Service",
            BACKGROUND_NICE,
            "sigma-log",
            BACKGROUND_NICE);

    private static final @Nullable Long NUMBER = SETATTR.get(System.getProperty("os.arch"));
    private static final @Nullable MethodHandle SYSCALL = KernelFunctions.find("syscall");

    private Scheduling() {}

    /** The scheduling attributes of a thread in Linux: its slice in nanoseconds, and its niceness, -20 to 19. */
    record Attributes(long sliceNanos, int nice) {}

    /**
     * The thread that calls carries traffic: short slices, so that it runs as soon as it wakes (since Linux 6.12).
     *
     * @return whether the kernel took it
     */
    public static boolean forTraffic() {
        return change(CALLER, RESET_ON_FORK, 0, SLICE_NANOS);
    }

    /**
     * The thread that calls works beside the traffic: it gets a tenth of what one with traffic gets, as long as that
     * wants more.
     *
     * @return whether the kernel took it
     */
    public static boolean forBackground() {
        return change(CALLER, 0, BACKGROUND_NICE, 0);
    }

    /**
     * The thread that calls works beside the traffic, often and little at a time, such as for each change: it gets a
     * seventieth of what one with traffic gets, as long as that wants more, and holds it up the least. What takes long
     * by itself would hardly end beside full load.
     *
     * @return whether the kernel took it
     */
    public static boolean forLittle() {
        return change(CALLER, 0, LITTLE_NICE, 0);
    }

    /** Returns {@code work} for whatever thread, which works beside the traffic from then on. */
    public static <T> Callable<T> background(Callable<T> work) {
        return () -> {
            forBackground();
            return work.call();
        };
    }

    /** Returns what makes daemon threads with that name, which work beside the traffic. */
    public static ThreadFactory backgroundThreads(String name) {
        return threads(name, Scheduling::forBackground);
    }

    /** Returns what makes daemon threads with that name, for what {@link #forLittle} is for. */
    public static ThreadFactory littleThreads(String name) {
        return threads(name, Scheduling::forLittle);
    }

    private static ThreadFactory threads(String name, Runnable first) {
        return task -> Thread.ofPlatform().name(name).daemon().unstarted(() -> {
            first.run();
            task.run();
        });
    }

    /**
     * The JVM's optimizing compiler (C2) works beside the traffic from now on. It gets a third of what a thread with
     * traffic gets, so that it is done within some ten seconds beside full load, too; docs/adr/0084 has measurements.
     *
     * @return how many threads that were
     */
    public static int optimizerForBackground() {
        return forBackground(Map.of(OPTIMIZER, OPTIMIZER_NICE));
    }

    /**
     * The JVM's optimizing compiler, what its collector does between pauses, and the one that writes the log work
     * beside the traffic from now on. The compiler that comes first and is fast does not, since code that waits for it
     * is many times slower, nor do threads that traffic waits for in a pause.
     *
     * @return how many threads that were
     */
    public static int othersForBackground() {
        return forBackground(OF_OTHERS);
    }

    /** @param names how threads begin their names, and their niceness */
    private static int forBackground(Map<String, Integer> names) {
        int changed = 0;
        if (SYSCALL == null || !Files.isDirectory(THREADS)) {
            return changed;
        }
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                int nice = nice(thread, names);
                if (nice > 0 && change(number(thread), 0, nice, 0)) {
                    changed++;
                }
            }
        } catch (IOException e) {
            LOG.debug("The threads of others keep their shares of the processor: {}", e.toString());
        }
        return changed;
    }

    /** Returns the niceness that a thread shall have; 0 for one that keeps its own. */
    private static int nice(Path thread, Map<String, Integer> names) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return names.entrySet().stream()
                    .filter(known -> name.startsWith(known.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .findAny()
                    .orElse(0);
        } catch (IOException e) {
            // It ended meanwhile.
            return 0;
        }
    }

    private static long number(Path thread) {
        return Long.parseLong(thread.getFileName().toString());
    }

    /** Returns what the thread that calls has; null where Linux does not tell. */
    static @Nullable Attributes current() {
        if (SYSCALL == null || NUMBER == null) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            return read(CALLER, attributes)
                    ? new Attributes(
                            attributes.get(ValueLayout.JAVA_LONG, RUNTIME_AT),
                            attributes.get(ValueLayout.JAVA_INT, NICE_AT))
                    : null;
        }
    }

    /**
     * Changes what differs, and keeps the policy.
     *
     * @param nice the least; a thread that is nicer stays so, because going back needs a privilege
     * @param sliceNanos the slice to ask the kernel for, in nanoseconds; 0 for its default
     */
    private static boolean change(long thread, long flags, int nice, long sliceNanos) {
        if (SYSCALL == null || NUMBER == null || !System.getProperty("os.name").equals("Linux")) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            if (!read(thread, attributes)) {
                return false;
            }
            attributes.set(ValueLayout.JAVA_LONG, FLAGS_AT, attributes.get(ValueLayout.JAVA_LONG, FLAGS_AT) | flags);
            attributes.set(
                    ValueLayout.JAVA_INT, NICE_AT, Math.max(nice, attributes.get(ValueLayout.JAVA_INT, NICE_AT)));
            attributes.set(ValueLayout.JAVA_LONG, RUNTIME_AT, sliceNanos);
            return call(NUMBER, thread, attributes, 0) == 0;
        }
    }

    @SuppressWarnings("NullAway") // Those that call have asked.
    private static boolean read(long thread, MemorySegment attributes) {
        return call(NUMBER + 1, thread, attributes, ATTRIBUTES) == 0;
    }

    /** @param size of the attributes, for sched_getattr, whose last argument are flags then; else flags */
    @SuppressWarnings("NullAway") // Those that call have asked.
    private static long call(long number, long thread, MemorySegment attributes, int size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = KernelFunctions.state(arena);
            return (long) SYSCALL.invokeExact(state, number, thread, attributes.address(), (long) size, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("syscall throws nothing", e);
        }
    }
}
