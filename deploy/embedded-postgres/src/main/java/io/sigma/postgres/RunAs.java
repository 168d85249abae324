package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so there another user is taken: the owner of
 * data that exists, else {@code postgres}, else {@code nobody}.
 */
record RunAs(boolean switchesUser, String name, int uid, int gid) {

    private static final Path PASSWD = Path.of("/etc/passwd");

    static RunAs forData(Path data) throws IOException {
        int self = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (self != 0) {
            return new RunAs(false, System.getProperty("user.name"), self, -1);
        }
        if (Files.exists(data)) {
            int owner = (int) Files.getAttribute(data, "unix:uid");
            int group = (int) Files.getAttribute(data, "unix:gid");
            return new RunAs(true, "uid " + owner, owner, group);
        }
        List<String> users = Files.readAllLines(PASSWD);
        for (String name : List.of("postgres", "nobody")) {
            for (String line : users) {
                String[] fields = line.split(":", -1);
                if (fields.length > 3 && Objects.equals(fields[0], name)) {
                    return new RunAs(true, name, Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
                }
            }
        }
        throw new IOException(
                "%s has no user postgres or nobody (expected: one of them, because PostgreSQL does not run as root)"
                        .formatted(PASSWD));
    }

    /**
     * Returns the command line that runs {@code command} as this user, in a session of its own, so that Ctrl-C in a
     * terminal reaches us alone, and with SIGINT (PostgreSQL's fast shutdown) when the thread that started it is gone.
     * Neither wrapper forks: the process id stays the one that was started.
     */
    List<String> command(List<String> command) {
        List<String> line = new ArrayList<>(List.of("setsid", "setpriv", "--no-new-privs", "--pdeathsig", "INT"));
        if (switchesUser) {
            line.addAll(List.of("--reuid", "" + uid, "--regid", "" + gid, "--clear-groups"));
        }
        line.addAll(command);
        return line;
    }

    /** Makes this user the owner of a file that we created. */
    void own(Path path) throws IOException {
        if (switchesUser) {
            Files.setAttribute(path, "unix:uid", uid);
            Files.setAttribute(path, "unix:gid", gid);
        }
    }
}
