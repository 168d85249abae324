package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What no folder of an operator opens: what a gateway keeps for itself, and file systems that are views of the kernel and of
 * processes. Immutable.
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

    private final Path dataDir;
    private final List<Path> open;
    private final List<Path> kernel;

    /**
     * @param dataDir absolute
     * @param open folders in it that may be reached
     */
    ForbiddenPaths(Path dataDir, List<Path> open) {
        this.dataDir = dataDir;
        this.open = List.copyOf(open);
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
    boolean contains(Path real) throws IOException {
        if (real.getNameCount() == 0 || kernel.stream().anyMatch(real::startsWith)) {
            return true;
        }
        if (!real.startsWith(RealPath.of(dataDir))) {
            return false;
        }
        for (Path folder : open) {
            if (real.startsWith(RealPath.of(folder))) {
                return false;
            }
        }
        return true;
    }
}
