@NullMarked
package io.sigma.limit;

import org.jspecify.annotations.NullMarked;
