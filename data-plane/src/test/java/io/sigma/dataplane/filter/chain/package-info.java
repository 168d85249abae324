@NullMarked
package io.sigma.dataplane.filter.chain;

import org.jspecify.annotations.NullMarked;
