@NullMarked
package io.sigma.dataplane.snapshot;

import org.jspecify.annotations.NullMarked;
