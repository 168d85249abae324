@NullMarked
package io.sigma.dataplane.listener;

import org.jspecify.annotations.NullMarked;
