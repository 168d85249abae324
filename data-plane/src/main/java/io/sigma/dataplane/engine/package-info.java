/**
 * What an engine does for the control flow: it listens, decodes requests, and carries them to a node and the answer
 * back. Start at {@link io.sigma.dataplane.engine.Engine}. What belongs to one exchange runs on the event loop of
 * its client's connection.
 */
@NullMarked
package io.sigma.dataplane.engine;

import org.jspecify.annotations.NullMarked;
