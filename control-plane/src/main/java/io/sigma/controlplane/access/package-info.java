/**
 * Users, roles, API tokens, sessions and their rights. Start at {@link io.sigma.controlplane.access.Principal}, the
 * author of a request. Methods that wait are called on virtual threads; nothing here knows of HTTP.
 */
@NullMarked
package io.sigma.controlplane.access;

import org.jspecify.annotations.NullMarked;
