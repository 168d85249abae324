/**
 * Attacks on a real gateway process, and what other clients meet meanwhile. Start at {@link io.sigma.e2e.chaos.Trial};
 * the attacks are listed in {@link io.sigma.e2e.chaos.Attacks}. {@code make chaos} runs all of them long
 * ({@link io.sigma.e2e.chaos.ChaosRun}), the tests run each for a moment ({@link io.sigma.e2e.chaos.ChaosTest}).
 *
 * <p>Attackers and other clients use blocking sockets, each in a virtual thread of its own.
 */
@NullMarked
package io.sigma.e2e.chaos;

import org.jspecify.annotations.NullMarked;
