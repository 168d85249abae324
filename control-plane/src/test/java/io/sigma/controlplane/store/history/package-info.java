/** Tests of how what is stored is read and followed. */
@NullMarked
package io.sigma.controlplane.store.history;

import org.jspecify.annotations.NullMarked;
