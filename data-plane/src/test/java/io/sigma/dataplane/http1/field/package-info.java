/**
 * Header fields over real sockets: the gateway forwards, removes or adds them. Start at {@link
 * io.sigma.dataplane.http1.field.EndToEndFieldsTest}.
 */
@NullMarked
package io.sigma.dataplane.http1.field;

import org.jspecify.annotations.NullMarked;
