@NullMarked
package io.sigma.dataplane.trial;

import org.jspecify.annotations.NullMarked;
