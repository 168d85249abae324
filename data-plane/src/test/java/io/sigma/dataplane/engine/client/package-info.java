@NullMarked
package io.sigma.dataplane.engine.client;

import org.jspecify.annotations.NullMarked;
