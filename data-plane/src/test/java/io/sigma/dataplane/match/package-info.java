@NullMarked
package io.sigma.dataplane.match;

import org.jspecify.annotations.NullMarked;
