package io.sigma.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The memory, descriptors and threads of a process, sampled periodically. For one thread. */
final class Held {

    private final String process;
    private final long pid;
    private final List<Sample> samples = new ArrayList<>();

    /** What was held at {@code seconds} after the first look. */
    private record Sample(double seconds, long kib, long descriptors, long threads) {}

    Held(String process, long pid) {
        this.process = process;
        this.pid = pid;
    }

    /**
     * Looks once.
     *
     * @param seconds since the first look
     */
    void look(double seconds) {
        Path of = Path.of("/proc/" + pid);
        try (Stream<Path> descriptors = Files.list(of.resolve("fd"))) {
            List<String> status = Files.readAllLines(of.resolve("status"));
            samples.add(new Sample(seconds, number(status, "VmRSS:"), descriptors.count(), number(status, "Threads:")));
        } catch (IOException e) {
            throw new UncheckedIOException(process + " is gone", e);
        }
    }

    private static long number(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns by how much of their mean its resident memory grew in ten minutes, of the samples from {@code seconds}
     * on.
     */
    double memorySlope(double seconds) {
        return slope(seconds, Sample::kib);
    }

    /** As {@link #memorySlope}, for its descriptors. */
    double descriptorSlope(double seconds) {
        return slope(seconds, Sample::descriptors);
    }

    /** By least squares, so that neither the first nor the last sample decides. */
    private double slope(double seconds, ToLongFunction<Sample> value) {
        List<Sample> from =
                samples.stream().filter(sample -> sample.seconds >= seconds).toList();
        double meanTime = from.stream().mapToDouble(Sample::seconds).average().orElseThrow();
        double mean = from.stream().mapToLong(value).average().orElseThrow();
        double together = 0;
        double square = 0;
        for (Sample sample : from) {
            double time = sample.seconds - meanTime;
            together += time * (value.applyAsLong(sample) - mean);
            square += time * time;
        }
        return square == 0 ? 0 : together / square * 600 / mean;
    }

    /** Returns a line for people. */
    String line(double warm) {
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        Sample middle = samples.stream()
                .filter(sample -> sample.seconds >= warm)
                .findFirst()
                .orElse(last);
        return String.format(
                Locale.ROOT,
                "%-18s MiB %d, %d, %d; descriptors %d, %d, %d; threads %d, %d, %d; in 10 min: memory %+.2f %%, descriptors %+.2f %%%n",
                process,
                first.kib / 1024,
                middle.kib / 1024,
                last.kib / 1024,
                first.descriptors,
                middle.descriptors,
                last.descriptors,
                first.threads,
                middle.threads,
                last.threads,
                100 * memorySlope(warm),
                100 * descriptorSlope(warm));
    }

    @Override
    public String toString() {
        return process;
    }
}
