@NullMarked
package io.sigma.dataplane.filter.auth;

import org.jspecify.annotations.NullMarked;
