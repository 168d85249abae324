package io.sigma.dataplane.testkit.fault;

import io.sigma.dataplane.Gateway;
import io.sigma.json.JsonPointer;
import io.sigma.model.ProxyServer;
import io.sigma.plugin.PluginProvider;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A lower limit of open files of this process, until it is closed. An operation of io_uring that was submitted before
 * keeps the earlier one.
 */
public final class FileLimit implements AutoCloseable {

    private static final int RLIMIT_NOFILE = 7;
    private static final MethodHandle GET = handle("getrlimit");
    private static final MethodHandle SET = handle("setrlimit");

    private final List<FileInputStream> fill = new ArrayList<>();
    private final long before;

    private FileLimit(long before) {
        this.before = before;
    }

    /** Lowers the limit so that about {@code more} files can be opened. */
    public static FileLimit leaving(int more) {
        loadClasses();
        FileLimit limit = new FileLimit(limit(-1));
        limit(highest() + more);
        return limit;
    }

    /** Uses up all descriptors. */
    @SuppressWarnings("resource") // Given back later.
    public void reach() {
        try {
            while (true) {
                fill.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // That was the last one.
            return;
        }
    }

    /** Gives back what was used up. */
    public void leave() throws IOException {
        for (FileInputStream file : fill) {
            file.close();
        }
        fill.clear();
    }

    /** Loads the classes that are files, not in an open jar: without a descriptor they would be lost for good. */
    private static void loadClasses() {
        for (Class<?> one :
                List.of(FileLimit.class, Gateway.class, PluginProvider.class, JsonPointer.class, ProxyServer.class)) {
            Path folder = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().getPath());
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.map(file -> folder.relativize(file).toString())
                            .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                            .forEach(FileLimit::load);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void load(String file) {
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        try {
            Class.forName(name, false, FileLimit.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static long highest() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.mapToLong(path -> Long.parseLong(path.getFileName().toString()))
                    .max()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("restricted") // Numbers, and memory of the call.
    private static MethodHandle handle(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    /** Sets the limit, unless {@code next} is negative; returns what it was. */
    private static long limit(long next) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(ValueLayout.JAVA_LONG, 2);
            if ((int) GET.invokeExact(RLIMIT_NOFILE, limits) != 0) {
                throw new IllegalStateException("getrlimit");
            }
            long was = limits.getAtIndex(ValueLayout.JAVA_LONG, 0);
            if (next >= 0) {
                limits.setAtIndex(ValueLayout.JAVA_LONG, 0, next);
                if ((int) SET.invokeExact(RLIMIT_NOFILE, limits) != 0) {
                    throw new IllegalStateException("setrlimit");
                }
            }
            return was;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        limit(before);
        leave();
    }
}
