package io.sigma.dataplane.filter;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.plugin.PluginProvider;
import io.sigma.value.AddressGuard;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The services that filters are built with.
 *
 * @param loops the event loops; state per loop is an array with a slot for each
 * @param worker runs what blocks
 * @param clock tells the time of day
 * @param nanoTime as {@link System#nanoTime()}
 * @param random returns the generator of the calling thread
 * @param consumers those of the snapshot that is served
 * @param extensions plugins that others wrote, by name
 * @param addresses where filters may not connect to
 * @param files reads files that plugins name, and reads them again when they change
 * @param disk opens the files and folders that a configuration names
 * @param passesSessions whether nodes get and set the cookie of the dashboard
 */
public record FilterServices(
        List<Loop> loops,
        Executor worker,
        InstantSource clock,
        LongSupplier nanoTime,
        Supplier<RandomGenerator> random,
        Consumers consumers,
        Map<String, PluginProvider> extensions,
        AddressGuard addresses,
        WatchedFiles files,
        GatewayDisk disk,
        boolean passesSessions) {

    /** Services that nothing is built with. */
    public static final FilterServices NONE = new FilterServices(
            List.of(),
            Runnable::run,
            InstantSource.system(),
            System::nanoTime,
            ThreadLocalRandom::current,
            new Consumers(),
            Map.of(),
            new AddressGuard(List.of(), List.of(), port -> false),
            WatchedFiles.once(GatewayDisk.open(Path.of(".sigma"))),
            GatewayDisk.open(Path.of(".sigma")),
            false);

    /** Returns services on the clock of the machine, with the extensions on the class path. */
    public static FilterServices of(
            List<Loop> loops,
            Executor worker,
            AddressGuard addresses,
            WatchedFiles files,
            GatewayDisk disk,
            boolean passesSessions) {
        Map<String, PluginProvider> extensions = new HashMap<>();
        for (PluginProvider provider : ServiceLoader.load(PluginProvider.class)) {
            PluginProvider other = extensions.putIfAbsent(provider.name(), provider);
            if (other != null) {
                throw new IllegalStateException("plugin \"" + provider.name() + "\" is provided by "
                        + other.getClass().getName() + " and by "
                        + provider.getClass().getName() + " (expected: one of them on the class path)");
            }
        }
        return new FilterServices(
                List.copyOf(loops),
                worker,
                InstantSource.system(),
                System::nanoTime,
                ThreadLocalRandom::current,
                new Consumers(),
                Map.copyOf(extensions),
                addresses,
                files,
                disk,
                passesSessions);
    }
}
