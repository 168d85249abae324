@NullMarked
package io.sigma.dataplane;

import org.jspecify.annotations.NullMarked;
