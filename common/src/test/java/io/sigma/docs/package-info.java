/** Holds what the documentation says against the code. */
@NullMarked
package io.sigma.docs;

import org.jspecify.annotations.NullMarked;
