@NullMarked
package io.sigma.dataplane.filter.header;

import org.jspecify.annotations.NullMarked;
