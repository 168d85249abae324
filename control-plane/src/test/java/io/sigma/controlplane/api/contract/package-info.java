/** Tests of the contract as the server reads it. */
@NullMarked
package io.sigma.controlplane.api.contract;

import org.jspecify.annotations.NullMarked;
