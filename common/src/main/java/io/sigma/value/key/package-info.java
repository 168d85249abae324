/** Private keys and their public keys. Start at {@link io.sigma.value.key.KeyPairs}. Runs on any thread. */
@NullMarked
package io.sigma.value.key;

import org.jspecify.annotations.NullMarked;
