@NullMarked
package io.sigma.dataplane.configfile;

import org.jspecify.annotations.NullMarked;
