@NullMarked
package io.sigma.dataplane.filter.limit;

import org.jspecify.annotations.NullMarked;
