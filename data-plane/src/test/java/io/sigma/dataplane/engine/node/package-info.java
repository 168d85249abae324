@NullMarked
package io.sigma.dataplane.engine.node;

import org.jspecify.annotations.NullMarked;
