/**
 * Bodies of requests on their way in, and pieces that wait: how much is held, how fast the rest has to come, and who
 * takes it. Start at {@link io.sigma.dataplane.engine.body.RequestBody}. All of a body is confined to the event loop of
 * its client's connection.
 */
@NullMarked
package io.sigma.dataplane.engine.body;

import org.jspecify.annotations.NullMarked;
