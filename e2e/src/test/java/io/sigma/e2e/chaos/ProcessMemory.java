package io.sigma.e2e.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Watches the resident memory of a process. */
final class ProcessMemory implements AutoCloseable {

    private static final long PERIOD_MILLIS = 50;

    private final long pid;
    private final Thread thread;
    private volatile long peakKib;
    private volatile boolean running = true;

    private ProcessMemory(long pid) {
        this.pid = pid;
        this.thread = Thread.ofPlatform().daemon().name("memory").start(this::watch);
    }

    static ProcessMemory watch(long pid) {
        return new ProcessMemory(pid);
    }

    private void watch() {
        while (running) {
            peakKib = Math.max(peakKib, nowKib());
            try {
                Thread.sleep(PERIOD_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Returns the resident memory in KiB, 0 when the process is gone. */
    long nowKib() {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the largest value since the last call, in KiB. */
    long peakKib() {
        long peak = Math.max(peakKib, nowKib());
        peakKib = 0;
        return peak;
    }

    @Override
    public void close() {
        running = false;
        thread.interrupt();
    }
}
