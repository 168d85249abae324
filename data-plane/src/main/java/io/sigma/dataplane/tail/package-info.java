/**
 * The last requests of a gateway, as a sample in memory for people who watch. Start at
 * {@link io.sigma.dataplane.tail.RequestTail}. Event loops write, each into rings of its own and without locks; any
 * other thread reads.
 */
@NullMarked
package io.sigma.dataplane.tail;

import org.jspecify.annotations.NullMarked;
