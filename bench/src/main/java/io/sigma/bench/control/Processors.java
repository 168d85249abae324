package io.sigma.bench.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** On which processors processes run, and which of them go first there. */
final class Processors {

    /** Of this machine, however this process is pinned later. */
    static final int COUNT = Runtime.getRuntime().availableProcessors();

    private Processors() {}

    /** Lets a process, and whatever it starts from now on, run on one processor, or on several as {@code taskset} writes them. */
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

    private static void run(List<String> command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
