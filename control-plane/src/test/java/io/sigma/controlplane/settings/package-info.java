/** Tests of the settings of a control plane. */
@NullMarked
package io.sigma.controlplane.settings;

import org.jspecify.annotations.NullMarked;
