/** What filters share. */
@NullMarked
package io.sigma.dataplane.filter;

import org.jspecify.annotations.NullMarked;
