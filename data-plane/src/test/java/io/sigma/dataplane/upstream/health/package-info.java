@NullMarked
package io.sigma.dataplane.upstream.health;

import org.jspecify.annotations.NullMarked;
