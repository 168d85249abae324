@NullMarked
package io.sigma.dataplane.upstream.balance;

import org.jspecify.annotations.NullMarked;
