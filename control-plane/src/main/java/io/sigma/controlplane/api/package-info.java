/**
 * The admin API and the dashboard's files over HTTP. Start at {@link io.sigma.controlplane.api.AdminServer}. Handlers
 * run on the virtual threads of one verticle: one at a time, except where they wait.
 */
@NullMarked
package io.sigma.controlplane.api;

import org.jspecify.annotations.NullMarked;
