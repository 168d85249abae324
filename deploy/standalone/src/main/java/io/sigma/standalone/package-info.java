/**
 * Both planes in one JVM, with a PostgreSQL of their own and a demo to look at. Start at
 * {@link io.sigma.standalone.Standalone}. Starting and closing block, on the caller's thread; the rest runs on Vert.x.
 */
@NullMarked
package io.sigma.standalone;

import org.jspecify.annotations.NullMarked;
