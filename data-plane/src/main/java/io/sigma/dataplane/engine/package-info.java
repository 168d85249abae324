/**
 * The services of an engine for the control flow: it listens, decodes requests, carries them to a node, and carries the
 * answer back. Start at {@link io.sigma.dataplane.engine.Engine}. All of an exchange runs on the event loop of its
 * client's connection.
 */
@NullMarked
package io.sigma.dataplane.engine;

import org.jspecify.annotations.NullMarked;
