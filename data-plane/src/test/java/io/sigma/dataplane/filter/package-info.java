/** The common parts of filters. */
@NullMarked
package io.sigma.dataplane.filter;

import org.jspecify.annotations.NullMarked;
