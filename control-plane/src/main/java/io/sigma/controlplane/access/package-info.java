/**
 * Who may do what: users, roles, API tokens, sessions. Start at {@link io.sigma.controlplane.access.Principal}, which
 * is who a request comes from. Methods that wait are called on virtual threads; nothing here knows of HTTP.
 */
@NullMarked
package io.sigma.controlplane.access;

import org.jspecify.annotations.NullMarked;
