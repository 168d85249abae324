/**
 * Files that the configuration names, such as certificates: what they contain is used as long as nothing better is
 * there, and read again when it changes. Start at {@link io.sigma.dataplane.watch.WatchedFiles}. Runs on a thread of
 * its own.
 */
@NullMarked
package io.sigma.dataplane.watch;

import org.jspecify.annotations.NullMarked;
