@NullMarked
package io.sigma.dataplane.upstream;

import org.jspecify.annotations.NullMarked;
