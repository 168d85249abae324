@NullMarked
package io.sigma.dataplane.engine.framed;

import org.jspecify.annotations.NullMarked;
