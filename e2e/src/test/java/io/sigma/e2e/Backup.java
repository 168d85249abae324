package io.sigma.e2e;

import io.sigma.e2e.fault.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A way to keep the state of the database of a plant and to give it back. */
enum Backup {
    /** The files, copied while the server is stopped. */
    FILES {
        @Override
        void take(Plant plant) throws IOException {
            plant.stopDatabase();
            Programs.run("cp", "-a", plant.databaseFiles().toString(), kept(plant));
            plant.startDatabase();
        }

        @Override
        void restore(Plant plant) throws IOException {
            plant.stopDatabase();
            Programs.run("rm", "-rf", plant.databaseFiles().toString());
            Programs.run("mv", kept(plant), plant.databaseFiles().toString());
            plant.startDatabase();
        }

        private String kept(Plant plant) {
            return plant.databaseFiles().resolveSibling("data.kept").toString();
        }

        @Override
        public String toString() {
            return "a copy of the files";
        }
    },

    /**
     * The rows of all tables in one transaction, as {@code pg_dump --data-only} writes them, loaded while control
     * planes are connected. By psql, because pg_dump refuses a server that is newer than itself.
     */
    ROWS {
        @Override
        void take(Plant plant) throws IOException {
            Path dump = Files.createDirectories(dump(plant));
            StringBuilder script = new StringBuilder("begin isolation level repeatable read;\n");
            for (String table : tables(plant)) {
                script.append("\\copy ")
                        .append(table)
                        .append(" to '")
                        .append(dump.resolve(table))
                        .append("'\n");
            }
            psql(plant, script + "commit;\n");
            Files.writeString(
                    dump.resolve("sequences.sql"),
                    psql(
                            plant,
                            "select format('select setval(%L, %s);', schemaname || '.' || sequencename,"
                                    + " coalesce(last_value, 1)) from pg_sequences;\n"));
        }

        @Override
        void restore(Plant plant) throws IOException {
            Path dump = dump(plant);
            // Without triggers: the order of the tables does not follow their references.
            StringBuilder script = new StringBuilder("begin;\nset session_replication_role = replica;\n");
            script.append("truncate ").append(String.join(", ", tables(plant))).append(";\n");
            for (String table : tables(plant)) {
                script.append("\\copy ")
                        .append(table)
                        .append(" from '")
                        .append(dump.resolve(table))
                        .append("'\n");
            }
            psql(plant, script + Files.readString(dump.resolve("sequences.sql")) + "commit;\n");
        }

        private Path dump(Plant plant) {
            return plant.databaseFiles().resolveSibling("dump");
        }

        private List<String> tables(Plant plant) throws IOException {
            return psql(plant, "select tablename from pg_tables where schemaname = 'public' order by 1;\n")
                    .lines()
                    .toList();
        }

        private String psql(Plant plant, String script) throws IOException {
            Path file = Files.writeString(Files.createTempFile("script", ".sql"), script);
            try {
                return Programs.run(
                        "psql", "-X", "-qAt", "-v", "ON_ERROR_STOP=1", "-f", file.toString(), superuser(plant));
            } finally {
                Files.delete(file);
            }
        }

        // The role that owns the database has the same password.
        private String superuser(Plant plant) {
            return plant.postgres.url().replace("//sigma:", "//postgres:");
        }

        @Override
        public String toString() {
            return "dumped rows";
        }
    };

    abstract void take(Plant plant) throws IOException;

    abstract void restore(Plant plant) throws IOException;

    /** Returns whether this machine has what it takes. */
    boolean isPossible() {
        return this != ROWS || Programs.isThere("psql");
    }
}
