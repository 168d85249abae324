@NullMarked
package io.sigma.dataplane.telemetry;

import org.jspecify.annotations.NullMarked;
