@NullMarked
package io.sigma.dataplane.takeover;

import org.jspecify.annotations.NullMarked;
