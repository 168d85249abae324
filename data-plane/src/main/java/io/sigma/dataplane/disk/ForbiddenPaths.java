package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The paths that stay closed even inside an operator's folder: a gateway's own files, and file systems that are views
 * of the kernel and of processes. Immutable.
 */
final class ForbiddenPaths {

    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    private static final Set<String> KERNEL_TYPES = Set.of(
            "bpf",
            "binfmt_misc",
            "cgroup",
            "cgroup2",
            "configfs",
            "debugfs",
            "devpts",
            "devtmpfs",
            "efivarfs",
            "fusectl",
            "mqueue",
            "nsfs",
            "proc",
            "pstore",
            "securityfs",
            "selinuxfs",
            "sysfs",
            "tracefs");

    private final KnownFolder dataDir;
    private final Map<PathUse, KnownFolder> open;
    private final List<KnownFolder> own;
    private final List<Path> kernel;

    /**
     * @param open the folder in {@code dataDir} that may be reached for each use
     * @param own files of the operator that a folder above them does not open
     */
    ForbiddenPaths(KnownFolder dataDir, Map<PathUse, KnownFolder> open, List<KnownFolder> own) {
        this.dataDir = dataDir;
        this.open = Map.copyOf(open);
        this.own = List.copyOf(own);
        List<Path> views = new ArrayList<>(List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev")));
        views.addAll(mounted());
        this.kernel = List.copyOf(views);
    }

    private static List<Path> mounted() {
        List<Path> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(MOUNTS)) {
                String[] fields = line.split(" ", 4);
                if (fields.length > 2 && KERNEL_TYPES.contains(fields[2])) {
                    found.add(Path.of(fields[1].replace("\\040", " ")));
                }
            }
        } catch (IOException | RuntimeException e) {
            // Without such a file, the names that they usually have are what is left.
        }
        return found;
    }

    /**
     * Returns whether {@code real} must not be reached.
     *
     * @param real with all links resolved
     */
    boolean contains(PathUse use, Path real) {
        if (real.getNameCount() == 0
                || kernel.stream().anyMatch(real::startsWith)
                || own.stream().anyMatch(file -> file.has(real))) {
            return true;
        }
        KnownFolder reached = open.get(use);
        return dataDir.has(real) && (reached == null || !reached.has(real));
    }
}
