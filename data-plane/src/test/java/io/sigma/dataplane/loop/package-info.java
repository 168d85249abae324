@NullMarked
package io.sigma.dataplane.loop;

import org.jspecify.annotations.NullMarked;
