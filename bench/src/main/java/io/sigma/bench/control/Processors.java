package io.sigma.bench.control;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** On which processors processes run, which of them go first there, and how processors wait. */
final class Processors {

    /** Of this machine, however this process is pinned later. */
    static final int COUNT = Runtime.getRuntime().availableProcessors();

    private Processors() {}

    /**
     * Lets a process, and whatever it starts from now on, run on one processor, or on several as {@code taskset} writes
     * them.
     */
    static void pin(long pid, String processors) throws IOException, InterruptedException {
        run(List.of("taskset", "-acp", processors, String.valueOf(pid)));
    }

    /** Lets a process give way to others on its processor. */
    static void giveWay(long pid) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "5", "-p"));
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            threads.map(thread -> thread.getFileName().toString()).forEach(command::add);
        }
        run(command);
    }

    /**
     * Sets where everything that can be moved runs, the kernel's own threads too. What cannot be moved stays, in
     * silence.
     */
    static void pinAll(String processors) throws IOException, InterruptedException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                String name = process.getFileName().toString();
                if (Character.isDigit(name.charAt(0))) {
                    pin(Long.parseLong(name), processors);
                }
            }
        }
    }

    /**
     * Lets no processor fall asleep until that is closed (the kernel's pm_qos_interface.rst): to be woken by a
     * hypervisor takes longer than a request, and is another time each time. Does nothing where it is not permitted,
     * and says so.
     */
    static AutoCloseable awake() {
        try {
            FileOutputStream latencyMax = new FileOutputStream("/dev/cpu_dma_latency");
            latencyMax.write(new byte[Integer.BYTES]);
            return latencyMax;
        } catch (IOException e) {
            System.err.println("processors may fall asleep, which makes latencies longer: " + e.getMessage());
            return () -> {};
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
