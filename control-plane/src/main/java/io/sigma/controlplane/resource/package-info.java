/**
 * Reads and writes of resources, the same for all kinds: admission, preconditions, references, the import of a file.
 * Start at {@link io.sigma.controlplane.resource.ResourceService}. Its methods wait for the database: call them on a
 * virtual thread.
 */
@NullMarked
package io.sigma.controlplane.resource;

import org.jspecify.annotations.NullMarked;
