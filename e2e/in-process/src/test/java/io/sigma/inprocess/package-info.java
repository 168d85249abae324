/**
 * Both planes in one JVM, with everything that a change and a request meet on their way: the admin API, PostgreSQL, the
 * link, a gateway and its sockets. Start at {@link io.sigma.inprocess.TrafficTest}. The packages {@code fleet} and
 * {@code cluster} start only the two ends of the link.
 */
@NullMarked
package io.sigma.inprocess;

import org.jspecify.annotations.NullMarked;
