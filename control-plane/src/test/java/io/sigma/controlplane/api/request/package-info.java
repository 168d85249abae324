/** Tests of how a request shows its client and its encodings. */
@NullMarked
package io.sigma.controlplane.api.request;

import org.jspecify.annotations.NullMarked;
