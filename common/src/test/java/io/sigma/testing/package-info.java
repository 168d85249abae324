/** What tests of several modules share. Start at {@link io.sigma.testing.SourceSizes}. */
@NullMarked
package io.sigma.testing;

import org.jspecify.annotations.NullMarked;
