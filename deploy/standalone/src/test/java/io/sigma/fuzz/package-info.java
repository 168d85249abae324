/**
 * What {@code make fuzz} feeds with bytes that coverage guides (Jazzer): each class with {@code fuzzerTestOneInput} is
 * a target, some of them in the package of what they try. Start at {@link io.sigma.fuzz.FuzzSeedsTest}, which runs what
 * is kept in {@code src/test/fuzz} without Jazzer. A target throws when a promise is broken; what is declared for bad
 * input is none.
 */
@NullMarked
package io.sigma.fuzz;

import org.jspecify.annotations.NullMarked;
