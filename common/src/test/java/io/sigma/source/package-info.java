/** Rules for the sources of all modules. Start at {@link io.sigma.source.SourceSizesTest}. */
@NullMarked
package io.sigma.source;

import org.jspecify.annotations.NullMarked;
