/**
 * The last requests of all gateways, as people who watch see them. Start at
 * {@link io.sigma.controlplane.tail.TailQuestions}, which asks a gateway and bounds what it says;
 * {@link io.sigma.controlplane.tail.FilteredTail} asks all of them again and again.
 */
@NullMarked
package io.sigma.controlplane.tail;

import org.jspecify.annotations.NullMarked;
