@NullMarked
package io.sigma.dataplane.file;

import org.jspecify.annotations.NullMarked;
