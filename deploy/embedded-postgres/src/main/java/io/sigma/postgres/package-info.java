/**
 * Runs a private PostgreSQL server as a child process: real binaries, password authentication, fsync on, data kept
 * between runs.
 *
 * <p>Start at {@link io.sigma.postgres.EmbeddedPostgres}. Everything here blocks, so call it from a platform or virtual
 * thread, never from an event loop. One daemon thread per server, {@code sigma-postgres}, is the parent of the child
 * process and starts it again when it dies; another, {@code sigma-postgres-log}, carries its log lines to SLF4J.
 */
@NullMarked
package io.sigma.postgres;

import org.jspecify.annotations.NullMarked;
