package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.e2e.fault.Clock;
import io.sigma.e2e.fault.NameServer;
import io.sigma.e2e.fault.Programs;
import io.sigma.e2e.fault.SmallDisk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Shortages of a machine: disk space, descriptors, the right time, name servers. A shortage that this machine cannot
 * produce is skipped with the reason.
 */
final class Scarcity implements AutoCloseable {

    private static final List<String> WITH_DISK = List.of("gateway-2", "control-plane-2");
    private static final List<String> WITH_CLOCK = List.of("gateway-2", "control-plane-2");
    private static final String NODE = "node.sigma.test";

    private static final String WITH_FEW_DESCRIPTORS = "gateway-1";
    private static final int DESCRIPTORS = 256;
    private static final int CONNECTIONS = 300;
    private static final String REFUSED = "are refused: the limit of open files";
    private static final String OTHER_CLIENT = "127.0.0.99";
    private static final long HELD_MILLIS = 2_000;

    private final Path folder;
    private final Map<String, SmallDisk> disks = new HashMap<>();
    private final @Nullable Clock clock;
    private @Nullable NameServer names;

    private Scarcity(Path folder) throws IOException {
        this.folder = folder;
        this.clock = Clock.isPossible() ? Clock.in(folder) : null;
        if (mayMount()) {
            for (String id : WITH_DISK) {
                disks.put(id, SmallDisk.at(Plant.dataDir(folder, id)));
            }
            names = NameServer.start();
        }
    }

    /** Prepares what the processes of a plant in {@code folder} will lack. */
    static Scarcity in(Path folder) throws IOException {
        return new Scarcity(folder);
    }

    private static boolean mayMount() {
        if (!Programs.isRoot() || !Programs.isThere("unshare")) {
            return false;
        }
        try {
            Programs.run("unshare", "--mount", "mount", "-t", "tmpfs", "sigma-resilience", "/mnt");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** To be done to each process of the plant. */
    void adjust(SigmaProcess.Command command) {
        if (clock != null && WITH_CLOCK.contains(command.name())) {
            clock.shownTo(command);
        }
        if (names != null) {
            NameServer.askedBy(command, folder);
        }
        if (command.name().equals(WITH_FEW_DESCRIPTORS) && Programs.isThere("prlimit")) {
            command.under("prlimit", "--nofile=" + DESCRIPTORS);
        }
    }

    /**
     * The disks of one of the gateways and one of the control planes are full, then read-only, and then as they were.
     */
    void disksTakeNothing(Resilience resilience) throws IOException {
        Assumptions.assumeFalse(disks.isEmpty(), "mounting a file system takes root");
        for (SmallDisk disk : disks.values()) {
            disk.fill();
        }
        nothingIsKept(resilience, resilience.durations("disks of a gateway and a control plane full"));
        for (SmallDisk disk : disks.values()) {
            disk.free();
        }
        keptAgain(resilience);
        for (SmallDisk disk : disks.values()) {
            disk.readOnly(true);
        }
        nothingIsKept(resilience, resilience.durations("disks of a gateway and a control plane read-only"));
        for (SmallDisk disk : disks.values()) {
            disk.readOnly(false);
        }
        keptAgain(resilience);
    }

    private static void nothingIsKept(Resilience resilience, Durations durations) {
        SigmaProcess gateway = resilience.plant.gateways.getLast().process;
        long said = count(gateway, "could not be written to disk");
        durations.add(Convergence.await(resilience.plant, System.nanoTime()));
        // A little may find room in a block that was begun.
        Await.until(gateway + " says so", () -> {
            resilience
                    .plant
                    .admin()
                    .put(
                            "/upstreams/large",
                            "{\"nodes\":[{\"url\":\"http://127.0.0.1:9/" + System.nanoTime() + "\"}],\"description\":\""
                                    + "x".repeat(1_000) + "\"}");
            return count(gateway, "could not be written to disk") > said;
        });
        durations.add(Convergence.await(resilience.plant, System.nanoTime()));
    }

    /** What was not kept is tried again after five seconds. */
    private static void keptAgain(Resilience resilience) {
        SigmaProcess gateway = resilience.plant.gateways.getLast().process;
        Await.until(gateway + " keeps what it serves on disk again", () -> {
            String output = gateway.output();
            return output.lastIndexOf("is served, and on disk") > output.lastIndexOf("could not be written to disk");
        });
    }

    private static long count(SigmaProcess process, String text) {
        return process.output().lines().filter(line -> line.contains(text)).count();
    }

    /**
     * More connections come to a gateway than it has descriptors for; from another address than those of the traffic.
     */
    void descriptorsAreUsedUp(Resilience resilience) throws IOException {
        Assumptions.assumeTrue(Programs.isThere("prlimit"), "prlimit is not on the path");
        Plant.Gateway gateway = resilience.plant.gateways.getFirst();
        Durations durations = resilience.durations("descriptors of a gateway used up");
        long said = count(gateway.process, REFUSED);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                sockets.add(connect(gateway, resilience.port));
            }
            Await.until(
                    gateway.process + " says so",
                    () -> count(gateway.process, REFUSED) > said
                            || gateway.metric("sigma_connections_refused_by_address") > 0);
            durations.add(Convergence.await(resilience.plant, System.nanoTime()));
            Await.pause(HELD_MILLIS);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        durations.add(Convergence.await(resilience.plant, System.nanoTime()));
        Await.until("a new connection is served", () -> isServed(gateway, resilience.port));
        assertThat(count(gateway.process, "Too many open files"))
                .as("lines that tell of it")
                .isLessThan(100);
    }

    private static Socket connect(Plant.Gateway gateway, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(OTHER_CLIENT, 0));
        socket.connect(new InetSocketAddress(gateway.address, port), 1_000);
        try {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // Refused already.
        }
        return socket;
    }

    private static boolean isServed(Plant.Gateway gateway, int port) {
        try (Socket socket = connect(gateway, port)) {
            socket.setSoTimeout(1_000);
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).endsWith("200");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The clocks of one of the gateways and one of the control planes go an hour forward, then two back, then right.
     */
    void clockIsWrong(Resilience resilience, BusFaults bus) {
        Clock wrong = clock;
        Assumptions.assumeTrue(
                wrong != null, "there is no cc to make another clock with, and that of the machine is everybody's");
        Durations durations = resilience.durations("clocks an hour wrong");
        for (int hours : List.of(1, -1, 0)) {
            wrong.set(Duration.ofHours(hours));
            durations.add(Convergence.await(resilience.plant, System.nanoTime()));
            // Certificates are looked at when a connection is made.
            bus.reset();
            durations.add(Convergence.await(resilience.plant, System.nanoTime()));
        }
    }

    /** Nobody answers to the names of nodes. */
    void namesAreGone(Resilience resilience, long millis) {
        NameServer server = names;
        Assumptions.assumeTrue(server != null, "a name server for some processes alone takes root");
        Durations durations = resilience.durations("no name server");
        resilience.forwardToName("/named", NODE);
        server.silent(true);
        long end = System.nanoTime() + millis * 1_000_000;
        do {
            durations.add(Convergence.await(resilience.plant, System.nanoTime()));
            Await.pause(500);
        } while (System.nanoTime() - end < 0);
        server.silent(false);
        durations.add(Convergence.await(resilience.plant, System.nanoTime()));
    }

    @Override
    public void close() {
        disks.values().forEach(SmallDisk::close);
        if (names != null) {
            names.close();
        }
    }
}
