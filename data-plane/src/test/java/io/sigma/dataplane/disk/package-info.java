@NullMarked
package io.sigma.dataplane.disk;

import org.jspecify.annotations.NullMarked;
